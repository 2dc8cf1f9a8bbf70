"""How a question is answered from a log: exactly, in lines, the most useful first.

`answer` picks by the kind of the question one function that computes `Line`s (`lines`): what held
(`states`), how it came about (`histories`), what was done and when (`actions`, `occasions`), how
often (`counts`, `tables`), or what an action would change that nobody has performed
(`suppositions`). `selection` picks the actions that a question is about. Every line names the steps
it is computed from and says whether it is what was asked. Nothing here reads steps or changes a
log.
"""
