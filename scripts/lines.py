#!/usr/bin/env python3
"""lines.py - lines of src/ in 0.1.0 and today, by room, with what newer features take counted apart.

    scripts/lines.py [OLD]      the table of docs/results/reading.md; OLD is e95be70, which is 0.1.0

A file belongs to a newer feature if it serves nothing else (FEATURES). What a newer feature added to a
file that others use is counted with the room, so "the same features" is an upper bound.
"""
import fnmatch, pathlib, subprocess, sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FEATURES = {
    "sampling, with certificates": "methods/sampling/* count/set_* count/sample_size* count/dense_rare* guarantees/sigma_* "
    "guarantees/certificate* guarantees/recount/certificate* cli/certificates.c",
    "places and areas": "geo/* report/areas.c report/html/areas.c",
    "tree records": "methods/trees/* count/tree_* count/synopsis* count/relation_index* count/record_set* count/path_trie* data/tree* "
    "data/schema_trees.c hierarchy/tree_domain* hierarchy/class_index.c guarantees/kmn_* guarantees/recount/kmn* "
    "io/format/trees* io/format/xml_* io/format/document* io/format/json_read.c io/format/json_write.c "
    "io/format/json_document.h utility/trees/* report/tree* report/html/svg_trees.c report/html/tree_changes.c "
    "job/job_trees.c release/release_trees.c",
    "related tables": "relations/* cli/convert_tables*",
    "Arrow": "io/format/arrow* publish/publish_arrow.c data/builder_bulk.c data/counts.c",
    "guarantees from partial counts": "guarantees/partial/*",
    "points to settle": "points/* job/job_points.c job/job_sample.c data/value_sample* report/html/points.c cli/points.c",
    "what columns hold, kanon init": "utility/profile/detectors* utility/profile/national_ids.c utility/profile/forms.c "
    "utility/profile/header* utility/profile/person* utility/profile/open_columns* utility/profile/determined.c "
    "job/plan* cli/cmd_init.c cli/open.c",
    "encodings, decimal commas, headers": "io/bytes/decode* data/value_form* data/comma_numbers.c data/header.c io/format/formula*",
    "code lists, packs, bands": "hierarchy/packs/* hierarchy/build/bands* hierarchy/build/code_list* hierarchy/build/codes.c job/job_codes.c",
    "recoding of other tables": "release/value_recoding*",
}


def sources(commit=None):
    """{path below src/: lines}"""
    if commit is None:
        return {str(p.relative_to(TOP / "src")): p.read_bytes().count(b"\n") for p in (TOP / "src").rglob("*.[ch]")}
    git = lambda *words: subprocess.run(["git", *words], cwd=TOP, check=True, capture_output=True).stdout
    names = [n for n in git("ls-tree", "-r", "--name-only", commit, "src").decode().split() if n[-2:] in (".c", ".h")]
    return {n[4:]: git("show", commit + ":" + n).count(b"\n") for n in names}


def feature_of(path):
    for name, patterns in FEATURES.items():
        if any(fnmatch.fnmatch(path, p) for p in patterns.split()):
            return name
    return None


def main():
    old, new = sources(sys.argv[1] if len(sys.argv) > 1 else "e95be70"), sources()
    room = lambda path: path.split("/")[0] if "/" in path else "catalog"
    total = lambda files, keep: sum(n for path, n in files.items() if keep(path))
    print("| room | 0.1.0 | today | of which newer features | the same features |\n|---|---:|---:|---:|---:|")
    rows = sorted({room(p) for p in {**old, **new}} - {"sample"}) + ["all"]
    for name in rows:
        mine = lambda p: room(p) != "sample" and name in (room(p), "all")
        before, now = total(old, mine), total(new, mine)
        newer = total(new, lambda p: mine(p) and feature_of(p))
        print("| %s | %s |" % (name, " | ".join("{:,}".format(n) for n in (before, now, newer, now - newer))))
    is_sample = lambda p: room(p) == "sample"
    print("| `sample` (apart) | {:,} | {:,} | | |\n".format(total(old, is_sample), total(new, is_sample)))
    print("| newer feature | lines |\n|---|---:|")
    for name in FEATURES:
        print("| %s | %s |" % (name, "{:,}".format(total(new, lambda p: feature_of(p) == name))))


if __name__ == "__main__":
    main()
