"""Property tests here run without a deadline: how long one example takes says more about the machine's load."""

from hypothesis import settings

settings.register_profile("ingestion", deadline=None)
settings.load_profile("ingestion")
