"""One language model behind any OpenAI-compatible endpoint: `client.LanguageModel` runs steps of `prompts/`.

Nothing is imported here, so that reading the configuration or catching an error does not load `openai`.
"""
