"""What each step did and what held after it.

`extract` reads one step and returns `Facts`: `calls` makes an `Act` of each call, with the help of
`commands` (shell), `queries` (SQL), `files` (tools that change files and plans) and `callphrases`
(tools that are verbs), and each says what the call changes if it succeeds. What came back is read
by `objects` when it is an object (`decoding`), by `grammar.prose` and `fieldlines` when it is text,
and by `pages` for a browser's page. `Log` (`log`) folds the facts of all steps: it keeps for every
slot its `Change`s, for every place what came and left, and for every change the action that made
it (`entries`). `extract` is pure and is stored per step; the log is built anew from what is stored.
"""
