# The part of PyStemmer that Stepwell uses; the package ships no types.

class Stemmer:
    def __init__(self, algorithm: str) -> None: ...
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the library's name
