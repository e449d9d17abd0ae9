"""The hybrid index: what is stored in it, and the adapters that store it."""
