#!/usr/bin/env python3
"""Prints the packages that the program is built from, and the texts of their licences.

    packaging/licences.py [--target TARGET] [--features LIST]

Packages that only tests and build scripts use are left out. Equal texts are printed once.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
LICENCE = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)", re.IGNORECASE)


def metadata(target, features):
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--features", features]
    command += ["--filter-platform", target] if target else []
    return json.loads(subprocess.run(command, cwd=TOP, check=True, stdout=subprocess.PIPE).stdout)


def linked(known):
    """The identifiers of the packages that are linked, from the program's package on."""
    nodes = {node["id"]: node for node in known["resolve"]["nodes"]}
    found, waiting = set(), [known["resolve"]["root"]]
    while waiting:
        package = waiting.pop()
        if package in found:
            continue
        found.add(package)
        normal = (dep for dep in nodes[package]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"]))
        waiting += [dep["pkg"] for dep in normal]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target")
    parser.add_argument("--features", default="")
    args = parser.parse_args()
    known = metadata(args.target, args.features)
    ids = linked(known)
    packages = [package for package in known["packages"] if package["id"] in ids and package["source"]]
    packages.sort(key=lambda package: (package["name"], package["version"]))
    texts, missing = {}, []
    print("mancalab is built from these packages. The texts of their licences follow.\n")
    for package in packages:
        licence = package["license"] or f"see {package['license_file']}"
        print(f"{package['name']} {package['version']}: {licence}; {package['repository'] or 'no repository'}")
        folder = pathlib.Path(package["manifest_path"]).parent
        files = sorted(path for path in folder.iterdir() if path.is_file() and LICENCE.match(path.name))
        if not files:
            missing.append(package["name"])
        for path in files:
            text = path.read_text(encoding="utf-8", errors="replace").strip()
            texts.setdefault(text, []).append(f"{package['name']} {package['version']}, {path.name}")
    if missing:
        print(f"\nWithout a text in their package: {', '.join(missing)}. Their licences are named above.")
    for text, owners in texts.items():
        print(f"\n{'=' * 80}\n{'; '.join(owners)}\n{'=' * 80}\n\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
