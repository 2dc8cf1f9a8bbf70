"""The readers there are, in the order in which they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.ingest.ama_bench import AmaBench
from stepwell.ingest.atif import Atif
from stepwell.ingest.claude_code import ClaudeCode
from stepwell.ingest.locomo import LoCoMo
from stepwell.ingest.longmemeval import LongMemEval
from stepwell.ingest.openai_chat import OpenAIChat
from stepwell.ingest.tau2 import Tau2
from stepwell.ingest.tau_bench import TauBench
from stepwell.ingest.toolbench import ToolBench

if TYPE_CHECKING:
    from stepwell.ingest.base import Reader, Source

__all__ = ["READERS", "reader_for"]

READERS: tuple[Reader, ...] = (
    ClaudeCode(),
    Atif(),
    AmaBench(),
    LoCoMo(),
    LongMemEval(),
    TauBench(),
    Tau2(),
    ToolBench(),
    OpenAIChat(),
)


def reader_for(source: Source) -> Reader | None:
    """Return the reader that is surest of the source, the first of them on a tie; None if none."""
    scores = [(reader.sniff(source), -place) for place, reader in enumerate(READERS)]
    score, place = max(scores)
    return READERS[-place] if score > 0 else None
