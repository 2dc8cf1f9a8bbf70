"""Build the packages, install the product alone in a fresh environment, and use it there.

Not a test, because it takes half a minute and needs a package index: `just wheel` runs it, in the
development environment, which holds `build` and `hatchling`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
MAX_LINES = 52_000
CARRIED = (
    "py.typed",
    "demo/questions.json",
    "demo/session.jsonl",
    "demo/session/subagents/agent-a1.jsonl",
    "learn/prompts/propose.txt",
    "policy/builtin/default.toml",
)
"""Files of the product that are no modules, one of each folder: what does not name them is lost."""


def main() -> None:
    """Check everything, and say what it came to."""
    with TemporaryDirectory() as folder:
        built = Path(folder) / "built"
        quietly(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built), str(ROOT))
        (wheel,), (source,) = built.glob("*.whl"), built.glob("*.tar.gz")
        check_source(source)
        n_lines = check_wheel(wheel)
        n_mb = check_installed(wheel, Path(folder))
    print(f"{wheel.name}: {n_lines:,} lines of Python; its environment takes {n_mb} MB")


def check_source(path: Path) -> None:
    """Check that the source distribution holds the product and nothing else."""
    with tarfile.open(path) as archive:
        names = [name.split("/", 1)[1] for name in archive.getnames()]
    folders = {name.split("/")[0] for name in names if "/" in name}
    expect(folders == {"src"}, f"the source distribution holds {sorted(folders)}")


def check_wheel(path: Path) -> int:
    """Check what the wheel holds and asks for; return its lines of Python."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        modules = [name for name in names if name.endswith(".py")]
        n_lines = sum(archive.read(name).count(b"\n") for name in modules)
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        wanted = Parser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist", [])
    product = [name for name in names if ".dist-info/" not in name]
    foreign = [n for n in product if not n.startswith("stepwell/") or "/test" in n or "/bench" in n]
    expect(foreign == [], f"the wheel holds {foreign}")
    lost = [name for name in CARRIED if f"stepwell/{name}" not in names]
    expect(lost == [], f"the wheel holds no {lost}")
    asked = [line for line in wanted if "stepwell" in line or " @ " in line]
    expect(asked == [], f"the wheel asks for {asked}")
    expect(n_lines <= MAX_LINES, f"the wheel holds {n_lines:,} lines, more than {MAX_LINES:,}")
    return n_lines


def check_installed(wheel: Path, folder: Path) -> int:
    """Install the wheel alone and use it; return the megabytes of its environment."""
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    quietly(str(python), "-m", "pip", "install", "--quiet", "--no-compile", str(wheel))
    n_bytes = sum(path.stat().st_size for path in environment.rglob("*") if path.is_file())
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()

    def stepwell(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, "-I", "-m", "stepwell", *words],
            cwd=elsewhere,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},  # noqa: TID251  (handed on, not read)
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    demo = stepwell("demo")
    expect(demo.returncode == 0 and "/s131" in demo.stdout, f"the demo says {demo}")
    bench = stepwell("bench")
    says_what_to_install = "pip install stepwell-bench" in bench.stderr
    expect(bench.returncode == 1 and says_what_to_install, f"`stepwell bench` says {bench}")
    expect(list(elsewhere.iterdir()) == [], "the demo leaves files behind")
    return round(n_bytes / 2**20)


def quietly(*command: str) -> None:
    """Run a command; say what it said if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001  (it reads like assert)
    """End with a message unless a condition holds."""
    if not holds:
        sys.exit(f"wheel: {otherwise}")


if __name__ == "__main__":
    main()
