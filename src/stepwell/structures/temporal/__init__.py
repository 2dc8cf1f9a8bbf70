"""The temporal structure: what was done and what held, step by step, and answers computed of it.

Three packages, each of which uses only those named before it: `grammar` reads a sentence or a
question, `log` makes of a trajectory's steps what each did and what held after it, and `answers`
computes from the log what a question asks. `index` is the structure that recall reads.
"""
