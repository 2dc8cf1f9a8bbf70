"""The one trajectory model: what an agent did, step by step, as frozen values.

Names follow ATIF v1.7 wherever it has one, so that import and export are nearly the identity.
A Step is one user, system or harness message, or one model inference with the calls it made and
the results that came back. Everything here is derived from RawRecords, which nothing edits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003  (msgspec resolves the annotations at run time)
from typing import Any, Literal, TypeAlias

__all__ = [
    "Agent",
    "Blob",
    "Call",
    "JsonObject",
    "Kind",
    "Media",
    "Metrics",
    "Notice",
    "Outcome",
    "Part",
    "RawRecord",
    "Result",
    "Status",
    "Step",
    "Trajectory",
]

JsonObject: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["user", "agent", "system", "tool_env", "summary", "context", "meta"]
Status: TypeAlias = Literal["ok", "error", "interrupted", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRecord:
    """A record of the source, as it was read.

    Attributes:
        source_uri: The file or stream it came from.
        position: `line:12` (from 1) or a JSON pointer such as `/messages/3`.
        byte_offset: Where the line (or the document holding the pointer) starts, in bytes.
        sha256: Hex digest of the original bytes, also when `raw` had to be redacted.
        raw: The bytes; a secret found in them is replaced, and then `redacted` is true.
        redacted: Whether `raw` differs from the original bytes.
    """

    source_uri: str
    position: str
    byte_offset: int
    sha256: str
    raw: bytes
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something an import skipped, repaired or wondered at.

    Attributes:
        position: `file:line` or `file#/json/pointer`.
        code: A stable kebab-case name, such as `torn-line`.
        message: One sentence for a person.
        effect: `skipped` (a record was left out), `repaired` (it was read after mending) or
            `warning` (it was read as it is).
    """

    position: str
    code: str
    message: str
    effect: Literal["skipped", "repaired", "warning"] = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """An image, audio or file that text stands in for; its bytes are a Blob, or only a reference.

    Attributes:
        media_type: The MIME type, such as `image/png`.
        n_bytes: Decoded size in bytes; 0 when only `uri` is known.
        sha256: Hex digest of the decoded bytes; empty when only `uri` is known.
        uri: Where the original lies, when the source says so.
    """

    media_type: str
    n_bytes: int = 0
    sha256: str = ""
    uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """The bytes behind a Media, addressed by their SHA-256."""

    sha256: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One content part of a message or result.

    Attributes:
        kind: `text`, `media`, or `other` for a part type the reader does not know.
        text: The text; for media and unknown parts the placeholder shown in its place.
        media: The media that `text` stands for.
        data: The original part of an unknown type.
    """

    kind: Literal["text", "media", "other"]
    text: str = ""
    media: Media | None = None
    data: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call.

    Attributes:
        uid: Unique within the trajectory; minted when the source's id is missing or reused.
        name: Tool or function name.
        args: The arguments; a value that is no object is `{"_value": value}`; None when unreadable.
        args_raw: The arguments as they stood in the source; empty when they were an object already.
        args_valid: False when `args_raw` is not valid JSON; it stays searchable as text.
        native_id: The id in the source, if any.
        actor: Who called, when not the step's actor.
    """

    uid: str
    name: str
    args: JsonObject | None
    args_raw: str = ""
    args_valid: bool = True
    native_id: str | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    r"""What came back from a call.

    Attributes:
        call_uid: The call it answers; None when that call is unknown (for example compacted away).
        text: Readable text of the whole result (`stepwell.text.clean`): line ends are `\n`,
            terminal escapes and overwritten progress frames are gone, controls are visible.
        parts: The original parts; empty when the source was one string equal to `text`.
        is_error: True, False, or None when the source does not say.
        error_source: Which signal set `is_error`, such as `is_error-flag`, `exit-code`, `text`.
        exit_code: Process exit code, when known.
        truncated: Whether the source says that the result was cut.
        child_trajectory_id: The trajectory of the subagent this call started.
        recalled: Parts of `text` that this memory itself recalled: no evidence again.
        extra: Fields of the source without a place of their own.
    """

    call_uid: str | None
    text: str
    parts: tuple[Part, ...] = ()
    is_error: bool | None = None
    error_source: str | None = None
    exit_code: int | None = None
    truncated: bool = False
    child_trajectory_id: str | None = None
    recalled: tuple[tuple[int, int], ...] = ()
    extra: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Token counts and cost of one inference; None where the source does not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message, or one model inference with its calls and their results.

    Attributes:
        index: 0-based place in the trajectory; chronological, and stable when later steps arrive
            or a branch is abandoned.
        uid: Unique within the trajectory.
        kind: Who speaks: `user`, `agent`, `system`, `tool_env` (a result without a known call),
            `summary` (a compaction summary), `context` (text the harness put in), `meta`.
        actor: `user`, `agent` or `agent:<id>`, `env`, `harness`, or a speaker's name.
        parent_uid: The step this one continues; None for a root, or when simply the one before.
        active: Whether the step is on the live path; False for an abandoned branch.
        branch_id: Name of the abandoned branch, else None.
        message: Readable message text.
        parts: The original parts; empty when the source was one string equal to `message`.
        thought: Readable reasoning text.
        thought_redacted: Whether the source holds reasoning that cannot be read.
        calls: The calls made, in order.
        results: The results, in the order of `calls`, then those without a known call.
        status: `ok`, `error`, `interrupted` (stopped before its results), `missing` (a result is
            not in the log).
        t_start: Start time in UTC.
        t_end: End time in UTC.
        t_source: Where the times come from, such as `timestamp`.
        metrics: Tokens and cost, counted once per inference.
        model: Model name of this inference.
        subgoal: A label given by the source; never derived.
        is_copied_context: Whether the step repeats earlier history (a replayed prefix, a demo).
        native_ids: Ids of the source by name.
        raw_refs: Indices into `Trajectory.raw_records`.
        recalled: Parts of `message` that this memory itself recalled: no evidence again.
        extra: Fields of the source without a place of their own.
    """

    index: int
    uid: str
    kind: Kind
    actor: str
    parent_uid: str | None = None
    active: bool = True
    branch_id: str | None = None
    message: str = ""
    parts: tuple[Part, ...] = ()
    thought: str = ""
    thought_redacted: bool = False
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    status: Status = "ok"
    t_start: datetime | None = None
    t_end: datetime | None = None
    t_source: str | None = None
    metrics: Metrics | None = None
    model: str | None = None
    subgoal: str | None = None
    is_copied_context: bool = False
    native_ids: dict[str, str] = field(default_factory=dict[str, str])
    raw_refs: tuple[int, ...] = ()
    recalled: tuple[tuple[int, int], ...] = ()
    extra: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """The agent that ran."""

    name: str | None = None
    version: str | None = None
    model: str | None = None
    tool_definitions: tuple[JsonObject, ...] = ()
    extra: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the run ended, as far as the source says."""

    reward: float | None = None
    success: bool | None = None
    exit_status: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """A run of one agent.

    Attributes:
        trajectory_id: Stable id; a subagent's is `<session>/<agent id>`.
        session_id: The session it belongs to; children share their parent's.
        source_format: Name of the reader.
        source_version: Version of the producing program or schema.
        parent_trajectory_id: The run that started this one.
        parent_call_uid: The call of the parent that started it, when known.
        agent: The agent that ran.
        task: The task, when the source states it outside the steps.
        outcome: How it ended.
        continued_from: The trajectory this one continues.
        steps: Steps in index order, abandoned branches included.
        raw_records: The records all of this was read from.
        warnings: What the reader noticed about this trajectory.
        extra: Fields of the source without a place of their own.
    """

    trajectory_id: str
    session_id: str
    source_format: str
    source_version: str | None = None
    parent_trajectory_id: str | None = None
    parent_call_uid: str | None = None
    agent: Agent = field(default_factory=Agent)
    task: str | None = None
    outcome: Outcome | None = None
    continued_from: str | None = None
    steps: tuple[Step, ...] = ()
    raw_records: tuple[RawRecord, ...] = ()
    warnings: tuple[Notice, ...] = ()
    extra: JsonObject = field(default_factory=dict[str, Any])
