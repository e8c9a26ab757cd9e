"""The public symbols of the libraries, as the compiler has them: what scripts/check-public-names compares and scripts/docs documents.

They are read from a debug build with the server: swift build --build-tests --traits TLS --scratch-path .build-serving
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Libraries whose file lists what they take over from other modules.
EXPORTS = ("StubDB", "StubDBHTTPTypes", "StubDBTesting")
# The build that has all of them.
SERVING = "--traits TLS --scratch-path .build-serving"
EXPORT = re.compile(r"^@_exported public import (?:struct|enum|class|protocol) (\w+)\.(\w+)$", re.M)


def exported(libraries=EXPORTS):
    """The names that libraries export, by module."""
    names = {}
    for library in libraries:
        text = (ROOT / f"Sources/{library}/Exports.swift").read_text(encoding="utf-8")
        found = EXPORT.findall(text)
        if text.count("@_exported") != len(found):
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {library} exports a whole module; list its names instead")
        for module, name in found:
            names.setdefault(module, set()).add(name)
    return names


def build_folder():
    """Where the modules of the debug build are."""
    flags = os.environ.get("STUBDB_OWN_FLAGS", SERVING).split()
    return pathlib.Path(subprocess.check_output(
        ["swift", "build"] + flags + ["--show-bin-path"], cwd=ROOT, text=True).strip())


def graphs(module, built, folder, *options):
    """The symbol graphs of a module, each with the module that declares the first part of its names."""
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
    maps = [ROOT / "CSQLite/module.modulemap", *(path for path in built.glob("*.build/module.modulemap") if not path.parent.stem.endswith("-tool")),
            *built.glob("../../checkouts/*/Sources/*/include/module.modulemap")]
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", built / "Modules",
         "-minimum-access-level", "public", "-output-dir", folder, *options]
        + [part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}")],
        check=True, stdout=subprocess.DEVNULL)
    for path in sorted(folder.glob(f"{module}.symbols.json")) + sorted(folder.glob(f"{module}@*.symbols.json")):
        yield path.name.removesuffix(".symbols.json").rpartition("@")[2], json.loads(path.read_text(encoding="utf-8"))
