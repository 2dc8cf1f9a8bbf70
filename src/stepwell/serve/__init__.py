"""The faces of Stepwell: the command line."""
