"""How a sentence or a question is read: words, names, phrases, sentences, questions.

`words` holds the tables of what the grammar knows. `verbs` gives a verb its base form and its
meaning; `names` says what can be the name of a thing, and `mentions` finds known names in a text.
`phrases` parts "take the mug 1 from shelf 2" into verb, thing and places, and `effects` says what
holds after it. `sentences` parts an observation into sentences and `failures` tells whether it says
that something failed; `prose` tries each sentence against `forms`, from the most particular to the
least, and the first one that fits gives a `State` or a `Listing` (`states`). `bounds` finds the
steps that a question is about and `questions` what it wants to know of them. Nothing here knows of
trajectories: texts go in, values come out.
"""
