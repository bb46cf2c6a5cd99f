"""What models that other packages run on this machine have in common: files, one thread, checks, identity."""
