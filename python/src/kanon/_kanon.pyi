from collections.abc import Callable, Iterable
from typing import TypedDict

Progress = Callable[[str, float], object] | None
Count = Callable[[list[str], bytes, bytes, int, int], bytes] | None
Hierarchies = list[tuple[str, list[list[str]]]]

version: str

class Failure(Exception): ...

class Table:
    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

class Point(TypedDict):
    name: str
    check: str
    column: str | None
    decided: bool
    records: int
    value: float
    limit: float
    words: str
    remedy: str

class Checked(TypedDict):
    verdict: str
    state: str
    summary: str
    points: list[Point]
    records: int
    classes: int

class Settled(TypedDict):
    state: str
    summary: str
    points: list[Point]

class Made(TypedDict):
    recoding: str
    verdict: str
    measures: str
    kept: bytes
    suppressed: int
    attempt: int

class Counted(TypedDict):
    verdict: str
    records: int
    classes: int

class Summed(TypedDict):
    verdict: str
    records: int
    items: list[list[str]]

class PlannedColumn(TypedDict):
    name: str
    type: str
    role: str
    reason: str
    doubtful: bool
    values: int
    hierarchy: str | None
    fan_out: bool

class Planned(TypedDict):
    records: int
    columns: list[PlannedColumn]
    notes: list[str]
    group_by: str | None

def anonymize(
    settings: str, data: object, hierarchies: Hierarchies, progress: Progress, /
) -> tuple[Table, object, str | None]: ...
def recode(settings: str, recoding: str, data: object, progress: Progress, /) -> tuple[Table, Settled]: ...
def recoding_sql(recoding: str, table: str, /) -> str: ...
def text_of(made: object, form: str, /) -> str: ...
def check(
    settings: str, data: object, original: object, hierarchies: Hierarchies, progress: Progress, /
) -> Checked: ...
def measure(
    settings: str, original: object, release: object, hierarchies: Hierarchies, progress: Progress, /
) -> str: ...
def profile(settings: str, data: object, progress: Progress, /) -> str: ...
def roles(settings: str, data: object, /) -> list[tuple[str, str]]: ...
def anonymize_classes(
    settings: str, data: object, counts: bytes, hierarchies: Hierarchies, progress: Progress, count: Count, /
) -> Made: ...
def recode_values(settings: str, recoding: str, data: object, /) -> Table: ...
def check_classes(
    settings: str,
    data: object,
    counts: bytes,
    hierarchies: Hierarchies,
    original: object,
    original_counts: bytes,
    attempt: int,
    /,
) -> Counted: ...
def dictionary(settings: str, data: object, /) -> bytes: ...
def count_parts(
    settings: str, dictionary: bytes, slices: Iterable[object], parts: int, first: int, count: int, /
) -> list[bytes]: ...
def merge_part(settings: str, dictionary: bytes, counts: Iterable[bytes], parts: int, part: int, /) -> bytes: ...
def finish_parts(settings: str, dictionary: bytes, counts: Iterable[bytes], parts: int, /) -> Summed: ...
def rare_parts(settings: str, dictionary: bytes, counts: Iterable[bytes], parts: int, /) -> tuple[int, bytes]: ...
def plan(
    settings: str,
    path: str | None,
    data: object,
    folder: str,
    progress: Progress,
    /,
) -> Planned: ...
def sweep(settings: str, data: object, hierarchies: Hierarchies, progress: Progress, /) -> object: ...
def mine(
    kind: str,
    names: list[str],
    roles: list[tuple[str, str]],
    columns: list[list[str | None]],
    k: int,
    l: float,
    distinct: bool,
    inference: float,
    seed: int,
    parameters: list[tuple[str, str]],
    paths: list[str],
    progress: Progress,
    /,
) -> str: ...
def apply(model: str, names: list[str], columns: list[list[str | None]], /) -> list[str | None]: ...
def catalog() -> str: ...
def settings() -> list[tuple[str, str, int, str | None, bool, str]]: ...
