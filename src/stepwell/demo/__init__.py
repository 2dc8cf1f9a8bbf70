"""The bundled demo trajectory and its questions."""
