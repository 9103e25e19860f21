"""htmx arrives whole and as pinned, or not at all. pip is given a folder to look in, so nothing leaves this machine."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from app import assets_fetch
from app.assets_fetch import Asset, AssetError

ROOT = Path(__file__).resolve().parent.parent

CONTENT = b"/* a file of a package */\n"


@pytest.fixture
def make_wheel(tmp_path, monkeypatch):
    """Writes a wheel where pip will find it, and returns what pins it; the target's folder does not exist."""
    index = tmp_path / "index"
    index.mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", index.as_uri())
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")

    def make(content: bytes = CONTENT, member: str = "carrier/a.js", wheel_sha256: str | None = None) -> Asset:
        wheel = index / "carrier-1.0-py3-none-any.whl"
        about = "carrier-1.0.dist-info"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(member, content)
            archive.writestr(
                f"{about}/METADATA", "Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\nRequires-Dist: absent\n"
            )
            archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{about}/RECORD", "")
        return Asset(
            label="a.js",
            package="carrier",
            version="1.0",
            wheel_sha256=wheel_sha256 or hashlib.sha256(wheel.read_bytes()).hexdigest(),
            member="carrier/a.js",
            sha256=hashlib.sha256(CONTENT).hexdigest(),
            target=tmp_path / "static" / "vendor" / "a.js",
        )

    return make


def test_an_asset_is_taken_out_of_the_wheel_that_pip_fetches(make_wheel):
    asset = make_wheel()
    assert assets_fetch.fetch(asset) is True
    assert asset.target.read_bytes() == CONTENT
    assert [path.name for path in asset.target.parent.iterdir()] == ["a.js"]


def test_an_asset_in_place_needs_neither_pip_nor_network(make_wheel, monkeypatch):
    asset = make_wheel()
    asset.target.parent.mkdir(parents=True)
    asset.target.write_bytes(CONTENT)
    monkeypatch.setattr(assets_fetch.subprocess, "run", lambda *_, **__: pytest.fail("pip was started"))
    assert assets_fetch.fetch(asset) is False


def test_a_damaged_asset_is_replaced(make_wheel):
    asset = make_wheel()
    asset.target.parent.mkdir(parents=True)
    asset.target.write_bytes(CONTENT[:-3])
    assert assets_fetch.fetch(asset) is True
    assert asset.target.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("wheel", "says"),
    [
        ({"content": b"other"}, "not the pinned"),
        ({"member": "carrier/b.js"}, "there is no carrier/a.js"),
        ({"wheel_sha256": "0" * 64}, "pip could not fetch it"),
    ],
)
def test_a_wrong_wheel_is_refused_with_where_what_and_remedy(make_wheel, wheel, says):
    asset = make_wheel(**wheel)
    with pytest.raises(AssetError) as refused:
        assets_fetch.fetch(asset)
    assert says in str(refused.value)
    assert f"put the file there by hand: {asset.target}" in str(refused.value)
    assert asset.sha256 in str(refused.value)
    assert not asset.target.exists()


def test_without_a_package_index_the_way_by_hand_is_told(make_wheel, monkeypatch, tmp_path):
    asset = make_wheel()
    monkeypatch.setenv("PIP_FIND_LINKS", (tmp_path / "nowhere").as_uri())
    with pytest.raises(AssetError, match=r"carrier 1\.0 \(for a\.js\): pip could not fetch it"):
        assets_fetch.fetch(asset)


def test_a_file_that_is_no_wheel_is_refused(make_wheel, tmp_path):
    (tmp_path / "x.whl").write_bytes(b"no archive")
    with pytest.raises(AssetError, match=r"x\.whl: there is no carrier/a\.js"):
        assets_fetch.read_from_wheel(make_wheel(), tmp_path / "x.whl")


def test_a_target_that_cannot_be_written_is_said_and_leaves_nothing(make_wheel, tmp_path):
    (tmp_path / "static").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(AssetError, match="cannot be written"):
        assets_fetch.write_atomically(make_wheel().target, CONTENT)


def test_the_command_ends_with_one_and_the_reason(make_wheel, monkeypatch, capsys):
    monkeypatch.setattr(assets_fetch, "HTMX", make_wheel(content=b"other"))
    assert assets_fetch.main() == 1
    assert "not the pinned" in capsys.readouterr().err


def test_the_htmx_that_pages_get_is_the_pinned_one():
    assert assets_fetch.HTMX.target == ROOT / "static" / "vendor" / "htmx.min.js"
    assert assets_fetch.is_in_place(assets_fetch.HTMX), "run: python -m app.assets_fetch"
    assert b'version:"2.0.10"' in assets_fetch.HTMX.target.read_bytes()
