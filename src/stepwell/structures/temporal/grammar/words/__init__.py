"""The words that the grammar knows: modules that hold only tables, one for each kind of word.

Adding a word is adding it to its table; docs/how-to/extend-the-grammar.md shows what that changes.
Whatever interprets the words stands beside this package, never in it.
"""
