"""The order in which the lines of a PDF page are read: columns and bands first, then line after line."""
