"""What was learned, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from stepwell.policy.files import dumps

if TYPE_CHECKING:
    from stepwell.learn.run import Learned

__all__ = ["learned_document"]


def learned_document(learned: Learned) -> dict[str, Any]:
    """Return the policy learned, how it did on held-out questions, and how the search went."""
    return {
        "policy": dumps(learned.file),
        "test": msgspec.to_builtins(learned.test),
        "beats": learned.test.against[0].beats,
        "curve": list(learned.found.curve),
        "stopped": learned.found.stopped,
    }
