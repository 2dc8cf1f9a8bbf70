"""Lines of the catalogue as tests make them."""

from __future__ import annotations

from datetime import UTC, datetime

from stepwell.store.read import Entry


def entry(number: int = 1, name: str = "run", *, n_steps: int = 9, n_passages: int = 9) -> Entry:
    """Return what the catalogue would say of a trajectory."""
    return Entry(
        number=number,
        trajectory_id=name,
        user_id="",
        agent_id="",
        run_id="",
        session_id="",
        parent_id=None,
        source_format="test",
        source_uri="",
        title="",
        n_steps=n_steps,
        n_passages=n_passages,
        added_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
