"""The HTTP service: ask and tell on the problems of a server."""
