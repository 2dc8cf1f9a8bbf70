"""The schema, as the list of steps that lead to it."""

from __future__ import annotations

from stepwell.text.search import FTS_TOKENIZE

__all__ = ["MIGRATIONS", "TRAJECTORY_TABLES"]

TRAJECTORY_TABLES = (
    "steps",
    "passages",
    "raw_records",
    "blobs",
    "vectors",
    "rewrites",
    "derived",
    "contents",
)
"""Tables keyed by `rowids.rowid`; the full-text index, keyed alike, is cleared beside them."""

_FIRST = f"""
CREATE TABLE trajectories (
    no INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused, so a stale number finds nothing
    trajectory_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    parent_id TEXT,
    source_format TEXT NOT NULL,
    source_uri TEXT NOT NULL,
    title TEXT NOT NULL,
    n_steps INTEGER NOT NULL,
    n_passages INTEGER NOT NULL,
    n_raw INTEGER NOT NULL,
    n_blobs INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    added_at INTEGER NOT NULL,             -- microseconds since 1970, UTC, as every time here
    head BLOB NOT NULL,                    -- the Trajectory without steps and raw records
    UNIQUE (user_id, agent_id, run_id, trajectory_id)
);
CREATE INDEX trajectories_by_session ON trajectories (session_id);
CREATE INDEX trajectories_by_fingerprint ON trajectories (fingerprint);
CREATE TABLE steps (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    status TEXT NOT NULL,
    active INTEGER NOT NULL,
    has_error INTEGER NOT NULL,
    t_start INTEGER,
    t_end INTEGER,
    body BLOB NOT NULL                     -- the Step
);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    part TEXT NOT NULL,
    label TEXT NOT NULL,
    line INTEGER NOT NULL,
    col INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE raw_records (
    id INTEGER PRIMARY KEY,
    source_uri TEXT,                       -- NULL: the trajectory's
    position TEXT NOT NULL,
    byte_offset INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    redacted INTEGER NOT NULL,
    raw BLOB NOT NULL
);
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL,
    media_type TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE encoders (
    no INTEGER PRIMARY KEY,
    encoder_id TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL
);
CREATE TABLE vectors (
    encoder INTEGER NOT NULL REFERENCES encoders (no),
    id INTEGER NOT NULL,                   -- the passage
    text_hash BLOB NOT NULL,               -- finds the vector of an equal text
    vector BLOB NOT NULL,                  -- float16, little-endian
    PRIMARY KEY (encoder, id)
) WITHOUT ROWID;
CREATE INDEX vectors_by_hash ON vectors (encoder, text_hash);
CREATE TABLE vector_states (
    encoder INTEGER NOT NULL,
    no INTEGER NOT NULL,                   -- the trajectory
    n_vectors INTEGER NOT NULL,
    version INTEGER NOT NULL,              -- changes with every write, so that caches know
    PRIMARY KEY (encoder, no)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE passages_fts USING fts5 (
    tokens, content='', contentless_delete=1, {FTS_TOKENIZE}
);
"""

_SECOND = """
ALTER TABLE trajectories ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;  -- grows with rewrites
CREATE TABLE rewrites (
    id INTEGER PRIMARY KEY,                -- a step that was changed, or the first one dropped
    revision INTEGER NOT NULL              -- the trajectory's since then
);
CREATE TABLE annotations (
    id INTEGER PRIMARY KEY,                -- the step
    annotator TEXT NOT NULL,               -- its version and options
    body BLOB NOT NULL                     -- entities, tools, subgoal, and what the next step needs
);
"""

_THIRD = """
CREATE TABLE derived (
    id INTEGER NOT NULL,                   -- the step
    structure TEXT NOT NULL,               -- the structure that derived it
    version TEXT NOT NULL,                 -- of what derives it; others are not read back
    body BLOB NOT NULL,
    PRIMARY KEY (id, structure)
) WITHOUT ROWID;
CREATE TABLE recalls (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    recall_id TEXT NOT NULL UNIQUE,
    asked_at INTEGER NOT NULL,
    question TEXT NOT NULL,
    context BLOB NOT NULL,                 -- what the policy saw besides
    policy TEXT NOT NULL,
    structures TEXT NOT NULL,              -- those it read, separated by blanks
    chance REAL NOT NULL,                  -- how probable the policy's choice was
    budget INTEGER NOT NULL,
    tokens INTEGER NOT NULL
);
CREATE TABLE recall_trajectories (
    recall INTEGER NOT NULL,
    no INTEGER NOT NULL,                   -- a trajectory in the scope it read
    PRIMARY KEY (recall, no)
) WITHOUT ROWID;
CREATE INDEX recalls_by_trajectory ON recall_trajectories (no);
CREATE TABLE feedback (
    recall INTEGER PRIMARY KEY,
    reward REAL NOT NULL,                  -- from 0 to 1; the last one given counts
    given_at INTEGER NOT NULL
);
"""

_FOURTH = """
CREATE TABLE usage (
    recall INTEGER NOT NULL,
    no INTEGER NOT NULL,                   -- a trajectory of which it considered steps
    body BLOB NOT NULL,                    -- these steps, and what became of each
    PRIMARY KEY (recall, no)
) WITHOUT ROWID;
CREATE INDEX usage_by_trajectory ON usage (no);
"""

_FIFTH = """
DROP TABLE annotations;                    -- `derived` keeps what units need of a step
"""

_SIXTH = """
CREATE TABLE contents (                    -- what tells steps apart, whatever file they are from
    id INTEGER PRIMARY KEY,                -- the step
    kind TEXT NOT NULL,
    said BLOB NOT NULL,                    -- hash of what was said and done in it
    record BLOB NOT NULL,                  -- hash of the first record it was read from
    prefix BLOB NOT NULL,                  -- hash of the run up to it
    follows INTEGER,                       -- the step it comes after, -1 for none; NULL: before it
    state INTEGER NOT NULL                 -- 0: its log holds it, 1: no more, 2: forgotten, 3: live
);
CREATE INDEX contents_by_prefix ON contents (prefix);
CREATE TABLE tombstones (
    mark BLOB PRIMARY KEY                  -- hash of an owner and of what is forgotten
) WITHOUT ROWID;
CREATE TABLE files (
    no INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    uri TEXT NOT NULL,
    stamp TEXT NOT NULL,                   -- sizes and times of it and of what lies beside it
    sha256 BLOB NOT NULL,
    reader TEXT NOT NULL,                  -- the version of Stepwell that read it
    report BLOB NOT NULL,                  -- what was read of it
    UNIQUE (user_id, agent_id, run_id, uri)
);
CREATE TABLE file_runs (
    file INTEGER NOT NULL,
    no INTEGER NOT NULL,                   -- a trajectory read from it
    PRIMARY KEY (file, no)
) WITHOUT ROWID;
CREATE INDEX file_runs_by_trajectory ON file_runs (no);
DROP INDEX trajectories_by_fingerprint;
ALTER TABLE trajectories DROP COLUMN fingerprint;  -- `contents` knows more
"""

_SEVENTH = """
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
INSERT INTO settings VALUES ('mark', randomblob(32));  -- the secret that payloads are marked with
"""

MIGRATIONS = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH, _SEVENTH)
"""Script n leads from schema version n to n + 1; released scripts are never edited."""
