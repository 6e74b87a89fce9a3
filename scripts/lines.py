#!/usr/bin/env python3
"""lines.py - lines of src/ in 0.1.0 and today, by room, with what newer features take counted apart.

    scripts/lines.py [OLD]      the tables of docs/results/reading.md; OLD is e95be70, which is 0.1.0

A file belongs to a newer feature if it serves nothing else (FEATURES). Other files gained lines by newer features, too:
what the commits that brought a feature which 0.1.0 lacked (COMMITS) added to them, less what these commits removed
there. What became of these lines later is not followed. Commits that rename, move, rewrite, mend or speed up what
was there are not listed, and what they added counts with the same features.
"""
import collections, fnmatch, pathlib, subprocess, sys

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

# Commits that brought something that 0.1.0 could not do, and changed files that others use, too. No commit is here that
# renames, moves, rewrites, mends or speeds up what was there.
COMMITS = {
    "first screen, statistics and rows of reports": "610b5700 25504540 c15c5e36 f3f70745 4ad2f6e9 5a64ff2b",
    "models judged by all that their files state": "d02506ac 9324146a 166d5393 2773aaa1",
    "trees: splits of categories, pruning, hold-out; clusters: as many as asked for": "19b474f8 beb727c7 3c44adc4 8caf6ecf",
    "local recoding from clusters": "11cf214b",
    "item lists that an engine counts": "3f3bad1c 5fe70b59 61a8b126 4e44c9e2 f8cad5d9",
    "records that stand for several people": "2b966c23",
    "parameters by name, refused arguments, codes of errors": "707b0071 027a2de2 d36581c7 a572ea63 59e254d5",
    "schemas and hierarchies in memory, verdicts and the catalogue as JSON": "d92e0b01 2becd768 e6e4dc91",
    "code lists, packs, bands": "f22d83b7 27e6f7c8 a1b7521f a5f495d4 dceeef31 aeda66f5",
    "points to settle": "34d59e53 28a72698 00b36b02 1f762e36 446949ae",
    "roles that were chosen, suggestions": "9734d61e 5d1f4184 21d7074a 2a9c77d4",
    "sweeps over several parameters and methods": "84418f02 70533614",
    "short help, colour, completion, --no-clobber": "64eb6de6 6b6d6632 b0368a0e b0ce829b 667c2639",
    "all outputs of a call or none, access lists": "445693ac 7d122bd0 3cc69540 8b3259c1 ad07bd3c",
    "uniqueness with an interval": "26288c14 4a7f6296",
    "sampling, with certificates": "12e64d69 fe50084e e3d898e1 f7af280b 79febe0c 124d1fa0 fcc260bf",
    "tree records": "ceeeacff f2ae65b3 e993b24d 8ac487f8",
    "encodings, decimal commas, headers": "c275ddc5 a2ae1f1a 670c7284 8054da6d 9ff980eb c06904be",
    "t-closeness to the original": "9c9ed2d9 496ee761",
    "recoding of other tables": "78bacdef ee6addb2 6328e52f",
    "Arrow": "8f45a04d 647062a0 f815f253",
    "related tables": "1251093f 9fb1b02f a7920b04",
    "places and areas": "8d34b47c",
    "columns that are published compared with the original": "6ae0569e 7cedfc20",
    "wide tables, and files that only a check reads": "88f6b73f 67d7a183",
    "finer items for k-lm-diversity": "9a841926",
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


def shared():
    """{(room, newer feature): lines that its commits added to files that others use, less those that they removed}"""
    found = collections.Counter()
    for name, commits in COMMITS.items():
        for commit in commits.split():
            stat = subprocess.run(["git", "show", "--numstat", "-M", "--format=", commit, "--", "src"], cwd=TOP, check=True, capture_output=True)
            for added, removed, path in (line.split("\t") for line in stat.stdout.decode().splitlines()):
                path = path.removeprefix("src/")
                if path[-2:] in (".c", ".h") and "=>" not in path and not path.startswith("sample/") and not feature_of(path):
                    found[path.split("/")[0] if "/" in path else "catalog", name] += int(added) - int(removed)
    return found


def main():
    old, new = sources(sys.argv[1] if len(sys.argv) > 1 else "e95be70"), sources()
    extra = shared()
    room = lambda path: path.split("/")[0] if "/" in path else "catalog"
    total = lambda files, keep: sum(n for path, n in files.items() if keep(path))
    print("| room | 0.1.0 | today | files of newer features | their lines in other files | the same features |")
    print("|---|---:|---:|---:|---:|---:|")
    rows = sorted({room(p) for p in {**old, **new}} - {"sample"}) + ["all"]
    for name in rows:
        mine = lambda p: room(p) != "sample" and name in (room(p), "all")
        before, now = total(old, mine), total(new, mine)
        newer = total(new, lambda p: mine(p) and feature_of(p))
        among = sum(n for (where, _), n in extra.items() if name in (where, "all"))
        print("| %s | %s |" % (name, " | ".join("{:,}".format(n) for n in (before, now, newer, among, now - newer - among))))
    is_sample = lambda p: room(p) == "sample"
    print("| `sample` (apart) | {:,} | {:,} | | | |\n".format(total(old, is_sample), total(new, is_sample)))
    print("| newer feature | lines of its files | lines in other files |\n|---|---:|---:|")
    for name in dict.fromkeys([*FEATURES, *COMMITS]):
        files, lines = total(new, lambda p: feature_of(p) == name), sum(n for (_, what), n in extra.items() if what == name)
        print("| {} | {:,} | {:,} |".format(name, files, lines))


if __name__ == "__main__":
    main()
