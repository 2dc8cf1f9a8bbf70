"""Which encoder a memory uses, what it says when there is none, and what a question becomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import pytest

from stepwell.errors import InvalidInputError, ModelUnavailableError, StoreError
from stepwell.memory.choosing import as_policy
from stepwell.memory.encoders import encoder_in_use, notices_of, prepared, usable_encoder
from stepwell.memory.indexing import Filler
from stepwell.memory.memory import Memory
from stepwell.recall.question import Question
from stepwell.store.database import open_database
from stepwell.store.scope import Scope
from stepwell.store.vectors import encoder_number
from stepwell.structures.vector import Vector
from stepwell.text.tokens import counter
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

ENCODER = HashEncoder()


@dataclass(frozen=True, slots=True)
class Down:
    """An encoder whose service cannot be reached."""

    encoder_id: str = "down"
    dimension: int = 32

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise ModelUnavailableError(f"No answer for {len(texts)} texts.", hint="Start the server.")


def question(text: str) -> Question:
    return Question(
        text=text,
        budget=100,
        form="text",
        before=None,
        counter=counter("estimate"),
        policy=as_policy("default"),
    )


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


def read_only(path: Path) -> apsw.Connection:
    return apsw.Connection(
        f"file:{path}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )


def test_an_encoder_that_is_given_is_used(db: apsw.Connection) -> None:
    encoder, reason = usable_encoder(db, ENCODER)
    assert encoder is not None
    assert (encoder.encoder_id, encoder.dimension, reason) == ("test-hash", 32, "")
    assert (encoder.encode(["walrus"]) == ENCODER.encode(["walrus"])).all()


def test_without_one_the_reason_is_how_the_memory_was_opened(db: apsw.Connection) -> None:
    assert usable_encoder(db, None) == (None, "this memory was opened with encoder=None.")


@pytest.mark.parametrize("given", ["model", 7, object(), HashEncoder])
def test_what_is_no_encoder_is_refused(db: apsw.Connection, given: object) -> None:
    with pytest.raises(InvalidInputError, match=r'encoder=.* cannot be used\. Use "auto", None'):
        usable_encoder(db, given)  # type: ignore[arg-type]


def test_a_file_that_can_only_be_read_needs_vectors_of_the_encoder(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=ENCODER) as memory:
        memory.add("hello")
        memory.index()
    db = read_only(path)
    assert usable_encoder(db, ENCODER)[1] == ""
    other = HashEncoder(encoder_id="other")
    reason = "the database is read-only and has no vectors of other."
    assert usable_encoder(db, other) == (None, reason)
    assert usable_encoder(db, None)[1] == "this memory was opened with encoder=None."
    db.close()


def test_a_read_only_file_that_is_no_store_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(b"this is no database, " * 100)
    db = read_only(path)
    with pytest.raises(StoreError):
        usable_encoder(db, ENCODER)
    db.close()


def test_a_question_is_encoded_where_there_are_vectors(db: apsw.Connection) -> None:
    query, failures = prepared(question("which port?"), Vector(db, encoder=ENCODER))
    assert failures == ()
    assert query.vector is not None
    assert query.vector.tolist() == ENCODER.encode(["which port?"])[0].tolist()
    assert "port" in query.terms


def test_a_question_is_words_alone_where_there_are_none() -> None:
    query, failures = prepared(question("which port?"), None)
    assert (query.vector, failures) == (None, ())
    assert "port" in query.terms


def test_a_question_is_words_alone_where_encoding_fails_and_says_why(db: apsw.Connection) -> None:
    query, failures = prepared(question("which port?"), Vector(db, encoder=Down()))
    assert query.vector is None
    assert "port" in query.terms
    assert failures == (
        "vectors were off for this recall: No answer for 1 texts. Start the server.",
    )


def test_the_encoder_in_use_gets_its_number_when_it_is_asked_for(db: apsw.Connection) -> None:
    assert encoder_in_use(db, None) is None
    assert db.execute("SELECT count(*) FROM encoders").get == 0
    first = encoder_in_use(db, Vector(db, encoder=ENCODER))
    second = encoder_in_use(db, Vector(db, encoder=HashEncoder(encoder_id="other")))
    assert first is not None
    assert second is not None
    assert (first[0], second[0]) == ("test-hash", "other")
    assert first[1] != second[1]
    assert encoder_in_use(db, Vector(db, encoder=ENCODER)) == first


def test_a_read_only_file_answers_which_encoder_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    writing = open_database(path)
    writing.execute("BEGIN")
    number = encoder_number(writing, ENCODER.encoder_id, dimension=ENCODER.dimension)
    writing.execute("COMMIT")
    writing.close()
    db = read_only(path)
    assert encoder_in_use(db, Vector(db, encoder=ENCODER)) == ("test-hash", number)
    db.close()


def test_a_recall_is_told_why_vectors_are_off() -> None:
    assert notices_of(None, "no model.", None) == ("vectors are off: no model.",)


def test_a_recall_is_told_nothing_while_vectors_come(db: apsw.Connection) -> None:
    with Memory(encoder=None) as memory:
        vector = Vector(db, encoder=ENCODER)
        filler = Filler(db=db, vector=vector, scope=Scope(), lock=memory._lock)
        assert notices_of(vector, "", None) == notices_of(vector, "", filler) == ()
        filler.failure = ModelUnavailableError("The disk is gone.", hint="Plug it in.")
        assert notices_of(vector, "", filler) == (
            "vectors are not filled in any more: The disk is gone. Plug it in.",
        )
