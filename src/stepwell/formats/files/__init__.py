"""Files and folders: which to read, and their JSON records."""
