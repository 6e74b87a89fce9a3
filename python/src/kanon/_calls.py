"""The functions of the package, with every keyword that the library has.

Written by generate.py from the catalogue of the library: do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from . import _api
from ._api import Release, Sweep, Verdict
from ._plan import Plan
from ._types import ArrowTable, Columns, HierarchySource, ProgressFunction, StrPath


def anonymize(
    data: ArrowTable,
    *,
    qi: Columns | None = None,
    sensitive: Columns | None = None,
    id: Columns | None = None,
    keep: Columns | None = None,
    drop: Columns | None = None,
    rest: Literal["drop", "keep", "suggested"] | None = None,
    hierarchies: Mapping[str, HierarchySource] | StrPath | None = None,
    guarantee: Columns | None = None,
    schema: StrPath | None = None,
    allow_unique: Columns | None = None,
    items: Columns | None = None,
    numbers: Columns | None = None,
    sensitive_items: Columns | None = None,
    sensitive_prefix: Columns | None = None,
    sensitive_node: Columns | None = None,
    bag: Mapping[str, Any] | None = None,
    nulls: Columns | None = None,
    group_by: Columns | None = None,
    collect: Mapping[str, Any] | None = None,
    join: Mapping[str, StrPath] | None = None,
    join_on: Mapping[str, Any] | None = None,
    join_items: Mapping[str, Any] | None = None,
    items_together: Mapping[str, Any] | None = None,
    item_separator: str | None = None,
    type: Mapping[str, Any] | None = None,
    weight: Mapping[str, Any] | None = None,
    item_weight: Mapping[str, Any] | None = None,
    missing: Columns | None = None,
    decimal: Literal["auto", ",", "."] | None = None,
    date_format: str | None = None,
    missing_rule: Literal["own", "any"] | None = None,
    codes: Columns | None = None,
    uncovered: Literal["error", "suppress", "root"] | None = None,
    method: str | None = None,
    suppression: float | str | None = None,
    item_suppression: float | str | None = None,
    suppressed: Literal["removed", "starred"] | None = None,
    shuffle: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    seed: int | None = None,
    title: str | None = None,
    note: str | None = None,
    date: str | None = None,
    original_rows: int | None = None,
    strict: bool | None = None,
    accept_point: Columns | None = None,
    point_limit: Mapping[str, Any] | None = None,
    measures: Literal["auto", "all", "basic"] | None = None,
    k: int | Sequence[int] | None = None,
    l: float | None = None,
    diversity: Literal["distinct", "entropy", "recursive"] | None = None,
    c: float | None = None,
    t: float | None = None,
    distance: Literal["equal", "ordered", "hierarchical"] | None = None,
    reference: Literal["published", "original"] | None = None,
    m: int | None = None,
    recount: Literal["budget", "full"] | None = None,
    n: int | None = None,
    sigma: float | Sequence[float] | None = None,
    exact_up_to: int | None = None,
    attacker: Literal["uniform,person", "uniform", "person"] | None = None,
    certificate_delta: float | None = None,
    objective: Literal["loss", "ncp", "precision", "discernibility", "average_class_size", "classification"] | None = None,
    lowest: Columns | None = None,
    relaxed: bool | None = None,
    effort: float | None = None,
    subtree: bool | None = None,
    parts: int | None = None,
    d: float | None = None,
    paper: bool | None = None,
    class_: str | None = None,
    delta: float | None = None,
    merge: Literal["rt", "r", "t"] | None = None,
    exact_utility: bool | None = None,
    g: int | None = None,
    cuts: int | None = None,
    climit: int | None = None,
    threshold: float | None = None,
    coordinates: StrPath | None = None,
    edges: StrPath | None = None,
    outline: StrPath | None = None,
    error: Literal["auto", "distance", "ncp", "matrix"] | None = None,
    distances: StrPath | None = None,
    names: Literal["sets", "areas"] | None = None,
    runs: int | None = None,
    samples: Literal["zero-failure", "hoeffding"] | None = None,
    curve: bool | None = None,
    progress: bool | ProgressFunction | None = None,
) -> Release:
    """Make a release of `data` that satisfies the guarantees, and check it before it is handed out.

    `data` is any table that gives itself as an Arrow stream: a pandas or polars data frame, a pyarrow table,
    a DuckDB relation. Every column needs a role; `rest` decides for those that are given none. The result has
    the release as the same kind of table (``.data``), the report (``.report``), and what is to settle
    (``.points``).

    Raises kanon.Error: nothing is handed out that does not satisfy the guarantees.

    Args:
        data: a table.
        qi: quasi-identifiers: what an attacker may know about a person; generalised.
        sensitive: what an attacker must not learn; published as it is.
        id: identifiers, such as names: never published, never shown.
        keep: published as they are.
        drop: not published.
        rest: what becomes of the columns without a role: drop them, keep them as they are, or take what
            is suggested.
        hierarchies: by column, a file, a mapping from values to groups, rows, or a frame of levels; or a
            folder of files.
        guarantee: what must hold (see kanon list guarantees); with k alone, k-anonymity.
        schema: roles, types, hierarchies, missing values, as JSON.
        allow_unique: kept columns that may be published although they look like identifiers, or most
            records hold a value that fewer than k share.
        items: columns whose cells hold sets of items.
        numbers: columns whose cells hold several numbers.
        sensitive_items: items that an attacker must not learn, while he may know the others; kept as they
            are.
        sensitive_prefix: the same of all items that begin so, such as the codes of a chapter.
        sensitive_node: the same of all items below a node of their hierarchy; may be given several times.
        bag: read several columns as one: for each record the bag of their values.
        nulls: bag, collect, join: texts that cells hold instead of nothing, such as 0.
        group_by: rows that are equal in these become one record, with the first value of each column.
        collect: group_by: the set of the values that the columns hold in all rows of a record.
        join: add an item column: what the rows of another file hold for each record.
        join_on: join: the column that is the key here, and what it is called there if otherwise.
        join_items: join: the columns of the other file whose values are the items.
        items_together: make one item column of several; items are called COLUMN:ITEM.
        item_separator: what separates the items inside a cell; the default is |; in .dat files one
            character instead of spaces.
        type: the type of a column, instead of the detected one.
        weight: how much a column counts in the loss; the default is 1.
        item_weight: how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the
            default is 1.
        missing: texts that mean a missing value, instead of the empty one; write '' for that.
        decimal: what stands before decimals in the table; numbers with a comma are read, and published,
            with a point.
        date_format: how dates are written where their values do not show it: DD/MM/YYYY or MM/DD/YYYY.
        missing_rule: a missing value equals only itself (own), or may be anyone's (any).
        codes: what a hierarchy lacks goes with its code: 250.83 with 250, 8 with 008.
        uncovered: values that a hierarchy lacks: refuse, suppress their records, or publish the root.
        method: how to reach it (see kanon list methods); the default is local.
        suppression: the largest share of records that may be suppressed: 0.05 or 5%; default 0.
        item_suppression: apriori, acd: the largest share of items that may be left out everywhere;
            default 0.
        suppressed: leave suppressed records out, or keep them with * instead.
        shuffle: mix the records: the order of a list can give people away.
        threads: how many threads work; the default is one a core; no result depends on it.
        memory: stop rather than use more: 512M, 4G; the default is nine tenths of the machine's.
        seed: start of the random numbers; the default is 0.
        title: the title of the report.
        note: a remark that the report shows on its first screen.
        date: a date that the report shows, YYYY-MM-DD or the word today; without it there is none, and
            the same call gives the same bytes.
        original_rows: show so many original records beside the published ones in the report, quasi-
            identifiers only, which makes it confidential.
        strict: hand nothing out while there are points to settle.
        accept_point: points that you have decided to accept, by name: rare-values:income, small-k.
        point_limit: from where on there is a point: unique-records=5%, rare-values=1%, certainty=90%,
            small-k=3 unless given.
        measures: query_error and mining_loss in the report: for item lists of up to 200,000 items (auto),
            always, or never.
        k: k-anonymity, km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity:
            by what others may know, every record looks like at least k-1 others.
        l: l-diversity, k-lm-diversity, kmn-anonymity: how diverse the sensitive values of every class are
            at least.
        diversity: l-diversity: how diversity is counted: different values, entropy of at least log l, or
            recursive (c,l).
        c: l-diversity: recursive (c,l)-diversity: the commonest value is rarer than c times the tail from
            the l-th on.
        t: t-closeness: how far the sensitive values of a class may be distributed from those of the whole
            table.
        distance: t-closeness: the distance between sensitive values: all alike, by order (numbers and
            dates), or by hierarchy.
        reference: t-closeness: the whole table that classes are compared with: the one that is published,
            without removed records, or the original.
        m: km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity: guarantees of
            items: how many items of a person an attacker may know; up to 16.
        recount: km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity:
            guarantees of items: how much the check counts a second time: what a moment allows, or all.
        n: kmn-anonymity: how many relations between these values an attacker may know.
        sigma: sigma-km-anonymity: the share of the itemsets that must be safe, above 0.5; with commas one
            for each number of items, the last for all larger ones: 1,1,1,1,0.99.
        exact_up_to: sigma-km-anonymity: count all itemsets of up to so many items, sample larger ones.
        attacker: sigma-km-anonymity: who knows items: any itemset that occurs with equal chance, or
            random items of a random person; certified for both unless told otherwise.
        certificate_delta: sigma-km-anonymity: how probable it may be that samples mislead; a twentieth of
            1 - sigma unless given.
        objective: flash: the measure that flash makes as good as it can be.
        lowest: flash: levels of the hierarchies below which columns are not published, such as age=2
            (level 0 is the value itself).
        relaxed: mondrian: records with equal values may fall on both sides of a cut.
        effort: local: how long to refine; 2 takes about twice as long as 1.
        subtree: apriori, vpa: whole groups only, as in the paper: no item below a published group keeps
            its name.
        parts: lra: how many parts the records are also cut into, vpa: the items.
        d: acd: acd paper: how much a repair may add to the loss before others are looked for.
        paper: acd, cluster, sampling: the algorithm as it was published, to compare with; rum-bound, tum-
            bound, rfirst: start from its clusters; rum-bound: spend the whole bound.
        class_: id3, tds: the column whose classes are to stay apart, sensitive or kept; the default is
            the first sensitive one.
        delta: rum-bound, tum-bound: the most that may be lost: rum-bound in the quasi-identifiers
            (relational_ncp), tum-bound in the items (ul).
        merge: rum-bound, tum-bound: merge clusters that are near in their values and items (rt), in their
            values (r) or in their items (t).
        exact_utility: rum-bound, tum-bound: generalise the items of every two clusters on trial, instead
            of comparing records; slow.
        g: gcs, ocs, ecs: how many of the cheapest children of a cut are looked into further.
        cuts: acs, gcs, ocs, ecs: evaluate no more than so many cuts; 0: as many as there are.
        climit: miracle: so many records are compared with a cluster to find the nearest.
        threshold: miracle: a cluster of k records takes more while they are nearer than this.
        coordinates: sampling: where the items are, a CSV file item,lat,lon; those whose Voronoi cells
            touch may be merged.
        edges: sampling: which items touch, a CSV file item,neighbour, instead of Voronoi cells.
        outline: sampling: a GeoJSON polygon that cells are clipped to; the default is the convex hull.
        error: sampling: the error to keep small: metres to the centre of the region, the share of items
            in it, or distances; auto: what the files given allow.
        distances: sampling: a CSV matrix of distances between items, with a column item.
        names: sampling: publish a region as the set of its items, or as area-1, area-2, ..., of which
            release.recoding says what is in each.
        runs: sampling: independent runs, of which the one with the least error is kept.
        samples: sampling: how many samples the search needs; hoeffding: as printed in the paper.
        curve: sampling: the report also says what every smaller m would have cost, each certified.
        progress: called with a phase and the share that is done; True: a bar of tqdm, where that is
            installed.
    """
    options = {
        "qi": qi,
        "sensitive": sensitive,
        "id": id,
        "keep": keep,
        "drop": drop,
        "guarantee": guarantee,
        "schema": schema,
        "allow_unique": allow_unique,
        "items": items,
        "numbers": numbers,
        "sensitive_items": sensitive_items,
        "sensitive_prefix": sensitive_prefix,
        "sensitive_node": sensitive_node,
        "bag": bag,
        "nulls": nulls,
        "group_by": group_by,
        "collect": collect,
        "join": join,
        "join_on": join_on,
        "join_items": join_items,
        "items_together": items_together,
        "item_separator": item_separator,
        "type": type,
        "weight": weight,
        "item_weight": item_weight,
        "missing": missing,
        "decimal": decimal,
        "date_format": date_format,
        "missing_rule": missing_rule,
        "codes": codes,
        "uncovered": uncovered,
        "method": method,
        "suppression": suppression,
        "item_suppression": item_suppression,
        "suppressed": suppressed,
        "shuffle": shuffle,
        "threads": threads,
        "memory": memory,
        "seed": seed,
        "title": title,
        "note": note,
        "date": date,
        "original_rows": original_rows,
        "strict": strict,
        "accept_point": accept_point,
        "point_limit": point_limit,
        "measures": measures,
        "k": k,
        "l": l,
        "diversity": diversity,
        "c": c,
        "t": t,
        "distance": distance,
        "reference": reference,
        "m": m,
        "recount": recount,
        "n": n,
        "sigma": sigma,
        "exact_up_to": exact_up_to,
        "attacker": attacker,
        "certificate_delta": certificate_delta,
        "objective": objective,
        "lowest": lowest,
        "relaxed": relaxed,
        "effort": effort,
        "subtree": subtree,
        "parts": parts,
        "d": d,
        "paper": paper,
        "class_": class_,
        "delta": delta,
        "merge": merge,
        "exact_utility": exact_utility,
        "g": g,
        "cuts": cuts,
        "climit": climit,
        "threshold": threshold,
        "coordinates": coordinates,
        "edges": edges,
        "outline": outline,
        "error": error,
        "distances": distances,
        "names": names,
        "runs": runs,
        "samples": samples,
        "curve": curve,
        "rest": rest,
    }
    return _api.anonymize(data, hierarchies, progress, options)


def check(
    data: ArrowTable,
    *,
    qi: Columns | None = None,
    sensitive: Columns | None = None,
    id: Columns | None = None,
    keep: Columns | None = None,
    drop: Columns | None = None,
    hierarchies: Mapping[str, HierarchySource] | StrPath | None = None,
    original: ArrowTable | None = None,
    guarantee: Columns | None = None,
    schema: StrPath | None = None,
    allow_unique: Columns | None = None,
    items: Columns | None = None,
    numbers: Columns | None = None,
    sensitive_items: Columns | None = None,
    sensitive_prefix: Columns | None = None,
    sensitive_node: Columns | None = None,
    bag: Mapping[str, Any] | None = None,
    nulls: Columns | None = None,
    group_by: Columns | None = None,
    collect: Mapping[str, Any] | None = None,
    join: Mapping[str, StrPath] | None = None,
    join_on: Mapping[str, Any] | None = None,
    join_items: Mapping[str, Any] | None = None,
    items_together: Mapping[str, Any] | None = None,
    item_separator: str | None = None,
    type: Mapping[str, Any] | None = None,
    weight: Mapping[str, Any] | None = None,
    item_weight: Mapping[str, Any] | None = None,
    missing: Columns | None = None,
    decimal: Literal["auto", ",", "."] | None = None,
    date_format: str | None = None,
    missing_rule: Literal["own", "any"] | None = None,
    codes: Columns | None = None,
    uncovered: Literal["error", "suppress", "root"] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    seed: int | None = None,
    strict: bool | None = None,
    accept_point: Columns | None = None,
    point_limit: Mapping[str, Any] | None = None,
    k: int | Sequence[int] | None = None,
    l: float | None = None,
    diversity: Literal["distinct", "entropy", "recursive"] | None = None,
    c: float | None = None,
    t: float | None = None,
    distance: Literal["equal", "ordered", "hierarchical"] | None = None,
    reference: Literal["published", "original"] | None = None,
    m: int | None = None,
    recount: Literal["budget", "full"] | None = None,
    n: int | None = None,
    sigma: float | Sequence[float] | None = None,
    exact_up_to: int | None = None,
    attacker: Literal["uniform,person", "uniform", "person"] | None = None,
    certificate_delta: float | None = None,
    progress: bool | ProgressFunction | None = None,
) -> Verdict:
    """Check whether the guarantees hold for `data`, however it was made.

    The result is true where they hold, and a dict: what is achieved, the worst violations, the points.

    Args:
        data: a table.
        qi: quasi-identifiers: what an attacker may know about a person; generalised.
        sensitive: what an attacker must not learn; published as it is.
        id: identifiers, such as names: never published, never shown.
        keep: published as they are.
        drop: not published.
        hierarchies: by column, a file, a mapping from values to groups, rows, or a frame of levels; or a
            folder of files.
        original: the table that `data` is a release of: what is sampled is drawn from it, and t-closeness
            may be compared with it.
        guarantee: what must hold (see kanon list guarantees); with k alone, k-anonymity.
        schema: roles, types, hierarchies, missing values, as JSON.
        allow_unique: kept columns that may be published although they look like identifiers, or most
            records hold a value that fewer than k share.
        items: columns whose cells hold sets of items.
        numbers: columns whose cells hold several numbers.
        sensitive_items: items that an attacker must not learn, while he may know the others; kept as they
            are.
        sensitive_prefix: the same of all items that begin so, such as the codes of a chapter.
        sensitive_node: the same of all items below a node of their hierarchy; may be given several times.
        bag: read several columns as one: for each record the bag of their values.
        nulls: bag, collect, join: texts that cells hold instead of nothing, such as 0.
        group_by: rows that are equal in these become one record, with the first value of each column.
        collect: group_by: the set of the values that the columns hold in all rows of a record.
        join: add an item column: what the rows of another file hold for each record.
        join_on: join: the column that is the key here, and what it is called there if otherwise.
        join_items: join: the columns of the other file whose values are the items.
        items_together: make one item column of several; items are called COLUMN:ITEM.
        item_separator: what separates the items inside a cell; the default is |; in .dat files one
            character instead of spaces.
        type: the type of a column, instead of the detected one.
        weight: how much a column counts in the loss; the default is 1.
        item_weight: how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the
            default is 1.
        missing: texts that mean a missing value, instead of the empty one; write '' for that.
        decimal: what stands before decimals in the table; numbers with a comma are read, and published,
            with a point.
        date_format: how dates are written where their values do not show it: DD/MM/YYYY or MM/DD/YYYY.
        missing_rule: a missing value equals only itself (own), or may be anyone's (any).
        codes: what a hierarchy lacks goes with its code: 250.83 with 250, 8 with 008.
        uncovered: values that a hierarchy lacks: refuse, suppress their records, or publish the root.
        threads: how many threads work; the default is one a core; no result depends on it.
        memory: stop rather than use more: 512M, 4G; the default is nine tenths of the machine's.
        seed: start of the random numbers; the default is 0.
        strict: hand nothing out while there are points to settle.
        accept_point: points that you have decided to accept, by name: rare-values:income, small-k.
        point_limit: from where on there is a point: unique-records=5%, rare-values=1%, certainty=90%,
            small-k=3 unless given.
        k: k-anonymity, km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity:
            by what others may know, every record looks like at least k-1 others.
        l: l-diversity, k-lm-diversity, kmn-anonymity: how diverse the sensitive values of every class are
            at least.
        diversity: l-diversity: how diversity is counted: different values, entropy of at least log l, or
            recursive (c,l).
        c: l-diversity: recursive (c,l)-diversity: the commonest value is rarer than c times the tail from
            the l-th on.
        t: t-closeness: how far the sensitive values of a class may be distributed from those of the whole
            table.
        distance: t-closeness: the distance between sensitive values: all alike, by order (numbers and
            dates), or by hierarchy.
        reference: t-closeness: the whole table that classes are compared with: the one that is published,
            without removed records, or the original.
        m: km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity: guarantees of
            items: how many items of a person an attacker may know; up to 16.
        recount: km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity:
            guarantees of items: how much the check counts a second time: what a moment allows, or all.
        n: kmn-anonymity: how many relations between these values an attacker may know.
        sigma: sigma-km-anonymity: the share of the itemsets that must be safe, above 0.5; with commas one
            for each number of items, the last for all larger ones: 1,1,1,1,0.99.
        exact_up_to: sigma-km-anonymity: count all itemsets of up to so many items, sample larger ones.
        attacker: sigma-km-anonymity: who knows items: any itemset that occurs with equal chance, or
            random items of a random person; certified for both unless told otherwise.
        certificate_delta: sigma-km-anonymity: how probable it may be that samples mislead; a twentieth of
            1 - sigma unless given.
        progress: called with a phase and the share that is done; True: a bar of tqdm, where that is
            installed.
    """
    options = {
        "qi": qi,
        "sensitive": sensitive,
        "id": id,
        "keep": keep,
        "drop": drop,
        "guarantee": guarantee,
        "schema": schema,
        "allow_unique": allow_unique,
        "items": items,
        "numbers": numbers,
        "sensitive_items": sensitive_items,
        "sensitive_prefix": sensitive_prefix,
        "sensitive_node": sensitive_node,
        "bag": bag,
        "nulls": nulls,
        "group_by": group_by,
        "collect": collect,
        "join": join,
        "join_on": join_on,
        "join_items": join_items,
        "items_together": items_together,
        "item_separator": item_separator,
        "type": type,
        "weight": weight,
        "item_weight": item_weight,
        "missing": missing,
        "decimal": decimal,
        "date_format": date_format,
        "missing_rule": missing_rule,
        "codes": codes,
        "uncovered": uncovered,
        "threads": threads,
        "memory": memory,
        "seed": seed,
        "strict": strict,
        "accept_point": accept_point,
        "point_limit": point_limit,
        "k": k,
        "l": l,
        "diversity": diversity,
        "c": c,
        "t": t,
        "distance": distance,
        "reference": reference,
        "m": m,
        "recount": recount,
        "n": n,
        "sigma": sigma,
        "exact_up_to": exact_up_to,
        "attacker": attacker,
        "certificate_delta": certificate_delta,
    }
    return _api.check(data, original, hierarchies, progress, options)


def measure(
    original: ArrowTable,
    release: ArrowTable,
    *,
    qi: Columns | None = None,
    sensitive: Columns | None = None,
    id: Columns | None = None,
    keep: Columns | None = None,
    drop: Columns | None = None,
    rest: Literal["drop", "keep", "suggested"] | None = None,
    hierarchies: Mapping[str, HierarchySource] | StrPath | None = None,
    schema: StrPath | None = None,
    allow_unique: Columns | None = None,
    items: Columns | None = None,
    numbers: Columns | None = None,
    sensitive_items: Columns | None = None,
    sensitive_prefix: Columns | None = None,
    sensitive_node: Columns | None = None,
    bag: Mapping[str, Any] | None = None,
    nulls: Columns | None = None,
    group_by: Columns | None = None,
    collect: Mapping[str, Any] | None = None,
    join: Mapping[str, StrPath] | None = None,
    join_on: Mapping[str, Any] | None = None,
    join_items: Mapping[str, Any] | None = None,
    items_together: Mapping[str, Any] | None = None,
    item_separator: str | None = None,
    type: Mapping[str, Any] | None = None,
    weight: Mapping[str, Any] | None = None,
    item_weight: Mapping[str, Any] | None = None,
    missing: Columns | None = None,
    decimal: Literal["auto", ",", "."] | None = None,
    date_format: str | None = None,
    missing_rule: Literal["own", "any"] | None = None,
    codes: Columns | None = None,
    uncovered: Literal["error", "suppress", "root"] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool | ProgressFunction | None = None,
) -> dict[str, Any]:
    """Measure how much of `original` was lost in `release`, which has the same records in the same order.

    The result has ``utility`` (of the whole table) and ``utility_by_column``.

    Args:
        original: a table.
        release: a table.
        qi: quasi-identifiers: what an attacker may know about a person; generalised.
        sensitive: what an attacker must not learn; published as it is.
        id: identifiers, such as names: never published, never shown.
        keep: published as they are.
        drop: not published.
        rest: what becomes of the columns without a role: drop them, keep them as they are, or take what
            is suggested.
        hierarchies: by column, a file, a mapping from values to groups, rows, or a frame of levels; or a
            folder of files.
        schema: roles, types, hierarchies, missing values, as JSON.
        allow_unique: kept columns that may be published although they look like identifiers, or most
            records hold a value that fewer than k share.
        items: columns whose cells hold sets of items.
        numbers: columns whose cells hold several numbers.
        sensitive_items: items that an attacker must not learn, while he may know the others; kept as they
            are.
        sensitive_prefix: the same of all items that begin so, such as the codes of a chapter.
        sensitive_node: the same of all items below a node of their hierarchy; may be given several times.
        bag: read several columns as one: for each record the bag of their values.
        nulls: bag, collect, join: texts that cells hold instead of nothing, such as 0.
        group_by: rows that are equal in these become one record, with the first value of each column.
        collect: group_by: the set of the values that the columns hold in all rows of a record.
        join: add an item column: what the rows of another file hold for each record.
        join_on: join: the column that is the key here, and what it is called there if otherwise.
        join_items: join: the columns of the other file whose values are the items.
        items_together: make one item column of several; items are called COLUMN:ITEM.
        item_separator: what separates the items inside a cell; the default is |; in .dat files one
            character instead of spaces.
        type: the type of a column, instead of the detected one.
        weight: how much a column counts in the loss; the default is 1.
        item_weight: how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the
            default is 1.
        missing: texts that mean a missing value, instead of the empty one; write '' for that.
        decimal: what stands before decimals in the table; numbers with a comma are read, and published,
            with a point.
        date_format: how dates are written where their values do not show it: DD/MM/YYYY or MM/DD/YYYY.
        missing_rule: a missing value equals only itself (own), or may be anyone's (any).
        codes: what a hierarchy lacks goes with its code: 250.83 with 250, 8 with 008.
        uncovered: values that a hierarchy lacks: refuse, suppress their records, or publish the root.
        threads: how many threads work; the default is one a core; no result depends on it.
        memory: stop rather than use more: 512M, 4G; the default is nine tenths of the machine's.
        progress: called with a phase and the share that is done; True: a bar of tqdm, where that is
            installed.
    """
    options = {
        "qi": qi,
        "sensitive": sensitive,
        "id": id,
        "keep": keep,
        "drop": drop,
        "schema": schema,
        "allow_unique": allow_unique,
        "items": items,
        "numbers": numbers,
        "sensitive_items": sensitive_items,
        "sensitive_prefix": sensitive_prefix,
        "sensitive_node": sensitive_node,
        "bag": bag,
        "nulls": nulls,
        "group_by": group_by,
        "collect": collect,
        "join": join,
        "join_on": join_on,
        "join_items": join_items,
        "items_together": items_together,
        "item_separator": item_separator,
        "type": type,
        "weight": weight,
        "item_weight": item_weight,
        "missing": missing,
        "decimal": decimal,
        "date_format": date_format,
        "missing_rule": missing_rule,
        "codes": codes,
        "uncovered": uncovered,
        "threads": threads,
        "memory": memory,
        "rest": rest,
    }
    return _api.measure(original, release, hierarchies, progress, options)


def profile(
    data: ArrowTable,
    *,
    qi: Columns | None = None,
    sensitive: Columns | None = None,
    id: Columns | None = None,
    keep: Columns | None = None,
    drop: Columns | None = None,
    schema: StrPath | None = None,
    allow_unique: Columns | None = None,
    items: Columns | None = None,
    numbers: Columns | None = None,
    sensitive_items: Columns | None = None,
    sensitive_prefix: Columns | None = None,
    sensitive_node: Columns | None = None,
    bag: Mapping[str, Any] | None = None,
    nulls: Columns | None = None,
    group_by: Columns | None = None,
    collect: Mapping[str, Any] | None = None,
    join: Mapping[str, StrPath] | None = None,
    join_on: Mapping[str, Any] | None = None,
    join_items: Mapping[str, Any] | None = None,
    items_together: Mapping[str, Any] | None = None,
    item_separator: str | None = None,
    type: Mapping[str, Any] | None = None,
    weight: Mapping[str, Any] | None = None,
    item_weight: Mapping[str, Any] | None = None,
    missing: Columns | None = None,
    decimal: Literal["auto", ",", "."] | None = None,
    date_format: str | None = None,
    missing_rule: Literal["own", "any"] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool | ProgressFunction | None = None,
) -> dict[str, Any]:
    """Look at `data`: types, missing values, how unique people are, and which roles we would choose.

    Values of identifiers never appear in the result, other values only where at least 5 records hold them.

    Args:
        data: a table.
        qi: quasi-identifiers: what an attacker may know about a person; generalised.
        sensitive: what an attacker must not learn; published as it is.
        id: identifiers, such as names: never published, never shown.
        keep: published as they are.
        drop: not published.
        schema: roles, types, hierarchies, missing values, as JSON.
        allow_unique: kept columns that may be published although they look like identifiers, or most
            records hold a value that fewer than k share.
        items: columns whose cells hold sets of items.
        numbers: columns whose cells hold several numbers.
        sensitive_items: items that an attacker must not learn, while he may know the others; kept as they
            are.
        sensitive_prefix: the same of all items that begin so, such as the codes of a chapter.
        sensitive_node: the same of all items below a node of their hierarchy; may be given several times.
        bag: read several columns as one: for each record the bag of their values.
        nulls: bag, collect, join: texts that cells hold instead of nothing, such as 0.
        group_by: rows that are equal in these become one record, with the first value of each column.
        collect: group_by: the set of the values that the columns hold in all rows of a record.
        join: add an item column: what the rows of another file hold for each record.
        join_on: join: the column that is the key here, and what it is called there if otherwise.
        join_items: join: the columns of the other file whose values are the items.
        items_together: make one item column of several; items are called COLUMN:ITEM.
        item_separator: what separates the items inside a cell; the default is |; in .dat files one
            character instead of spaces.
        type: the type of a column, instead of the detected one.
        weight: how much a column counts in the loss; the default is 1.
        item_weight: how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the
            default is 1.
        missing: texts that mean a missing value, instead of the empty one; write '' for that.
        decimal: what stands before decimals in the table; numbers with a comma are read, and published,
            with a point.
        date_format: how dates are written where their values do not show it: DD/MM/YYYY or MM/DD/YYYY.
        missing_rule: a missing value equals only itself (own), or may be anyone's (any).
        threads: how many threads work; the default is one a core; no result depends on it.
        memory: stop rather than use more: 512M, 4G; the default is nine tenths of the machine's.
        progress: called with a phase and the share that is done; True: a bar of tqdm, where that is
            installed.
    """
    options = {
        "qi": qi,
        "sensitive": sensitive,
        "id": id,
        "keep": keep,
        "drop": drop,
        "schema": schema,
        "allow_unique": allow_unique,
        "items": items,
        "numbers": numbers,
        "sensitive_items": sensitive_items,
        "sensitive_prefix": sensitive_prefix,
        "sensitive_node": sensitive_node,
        "bag": bag,
        "nulls": nulls,
        "group_by": group_by,
        "collect": collect,
        "join": join,
        "join_on": join_on,
        "join_items": join_items,
        "items_together": items_together,
        "item_separator": item_separator,
        "type": type,
        "weight": weight,
        "item_weight": item_weight,
        "missing": missing,
        "decimal": decimal,
        "date_format": date_format,
        "missing_rule": missing_rule,
        "threads": threads,
        "memory": memory,
    }
    return _api.profile(data, progress, options)


def init(
    data: ArrowTable | StrPath,
    *,
    qi: Columns | None = None,
    sensitive: Columns | None = None,
    id: Columns | None = None,
    keep: Columns | None = None,
    drop: Columns | None = None,
    folder: StrPath | None = None,
    schema: StrPath | None = None,
    allow_unique: Columns | None = None,
    items: Columns | None = None,
    numbers: Columns | None = None,
    sensitive_items: Columns | None = None,
    sensitive_prefix: Columns | None = None,
    sensitive_node: Columns | None = None,
    bag: Mapping[str, Any] | None = None,
    nulls: Columns | None = None,
    group_by: Columns | None = None,
    collect: Mapping[str, Any] | None = None,
    join: Mapping[str, StrPath] | None = None,
    join_on: Mapping[str, Any] | None = None,
    join_items: Mapping[str, Any] | None = None,
    items_together: Mapping[str, Any] | None = None,
    item_separator: str | None = None,
    type: Mapping[str, Any] | None = None,
    weight: Mapping[str, Any] | None = None,
    item_weight: Mapping[str, Any] | None = None,
    missing: Columns | None = None,
    decimal: Literal["auto", ",", "."] | None = None,
    date_format: str | None = None,
    missing_rule: Literal["own", "any"] | None = None,
    format: Literal["auto", "csv", "dat", "long", "jsonl", "trees", "json", "xml"] | None = None,
    separator: str | None = None,
    encoding: Literal["auto", "utf8", "latin1", "utf16"] | None = None,
    no_header: bool | None = None,
    quote: Literal["double", "none"] | None = None,
    trim: bool | None = None,
    spreadsheet_safe: bool | None = None,
    key: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    progress: bool | ProgressFunction | None = None,
) -> Plan:
    """Look at `data`, a table or a file, and plan how it could be published.

    The plan has roles, hierarchies and guarantees: what ``kanon init`` writes and says. It is on the safe
    side: what cannot be told from the values and names of the columns is a quasi-identifier. Roles that are
    given are taken over. Look at it, then: ``plan.anonymize()``; ``plan.write(folder)`` writes the files to
    edit.

    Args:
        data: a table, or the path of a file.
        qi: quasi-identifiers: what an attacker may know about a person; generalised.
        sensitive: what an attacker must not learn; published as it is.
        id: identifiers, such as names: never published, never shown.
        keep: published as they are.
        drop: not published.
        folder: where to write the files, a new folder; the default is nowhere.
        schema: roles, types, hierarchies, missing values, as JSON.
        allow_unique: kept columns that may be published although they look like identifiers, or most
            records hold a value that fewer than k share.
        items: columns whose cells hold sets of items.
        numbers: columns whose cells hold several numbers.
        sensitive_items: items that an attacker must not learn, while he may know the others; kept as they
            are.
        sensitive_prefix: the same of all items that begin so, such as the codes of a chapter.
        sensitive_node: the same of all items below a node of their hierarchy; may be given several times.
        bag: read several columns as one: for each record the bag of their values.
        nulls: bag, collect, join: texts that cells hold instead of nothing, such as 0.
        group_by: rows that are equal in these become one record, with the first value of each column.
        collect: group_by: the set of the values that the columns hold in all rows of a record.
        join: add an item column: what the rows of another file hold for each record.
        join_on: join: the column that is the key here, and what it is called there if otherwise.
        join_items: join: the columns of the other file whose values are the items.
        items_together: make one item column of several; items are called COLUMN:ITEM.
        item_separator: what separates the items inside a cell; the default is |; in .dat files one
            character instead of spaces.
        type: the type of a column, instead of the detected one.
        weight: how much a column counts in the loss; the default is 1.
        item_weight: how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the
            default is 1.
        missing: texts that mean a missing value, instead of the empty one; write '' for that.
        decimal: what stands before decimals in the table; numbers with a comma are read, and published,
            with a point.
        date_format: how dates are written where their values do not show it: DD/MM/YYYY or MM/DD/YYYY.
        missing_rule: a missing value equals only itself (own), or may be anyone's (any).
        format: the format of the table, instead of what its name says.
        separator: what separates columns: one character, or the word tab, comma or semicolon.
        encoding: how the table is encoded; latin1 is Windows-1252 too; it is written as UTF-8.
        no_header: the first line is data; columns are called column1, column2, ....
        quote: none: a quote is a character like any other.
        trim: strip spaces around values.
        spreadsheet_safe: write an apostrophe before cells that a spreadsheet would take for a formula,
            and remove it when such a file is read.
        key: long form: the column that tells persons apart; the default is the first.
        threads: how many threads work; the default is one a core; no result depends on it.
        memory: stop rather than use more: 512M, 4G; the default is nine tenths of the machine's.
        progress: called with a phase and the share that is done; True: a bar of tqdm, where that is
            installed.
    """
    options = {
        "qi": qi,
        "sensitive": sensitive,
        "id": id,
        "keep": keep,
        "drop": drop,
        "schema": schema,
        "allow_unique": allow_unique,
        "items": items,
        "numbers": numbers,
        "sensitive_items": sensitive_items,
        "sensitive_prefix": sensitive_prefix,
        "sensitive_node": sensitive_node,
        "bag": bag,
        "nulls": nulls,
        "group_by": group_by,
        "collect": collect,
        "join": join,
        "join_on": join_on,
        "join_items": join_items,
        "items_together": items_together,
        "item_separator": item_separator,
        "type": type,
        "weight": weight,
        "item_weight": item_weight,
        "missing": missing,
        "decimal": decimal,
        "date_format": date_format,
        "missing_rule": missing_rule,
        "format": format,
        "separator": separator,
        "encoding": encoding,
        "no_header": no_header,
        "quote": quote,
        "trim": trim,
        "spreadsheet_safe": spreadsheet_safe,
        "key": key,
        "threads": threads,
        "memory": memory,
    }
    return _api.init(data, folder, progress, options)


def sweep(
    data: ArrowTable,
    *,
    qi: Columns | None = None,
    sensitive: Columns | None = None,
    id: Columns | None = None,
    keep: Columns | None = None,
    drop: Columns | None = None,
    rest: Literal["drop", "keep", "suggested"] | None = None,
    hierarchies: Mapping[str, HierarchySource] | StrPath | None = None,
    sweep: Mapping[str, Sequence[object]] | None = None,
    guarantee: Columns | None = None,
    schema: StrPath | None = None,
    allow_unique: Columns | None = None,
    items: Columns | None = None,
    numbers: Columns | None = None,
    sensitive_items: Columns | None = None,
    sensitive_prefix: Columns | None = None,
    sensitive_node: Columns | None = None,
    bag: Mapping[str, Any] | None = None,
    nulls: Columns | None = None,
    group_by: Columns | None = None,
    collect: Mapping[str, Any] | None = None,
    join: Mapping[str, StrPath] | None = None,
    join_on: Mapping[str, Any] | None = None,
    join_items: Mapping[str, Any] | None = None,
    items_together: Mapping[str, Any] | None = None,
    item_separator: str | None = None,
    type: Mapping[str, Any] | None = None,
    weight: Mapping[str, Any] | None = None,
    item_weight: Mapping[str, Any] | None = None,
    missing: Columns | None = None,
    decimal: Literal["auto", ",", "."] | None = None,
    date_format: str | None = None,
    missing_rule: Literal["own", "any"] | None = None,
    codes: Columns | None = None,
    uncovered: Literal["error", "suppress", "root"] | None = None,
    method: str | None = None,
    suppression: float | str | None = None,
    item_suppression: float | str | None = None,
    suppressed: Literal["removed", "starred"] | None = None,
    shuffle: bool | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    seed: int | None = None,
    title: str | None = None,
    note: str | None = None,
    date: str | None = None,
    strict: bool | None = None,
    accept_point: Columns | None = None,
    point_limit: Mapping[str, Any] | None = None,
    k: int | Sequence[int] | None = None,
    l: float | None = None,
    diversity: Literal["distinct", "entropy", "recursive"] | None = None,
    c: float | None = None,
    t: float | None = None,
    distance: Literal["equal", "ordered", "hierarchical"] | None = None,
    reference: Literal["published", "original"] | None = None,
    m: int | None = None,
    recount: Literal["budget", "full"] | None = None,
    n: int | None = None,
    sigma: float | Sequence[float] | None = None,
    exact_up_to: int | None = None,
    attacker: Literal["uniform,person", "uniform", "person"] | None = None,
    certificate_delta: float | None = None,
    objective: Literal["loss", "ncp", "precision", "discernibility", "average_class_size", "classification"] | None = None,
    lowest: Columns | None = None,
    relaxed: bool | None = None,
    effort: float | None = None,
    subtree: bool | None = None,
    parts: int | None = None,
    d: float | None = None,
    paper: bool | None = None,
    class_: str | None = None,
    delta: float | None = None,
    merge: Literal["rt", "r", "t"] | None = None,
    exact_utility: bool | None = None,
    g: int | None = None,
    cuts: int | None = None,
    climit: int | None = None,
    threshold: float | None = None,
    coordinates: StrPath | None = None,
    edges: StrPath | None = None,
    outline: StrPath | None = None,
    error: Literal["auto", "distance", "ncp", "matrix"] | None = None,
    distances: StrPath | None = None,
    names: Literal["sets", "areas"] | None = None,
    runs: int | None = None,
    samples: Literal["zero-failure", "hoeffding"] | None = None,
    curve: bool | None = None,
    progress: bool | ProgressFunction | None = None,
) -> Sweep:
    """Make a release of `data` for each of many values, check each, and compare them.

    No release is handed out. ``sweep={"k": [2, 5, 10]}`` asks for three; with several parameters all
    combinations are made. The result is a dict (``["sweep"]`` has an entry per value), with ``text()``,
    ``html()`` and ``plot()``. A value that cannot be met is part of it, with the reason.

    Args:
        data: a table.
        qi: quasi-identifiers: what an attacker may know about a person; generalised.
        sensitive: what an attacker must not learn; published as it is.
        id: identifiers, such as names: never published, never shown.
        keep: published as they are.
        drop: not published.
        rest: what becomes of the columns without a role: drop them, keep them as they are, or take what
            is suggested.
        hierarchies: by column, a file, a mapping from values to groups, rows, or a frame of levels; or a
            folder of files.
        sweep: by parameter, the values to try, such as k, suppression or method.
        guarantee: what must hold (see kanon list guarantees); with k alone, k-anonymity.
        schema: roles, types, hierarchies, missing values, as JSON.
        allow_unique: kept columns that may be published although they look like identifiers, or most
            records hold a value that fewer than k share.
        items: columns whose cells hold sets of items.
        numbers: columns whose cells hold several numbers.
        sensitive_items: items that an attacker must not learn, while he may know the others; kept as they
            are.
        sensitive_prefix: the same of all items that begin so, such as the codes of a chapter.
        sensitive_node: the same of all items below a node of their hierarchy; may be given several times.
        bag: read several columns as one: for each record the bag of their values.
        nulls: bag, collect, join: texts that cells hold instead of nothing, such as 0.
        group_by: rows that are equal in these become one record, with the first value of each column.
        collect: group_by: the set of the values that the columns hold in all rows of a record.
        join: add an item column: what the rows of another file hold for each record.
        join_on: join: the column that is the key here, and what it is called there if otherwise.
        join_items: join: the columns of the other file whose values are the items.
        items_together: make one item column of several; items are called COLUMN:ITEM.
        item_separator: what separates the items inside a cell; the default is |; in .dat files one
            character instead of spaces.
        type: the type of a column, instead of the detected one.
        weight: how much a column counts in the loss; the default is 1.
        item_weight: how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the
            default is 1.
        missing: texts that mean a missing value, instead of the empty one; write '' for that.
        decimal: what stands before decimals in the table; numbers with a comma are read, and published,
            with a point.
        date_format: how dates are written where their values do not show it: DD/MM/YYYY or MM/DD/YYYY.
        missing_rule: a missing value equals only itself (own), or may be anyone's (any).
        codes: what a hierarchy lacks goes with its code: 250.83 with 250, 8 with 008.
        uncovered: values that a hierarchy lacks: refuse, suppress their records, or publish the root.
        method: how to reach it (see kanon list methods); the default is local.
        suppression: the largest share of records that may be suppressed: 0.05 or 5%; default 0.
        item_suppression: apriori, acd: the largest share of items that may be left out everywhere;
            default 0.
        suppressed: leave suppressed records out, or keep them with * instead.
        shuffle: mix the records: the order of a list can give people away.
        threads: how many threads work; the default is one a core; no result depends on it.
        memory: stop rather than use more: 512M, 4G; the default is nine tenths of the machine's.
        seed: start of the random numbers; the default is 0.
        title: the title of the report.
        note: a remark that the report shows on its first screen.
        date: a date that the report shows, YYYY-MM-DD or the word today; without it there is none, and
            the same call gives the same bytes.
        strict: hand nothing out while there are points to settle.
        accept_point: points that you have decided to accept, by name: rare-values:income, small-k.
        point_limit: from where on there is a point: unique-records=5%, rare-values=1%, certainty=90%,
            small-k=3 unless given.
        k: k-anonymity, km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity:
            by what others may know, every record looks like at least k-1 others.
        l: l-diversity, k-lm-diversity, kmn-anonymity: how diverse the sensitive values of every class are
            at least.
        diversity: l-diversity: how diversity is counted: different values, entropy of at least log l, or
            recursive (c,l).
        c: l-diversity: recursive (c,l)-diversity: the commonest value is rarer than c times the tail from
            the l-th on.
        t: t-closeness: how far the sensitive values of a class may be distributed from those of the whole
            table.
        distance: t-closeness: the distance between sensitive values: all alike, by order (numbers and
            dates), or by hierarchy.
        reference: t-closeness: the whole table that classes are compared with: the one that is published,
            without removed records, or the original.
        m: km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity: guarantees of
            items: how many items of a person an attacker may know; up to 16.
        recount: km-anonymity, k-km-anonymity, k-lm-diversity, kmn-anonymity, sigma-km-anonymity:
            guarantees of items: how much the check counts a second time: what a moment allows, or all.
        n: kmn-anonymity: how many relations between these values an attacker may know.
        sigma: sigma-km-anonymity: the share of the itemsets that must be safe, above 0.5; with commas one
            for each number of items, the last for all larger ones: 1,1,1,1,0.99.
        exact_up_to: sigma-km-anonymity: count all itemsets of up to so many items, sample larger ones.
        attacker: sigma-km-anonymity: who knows items: any itemset that occurs with equal chance, or
            random items of a random person; certified for both unless told otherwise.
        certificate_delta: sigma-km-anonymity: how probable it may be that samples mislead; a twentieth of
            1 - sigma unless given.
        objective: flash: the measure that flash makes as good as it can be.
        lowest: flash: levels of the hierarchies below which columns are not published, such as age=2
            (level 0 is the value itself).
        relaxed: mondrian: records with equal values may fall on both sides of a cut.
        effort: local: how long to refine; 2 takes about twice as long as 1.
        subtree: apriori, vpa: whole groups only, as in the paper: no item below a published group keeps
            its name.
        parts: lra: how many parts the records are also cut into, vpa: the items.
        d: acd: acd paper: how much a repair may add to the loss before others are looked for.
        paper: acd, cluster, sampling: the algorithm as it was published, to compare with; rum-bound, tum-
            bound, rfirst: start from its clusters; rum-bound: spend the whole bound.
        class_: id3, tds: the column whose classes are to stay apart, sensitive or kept; the default is
            the first sensitive one.
        delta: rum-bound, tum-bound: the most that may be lost: rum-bound in the quasi-identifiers
            (relational_ncp), tum-bound in the items (ul).
        merge: rum-bound, tum-bound: merge clusters that are near in their values and items (rt), in their
            values (r) or in their items (t).
        exact_utility: rum-bound, tum-bound: generalise the items of every two clusters on trial, instead
            of comparing records; slow.
        g: gcs, ocs, ecs: how many of the cheapest children of a cut are looked into further.
        cuts: acs, gcs, ocs, ecs: evaluate no more than so many cuts; 0: as many as there are.
        climit: miracle: so many records are compared with a cluster to find the nearest.
        threshold: miracle: a cluster of k records takes more while they are nearer than this.
        coordinates: sampling: where the items are, a CSV file item,lat,lon; those whose Voronoi cells
            touch may be merged.
        edges: sampling: which items touch, a CSV file item,neighbour, instead of Voronoi cells.
        outline: sampling: a GeoJSON polygon that cells are clipped to; the default is the convex hull.
        error: sampling: the error to keep small: metres to the centre of the region, the share of items
            in it, or distances; auto: what the files given allow.
        distances: sampling: a CSV matrix of distances between items, with a column item.
        names: sampling: publish a region as the set of its items, or as area-1, area-2, ..., of which
            release.recoding says what is in each.
        runs: sampling: independent runs, of which the one with the least error is kept.
        samples: sampling: how many samples the search needs; hoeffding: as printed in the paper.
        curve: sampling: the report also says what every smaller m would have cost, each certified.
        progress: called with a phase and the share that is done; True: a bar of tqdm, where that is
            installed.
    """
    options = {
        "qi": qi,
        "sensitive": sensitive,
        "id": id,
        "keep": keep,
        "drop": drop,
        "guarantee": guarantee,
        "schema": schema,
        "allow_unique": allow_unique,
        "items": items,
        "numbers": numbers,
        "sensitive_items": sensitive_items,
        "sensitive_prefix": sensitive_prefix,
        "sensitive_node": sensitive_node,
        "bag": bag,
        "nulls": nulls,
        "group_by": group_by,
        "collect": collect,
        "join": join,
        "join_on": join_on,
        "join_items": join_items,
        "items_together": items_together,
        "item_separator": item_separator,
        "type": type,
        "weight": weight,
        "item_weight": item_weight,
        "missing": missing,
        "decimal": decimal,
        "date_format": date_format,
        "missing_rule": missing_rule,
        "codes": codes,
        "uncovered": uncovered,
        "method": method,
        "suppression": suppression,
        "item_suppression": item_suppression,
        "suppressed": suppressed,
        "shuffle": shuffle,
        "threads": threads,
        "memory": memory,
        "seed": seed,
        "title": title,
        "note": note,
        "date": date,
        "strict": strict,
        "accept_point": accept_point,
        "point_limit": point_limit,
        "k": k,
        "l": l,
        "diversity": diversity,
        "c": c,
        "t": t,
        "distance": distance,
        "reference": reference,
        "m": m,
        "recount": recount,
        "n": n,
        "sigma": sigma,
        "exact_up_to": exact_up_to,
        "attacker": attacker,
        "certificate_delta": certificate_delta,
        "objective": objective,
        "lowest": lowest,
        "relaxed": relaxed,
        "effort": effort,
        "subtree": subtree,
        "parts": parts,
        "d": d,
        "paper": paper,
        "class_": class_,
        "delta": delta,
        "merge": merge,
        "exact_utility": exact_utility,
        "g": g,
        "cuts": cuts,
        "climit": climit,
        "threshold": threshold,
        "coordinates": coordinates,
        "edges": edges,
        "outline": outline,
        "error": error,
        "distances": distances,
        "names": names,
        "runs": runs,
        "samples": samples,
        "curve": curve,
        "rest": rest,
        "sweep": sweep,
    }
    return _api.sweep(data, hierarchies, progress, options)
