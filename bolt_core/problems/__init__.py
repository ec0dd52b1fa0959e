"""Problems of users that a server holds: one optimizer each, for the page and the service."""
