"""What all other packages use: errors, types, options, files, text."""
