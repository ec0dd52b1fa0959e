"""Ask/tell optimizers for a problem of the user's own."""
