"""HTTP routes under /api/v1, the OpenAI-compatible routes, and health. Thin: they translate and delegate."""
