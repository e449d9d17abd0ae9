"""The application: paths, shared modules, HTTP, pages and the command line."""
