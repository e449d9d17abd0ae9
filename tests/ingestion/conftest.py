"""Property tests here run without a deadline: the time of one example depends on the load of the machine."""

from hypothesis import settings

settings.register_profile("ingestion", deadline=None)
settings.load_profile("ingestion")
