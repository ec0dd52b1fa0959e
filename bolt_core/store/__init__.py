"""Records on disk: their format, reading, writing, listing, importing, exporting, deleting."""
