"""Which programs a shell command runs."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.log.programs import programs_of, without_texts


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("pytest -q", ("pytest",)),
        ("python -m pytest -q", ("python", "pytest")),
        ("python3.12 -u tools/run.py x", ("python3.12", "run.py")),
        ("python -c 'import pytest'", ("python",)),
        ("cd /srv/app && FOO=1 sudo -E make lint | tail -3", ("cd", "make", "make lint", "tail")),
        ("git add . && git commit -m 'run pytest; rm x'", ("git", "git add", "git commit")),
        ("uv run pytest", ("uv", "pytest")),
        ("npx vitest run", ("vitest", "vitest run")),
        ("timeout 10 ls", ("timeout",)),
        ("cat > a.sh <<'EOF'\npytest -q\nEOF\nls", ("cat", "ls")),
        ("for f in *; do wc $f; done", ("wc",)),
        ("x=$(git status)", ("git", "git status")),
        ("/usr/bin/env bash deploy.sh", ("bash", "deploy.sh")),
        ("echo pytest", ("echo", "echo pytest")),
        ("", ()),
    ],
)
def test_a_command_runs_programs(command: str, programs: tuple[str, ...]) -> None:
    assert programs_of(command) == programs


@pytest.mark.parametrize(
    ("command", "bare"),
    [
        ('python -c "a > b"', 'python -c ""'),
        ("echo 'x' > 'out.txt'", "echo 'x' > 'out.txt'"),
        ('echo "a \\" b" > c', 'echo "" > c'),
        ("cat <<EOF > f\na > b\nEOF\nrm g", "cat  > f\n\nrm g"),
        ("it's", "it's"),
    ],
)
def test_texts_are_no_commands(command: str, bare: str) -> None:
    assert without_texts(command) == bare
