"""The settings of a job, by their names.

Written by generate.py from the catalogue of the library: do not edit.
"""

from __future__ import annotations

#: What kind of value each has, by its name in a job.
KINDS: dict[str, str] = {
    "input": "path",
    "output": "path",
    "schema": "path",
    "id": "list",
    "qi": "list",
    "sensitive": "list",
    "keep": "list",
    "drop": "list",
    "drop_rest": "flag",
    "keep_rest": "flag",
    "accept_suggested": "flag",
    "allow_unique": "list",
    "items": "list",
    "numbers": "list",
    "sensitive_items": "list",
    "sensitive_prefix": "list",
    "sensitive_node": "texts",
    "bag": "map",
    "nulls": "list",
    "group_by": "list",
    "collect": "map",
    "join": "path_map",
    "join_on": "map",
    "join_items": "map",
    "items_together": "map",
    "classes": "list",
    "tree": "text",
    "item_separator": "text",
    "type": "map",
    "weight": "map",
    "item_weight": "map",
    "missing": "list",
    "decimal": "choice",
    "date_format": "text",
    "missing_rule": "choice",
    "format": "choice",
    "separator": "text",
    "encoding": "choice",
    "no_header": "flag",
    "quote": "choice",
    "trim": "flag",
    "spreadsheet_safe": "flag",
    "key": "text",
    "hierarchy": "path_map",
    "hierarchies": "path",
    "codes": "list",
    "uncovered": "choice",
    "guarantee": "list",
    "method": "choice",
    "suppression": "share",
    "item_suppression": "share",
    "suppressed": "choice",
    "shuffle": "flag",
    "recoding": "path",
    "map": "path",
    "areas": "path",
    "mapping": "path",
    "sweep": "texts",
    "threads": "count",
    "memory": "size",
    "seed": "count",
    "report": "paths",
    "title": "text",
    "note": "text",
    "date": "text",
    "original_rows": "count",
    "strict": "flag",
    "accept_point": "list",
    "point_limit": "map",
    "measures": "choice",
    "k": "count",
    "l": "number",
    "diversity": "choice",
    "c": "number",
    "t": "number",
    "distance": "choice",
    "reference": "choice",
    "m": "count",
    "recount": "choice",
    "n": "count",
    "sigma": "number",
    "exact_up_to": "count",
    "attacker": "choice",
    "certificate_delta": "number",
    "objective": "choice",
    "lowest": "list",
    "relaxed": "flag",
    "effort": "number",
    "subtree": "flag",
    "parts": "count",
    "d": "number",
    "paper": "flag",
    "class": "text",
    "delta": "number",
    "merge": "choice",
    "exact_utility": "flag",
    "g": "count",
    "cuts": "count",
    "climit": "count",
    "threshold": "number",
    "coordinates": "text",
    "edges": "text",
    "outline": "text",
    "error": "choice",
    "distances": "text",
    "names": "choice",
    "runs": "count",
    "samples": "choice",
    "curve": "flag",
}

#: The keyword of each, by its name on the command line.
KEYWORDS: dict[str, str] = {
    "input": "input",
    "output": "output",
    "schema": "schema",
    "id": "id",
    "qi": "qi",
    "sensitive": "sensitive",
    "keep": "keep",
    "drop": "drop",
    "drop-rest": "drop_rest",
    "keep-rest": "keep_rest",
    "accept-suggested": "accept_suggested",
    "allow-unique": "allow_unique",
    "items": "items",
    "numbers": "numbers",
    "sensitive-items": "sensitive_items",
    "sensitive-prefix": "sensitive_prefix",
    "sensitive-node": "sensitive_node",
    "bag": "bag",
    "nulls": "nulls",
    "group-by": "group_by",
    "collect": "collect",
    "join": "join",
    "join-on": "join_on",
    "join-items": "join_items",
    "items-together": "items_together",
    "classes": "classes",
    "tree": "tree",
    "item-separator": "item_separator",
    "type": "type",
    "weight": "weight",
    "item-weight": "item_weight",
    "missing": "missing",
    "decimal": "decimal",
    "date-format": "date_format",
    "missing-rule": "missing_rule",
    "format": "format",
    "separator": "separator",
    "encoding": "encoding",
    "no-header": "no_header",
    "quote": "quote",
    "trim": "trim",
    "spreadsheet-safe": "spreadsheet_safe",
    "key": "key",
    "hierarchy": "hierarchy",
    "hierarchies": "hierarchies",
    "codes": "codes",
    "uncovered": "uncovered",
    "guarantee": "guarantee",
    "method": "method",
    "suppression": "suppression",
    "item-suppression": "item_suppression",
    "suppressed": "suppressed",
    "shuffle": "shuffle",
    "recoding": "recoding",
    "map": "map",
    "areas": "areas",
    "mapping": "mapping",
    "sweep": "sweep",
    "threads": "threads",
    "memory": "memory",
    "seed": "seed",
    "report": "report",
    "title": "title",
    "note": "note",
    "date": "date",
    "original-rows": "original_rows",
    "strict": "strict",
    "accept-point": "accept_point",
    "point-limit": "point_limit",
    "measures": "measures",
    "k": "k",
    "l": "l",
    "diversity": "diversity",
    "c": "c",
    "t": "t",
    "distance": "distance",
    "reference": "reference",
    "m": "m",
    "recount": "recount",
    "n": "n",
    "sigma": "sigma",
    "exact-up-to": "exact_up_to",
    "attacker": "attacker",
    "certificate-delta": "certificate_delta",
    "objective": "objective",
    "lowest": "lowest",
    "relaxed": "relaxed",
    "effort": "effort",
    "subtree": "subtree",
    "parts": "parts",
    "d": "d",
    "paper": "paper",
    "class": "class_",
    "delta": "delta",
    "merge": "merge",
    "exact-utility": "exact_utility",
    "g": "g",
    "cuts": "cuts",
    "climit": "climit",
    "threshold": "threshold",
    "coordinates": "coordinates",
    "edges": "edges",
    "outline": "outline",
    "error": "error",
    "distances": "distances",
    "names": "names",
    "runs": "runs",
    "samples": "samples",
    "curve": "curve",
}

#: Those that are true or false.
FLAGS: frozenset[str] = frozenset(
    {
        "drop-rest",
        "keep-rest",
        "accept-suggested",
        "no-header",
        "trim",
        "spreadsheet-safe",
        "shuffle",
        "strict",
        "relaxed",
        "subtree",
        "paper",
        "exact-utility",
        "curve",
    }
)

#: The choices of those that have some.
CHOICES: dict[str, frozenset[str]] = {
    "type": frozenset(
        {
            "category",
            "integer",
            "decimal",
            "date",
            "set",
            "bag",
            "numbers",
        }
    ),
    "decimal": frozenset(
        {
            "auto",
            ",",
            ".",
        }
    ),
    "missing-rule": frozenset(
        {
            "own",
            "any",
        }
    ),
    "format": frozenset(
        {
            "auto",
            "csv",
            "dat",
            "long",
            "jsonl",
            "trees",
            "json",
            "xml",
        }
    ),
    "encoding": frozenset(
        {
            "auto",
            "utf8",
            "latin1",
            "utf16",
        }
    ),
    "quote": frozenset(
        {
            "double",
            "none",
        }
    ),
    "uncovered": frozenset(
        {
            "error",
            "suppress",
            "root",
        }
    ),
    "guarantee": frozenset(
        {
            "k-anonymity",
            "l-diversity",
            "t-closeness",
            "km-anonymity",
            "k-km-anonymity",
            "k-lm-diversity",
            "kmn-anonymity",
            "sigma-km-anonymity",
        }
    ),
    "method": frozenset(
        {
            "flash",
            "mondrian",
            "local",
            "apriori",
            "lra",
            "vpa",
            "acd",
            "cluster",
            "tds",
            "id3",
            "rum-bound",
            "tum-bound",
            "rfirst",
            "tfirst",
            "gcs",
            "ecs",
            "ocs",
            "acs",
            "miracle",
            "sampling",
        }
    ),
    "suppressed": frozenset(
        {
            "removed",
            "starred",
        }
    ),
    "measures": frozenset(
        {
            "auto",
            "all",
            "basic",
        }
    ),
    "diversity": frozenset(
        {
            "distinct",
            "entropy",
            "recursive",
        }
    ),
    "distance": frozenset(
        {
            "equal",
            "ordered",
            "hierarchical",
        }
    ),
    "reference": frozenset(
        {
            "published",
            "original",
        }
    ),
    "recount": frozenset(
        {
            "budget",
            "full",
        }
    ),
    "attacker": frozenset(
        {
            "uniform,person",
            "uniform",
            "person",
        }
    ),
    "objective": frozenset(
        {
            "loss",
            "ncp",
            "precision",
            "discernibility",
            "average_class_size",
            "classification",
        }
    ),
    "merge": frozenset(
        {
            "rt",
            "r",
            "t",
        }
    ),
    "error": frozenset(
        {
            "auto",
            "distance",
            "ncp",
            "matrix",
        }
    ),
    "names": frozenset(
        {
            "sets",
            "areas",
        }
    ),
    "samples": frozenset(
        {
            "zero-failure",
            "hoeffding",
        }
    ),
}
