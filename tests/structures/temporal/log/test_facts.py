"""The stored form of facts stays as it is: stored logs are read by it."""

from __future__ import annotations

import msgspec

from stepwell.structures.temporal.grammar.states import Listing, State
from stepwell.structures.temporal.log.facts import Act, Facts


def test_the_stored_form_is_pinned() -> None:
    facts = Facts(
        acts=(Act(text="t"),),
        states=(State(slot="s", aspect="a", value="v"),),
        listings=(Listing(holder="h", items=("i",)),),
    )
    assert msgspec.json.decode(msgspec.json.encode(facts)) == {
        "acts": [{"text": "t", "verb": "", "objects": [], "quote": "", "failed": False,
                  "moves": False, "reply": "", "programs": []}],
        "states": [{"slot": "s", "aspect": "a", "value": "v", "before": "", "quote": "",
                    "act": -1, "is_event": False, "detail": ""}],
        "listings": [{"holder": "h", "items": ["i"], "quote": ""}],
        "awaits": False,
        "answers": False,
        "failed": False,
        "reply": "",
        "has_text": True,
    }  # fmt: skip
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=Facts) == facts
