"""Every picture that a document shows exists, is made by the script, and is small."""

from __future__ import annotations

import importlib.util
import re
import struct
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
SHOWN = [(document, alt, target) for document in DOCUMENTS for alt, target in PICTURE.findall(document.read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("documentation_pictures", ROOT / "scripts" / "documentation_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)

    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_documents_show_pictures() -> None:
    assert len(SHOWN) >= 7


@pytest.mark.parametrize(("document", "alt", "target"), SHOWN, ids=[f"{d.name}-{Path(t).stem}" for d, _, t in SHOWN])
def test_a_picture_that_a_document_shows_exists_and_is_described(document: Path, alt: str, target: str) -> None:
    content = (document.parent / target).read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert 300 < height <= 1600
    assert width >= 1000
    assert len(alt.split()) >= 4


def test_the_script_makes_every_picture_and_nothing_else_lies_there(script: ModuleType) -> None:
    files = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert files == {f"{name}.png" for name in script.PICTURES}
    assert all((ROOT / "docs" / "pictures" / name).stat().st_size <= script.MOST_BYTES for name in files)


def test_the_documents_name_the_commands_behind_their_pictures(script: ModuleType) -> None:
    """The README says how its own picture is made elsewhere."""
    text = " ".join(document.read_text(encoding="utf-8") for document in (ROOT / "docs").glob("*.md"))
    for name, shown in script.PICTURES.items():
        if name != "report":
            assert f"simulate {shown.arguments} " in text, name
