"""The application: paths, shared modules, HTTP, pages and the command line."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("zhixing")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0.0.0"
