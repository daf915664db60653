"""Bring the site's fonts, formula typesetter and editor from pinned npm packages, and check them.

    python tools/vendor.py              check every vendored file against the lock
    python tools/vendor.py --refresh    fetch the packages again (needs npm) and write the lock

The files are committed, because a machine that has only pip and Python must be able to build a
site that asks nobody for anything: they weigh two megabytes, change once a year, and a wheel of our
own would be one more thing to publish. The editor, CodeMirror, has many packages, which esbuild
puts into one file; `site/python/codemirror/` holds what goes into it, and npm's own lock.
"""

import argparse
import fnmatch
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

SITE = Path(__file__).resolve().parent.parent / "site"
VENDOR = SITE / "_static" / "vendor"
EDITOR = SITE / "python" / "codemirror"  # bundle.js, package.json, package-lock.json
LOCK = VENDOR / "lock.json"
LIMIT = 3_000_000  # bytes, all files together

EXTENSIONS = """action ams amscd bbox boldsymbol braket cancel cases centernot color enclose
extpfeil gensymb html mathtools newcommand noundefined textcomp textmacros unicode upgreek
verb""".split()  # what a formula may ask for by name

PACKAGES = [  # package, version, licence, folder here, folder there, patterns
    (
        "mathjax",
        "3.2.2",
        "Apache-2.0",
        "mathjax",
        "es5/",
        [
            "startup.js",
            "core.js",
            "input/tex-base.js",
            *(f"input/tex/extensions/{name}.js" for name in EXTENSIONS),
            "output/chtml.js",
            "output/chtml/fonts/tex.js",
            "output/chtml/fonts/woff-v2/*.woff",
            "a11y/assistive-mml.js",
        ],
    ),
    *(
        (f"@fontsource-variable/{name}", version, "OFL-1.1", name, "files/", patterns)
        for name, version, patterns in [
            (
                "source-serif-4",
                "5.3.1",
                [f"*-{script}-wght-*.woff2" for script in ("4-latin", "latin-ext", "4-greek")],
            ),
            (
                "source-sans-3",
                "5.3.0",
                [f"*-{script}-wght-normal.woff2" for script in ("3-latin", "latin-ext", "3-greek")],
            ),
            (
                "source-code-pro",
                "5.3.0",
                [f"*-{s}-wght-normal.woff2" for s in ("pro-latin", "latin-ext", "pro-greek")],
            ),
        ]
    ),
]


def sha256(path: Path) -> str:
    """The fingerprint of a file.

    >>> sha256(Path(__file__)) == sha256(Path(__file__))
    True
    """
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run_npm(folder: Path, *command: str) -> str:
    """What npm prints, with the reader's own settings."""
    if not (npm := shutil.which("npm")):
        sys.exit(
            "npm is missing. Only --refresh needs it: install Node.js, or leave the files alone."
        )
    got = subprocess.run([npm, *command], cwd=folder, capture_output=True, text=True)
    if got.returncode:
        sys.exit(f"npm {' '.join(command)} failed: {got.stderr.strip()[-300:]}")
    return got.stdout


def unpacked(package: str, version: str, into: Path) -> Path:
    """The folder of one npm package, fetched with the reader's own npm settings."""
    name = f"{package}@{version}"
    got = run_npm(into, "pack", "--silent", name)
    target = into / name.replace("/", "-")
    with tarfile.open(into / got.split()[-1]) as archive:
        archive.extractall(target, filter="data")
    return target / "package"


def editor_version() -> str:
    """A digest of all that decides what is in the editor's one file."""
    return hashlib.sha256(
        b"".join(path.read_bytes() for path in sorted(EDITOR.iterdir()))
    ).hexdigest()[:12]


def bundle_editor(scratch: Path, new: Path) -> dict:
    """Bundle CodeMirror into one file beside its licences, and return its row of the lock."""
    work, target = scratch / "editor", new / "codemirror"
    shutil.copytree(EDITOR, work)
    target.mkdir(parents=True)
    run_npm(work, "ci", "--ignore-scripts", "--no-audit")
    code = target / "codemirror.js"
    options = ("--bundle", "--minify", "--format=esm", "--legal-comments=none")
    run_npm(work, "exec", "--", "esbuild", "bundle.js", *options, f"--outfile={code}")
    runtime = run_npm(work, "ls", "--omit=dev", "--all", "--parseable").splitlines()[1:]
    texts = {(Path(folder) / "LICENSE").read_text("utf-8") for folder in sorted(runtime)}
    (target / "LICENSE").write_text("\n\n".join(sorted(texts)), encoding="utf-8")
    names = [f"codemirror/{path.name}" for path in sorted(target.iterdir())]
    row = {"package": "codemirror", "version": editor_version(), "licence": "MIT"}
    return row | {"files": {name: sha256(new / name) for name in names}}


def refresh() -> None:
    """Fetch every package, keep only what a page can ask for, and write the lock last."""
    with tempfile.TemporaryDirectory() as scratch:
        new, lock = Path(scratch) / "vendor", []
        for package, version, licence, here, there, patterns in PACKAGES:
            source = unpacked(package, version, Path(scratch))
            names = [
                str(p.relative_to(source / there))
                for p in (source / there).rglob("*")
                if p.is_file()
            ]
            for pattern in patterns:
                if not fnmatch.filter(names, pattern):
                    sys.exit(
                        f"{package} {version} holds no {there}{pattern}: correct PACKAGES here."
                    )
            wanted = sorted(n for n in names if any(fnmatch.fnmatch(n, p) for p in patterns))
            for name in wanted:
                (new / here / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source / there / name, new / here / name)
            shutil.copy(source / "LICENSE", new / here / "LICENSE")
            files = {f"{here}/{name}": sha256(new / here / name) for name in [*wanted, "LICENSE"]}
            lock.append(
                {"package": package, "version": version, "licence": licence, "files": files}
            )
        lock.append(bundle_editor(Path(scratch), new))
        (new / "lock.json").write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8")
        shutil.rmtree(VENDOR, ignore_errors=True)
        shutil.copytree(new, VENDOR)


def complaints(folder: Path = VENDOR) -> list[str]:
    """What is missing, changed, unlisted or too heavy: nothing, for a sound folder.

    >>> complaints()
    []
    """
    listed = {
        n: h
        for p in json.loads((folder / "lock.json").read_text("utf-8"))
        for n, h in p["files"].items()
    }
    present = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    present.pop("lock.json")
    found = [f"{name} is missing" for name in sorted(listed.keys() - present.keys())]
    found += [f"{name} is not in the lock" for name in sorted(present.keys() - listed.keys())]
    found += [
        f"{name} is not the locked file"
        for name in sorted(listed.keys() & present.keys())
        if sha256(present[name]) != listed[name]
    ]
    weight = sum(path.stat().st_size for path in present.values())
    return found + ([f"{weight:,} bytes are more than {LIMIT:,}"] if weight > LIMIT else [])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--refresh", action="store_true", help="fetch the packages again; needs npm"
    )
    if parser.parse_args(arguments).refresh:
        refresh()
    if found := complaints():
        sys.exit(
            "\n".join(
                [*found, "Run `python tools/vendor.py --refresh`, or restore site/_static/vendor."]
            )
        )
    count = sum(path.is_file() for path in VENDOR.rglob("*")) - 1
    print(f"{count} vendored files are what the lock says.")


if __name__ == "__main__":
    main()
