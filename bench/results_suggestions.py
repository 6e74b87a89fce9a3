"""How often suggested roles are right: bench/results_suggestions.sh runs this.

usage: results_suggestions.py KANON WORK OUT DATA

The roles that a person gave to the columns of files in DATA are in suggestions_truth.csv; where
several roles are defensible they are separated by |. A collection of columns with headers in many
languages and values made here (seeded) is judged as well, and the files of suggestions_files.py. All
are judged twice: with their names, and with names that say nothing (c1, c2, ...). Writes OUT/suggestions.md."""
import csv
import json
import os
import random
import subprocess
import sys

import suggestions_files

KANON, WORK, OUT, DATA = sys.argv[1:5]
HERE = os.path.dirname(os.path.abspath(__file__))
ROLES = ["identifier", "quasi-identifier", "sensitive", "dropped", "kept"]
ROWS = 400


# ---- values ----

def digits(r, n):
    return "".join(r.choice("0123456789") for _ in range(n))


def pesel(r):
    n = f"{r.randrange(100):02}{r.randrange(1, 13):02}{r.randrange(1, 29):02}" + digits(r, 4)
    return n + str(-sum(int(d) * w for d, w in zip(n, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3))) % 10)


def bsn(r):
    while True:
        n = str(r.randrange(1, 10)) + digits(r, 7)
        check = sum(int(d) * w for d, w in zip(n, range(9, 1, -1))) % 11
        if check < 10:
            return n + str(check)


def dni(r):
    n = digits(r, 8)
    return n + "TRWAGMYFPDXBNJZSQVHLCKE"[int(n) % 23]


def nir(r):
    n = r.choice("12") + f"{r.randrange(100):02}{r.randrange(1, 13):02}{r.randrange(1, 96):02}" + digits(r, 6)
    return n + f"{97 - int(n) % 97:02}"


def personnummer(r):
    n = f"{r.randrange(40, 100):02}{r.randrange(1, 13):02}{r.randrange(1, 29):02}" + digits(r, 3)
    total = sum(sum(divmod(int(d) * (2 - i % 2), 10)) for i, d in enumerate(n))
    return f"{n[:6]}-{n[6:]}{-total % 10}"


def iban(r):
    bban = digits(r, 18)
    return "DE" + f"{98 - int(bban + '131400') % 97:02}" + bban


GIVEN = ("Anna Maria Jan Piotr Luca Giulia Pierre Camille Hans Ursula Erik Astrid Juan Carmen Ioana Andrei Katarzyna "
         "Matti Aino Nikos Eleni Petra Tomas Ivana Marko Sofie Lars Ilse Bram Saskia Zoltan Eszter Orla Ciaran").split()
FAMILY = ("Nowak Rossi Dubois Schmidt Andersson Garcia Popescu Korhonen Papadopoulos Novak Horvat Jansen Nagy Byrne "
          "Zielinska Brandt Ferrand Quaglia Ekdahl Mendieta Ursu Salo Lekkas Tesar Kranjc Vermeulen Balint Foley").split()
TOWNS = ("Graz Linz Gent Brno Porto Sofia Split Turku Tartu Lyon Nantes Bonn Kiel Patras Szeged Cork Bari Riga Kaunas "
         "Breda Gdynia Lublin Braga Cluj Nitra Celje Murcia Malmo Uppsala Valletta").split()
STREETS = "Hauptstr. Lindenweg Bahnhofstr. Kirchgasse Gartenweg Am Markt".split(" ")
WORDS = "was seen in the ward and said that pain began after a fall on the way home from work today".split()
VALUES = {
    "given name": lambda r, i: r.choice(GIVEN),
    "surname": lambda r, i: r.choice(FAMILY),
    "full name": lambda r, i: r.choice(GIVEN) + " " + r.choice(FAMILY),
    "name, reversed": lambda r, i: r.choice(FAMILY) + ", " + r.choice(GIVEN),
    "e-mail": lambda r, i: f"{r.choice(GIVEN).lower()}{digits(r, 3)}@example.{r.choice(['org', 'de', 'fr'])}",
    "phone": lambda r, i: f"+{r.choice(['49', '33', '48', '353'])} {digits(r, 2)} {digits(r, 7)}",
    "phone, local": lambda r, i: f"0{digits(r, 3)}/{digits(r, 6)}",
    "iban": lambda r, i: iban(r),
    "pesel": lambda r, i: pesel(r), "bsn": lambda r, i: bsn(r), "dni": lambda r, i: dni(r), "nir": lambda r, i: nir(r),
    "personnummer": lambda r, i: personnummer(r),
    "uuid": lambda r, i: "-".join("".join(r.choice("0123456789abcdef") for _ in range(n)) for n in (8, 4, 4, 4, 12)),
    "url": lambda r, i: f"https://example.org/p/{digits(r, 6)}",
    "address": lambda r, i: f"{r.choice(STREETS[:4])} {r.randrange(1, 120)}{r.choice(['', '', 'a'])}",
    "patient number": lambda r, i: f"P{(i // 3) * 7919 % 10 ** 6:06}",
    "serial number": lambda r, i: str(100000 + i),
    "remark": lambda r, i: " ".join(r.choice(WORDS) for _ in range(r.randrange(6, 14))),
    "date of birth": lambda r, i: f"{r.randrange(1930, 2015)}-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}",
    "date of birth, local": lambda r, i: f"{r.randrange(1, 29):02}.{r.randrange(1, 13):02}.{r.randrange(1930, 2015)}",
    "year of birth": lambda r, i: str(r.randrange(1930, 2015)),
    "visit": lambda r, i: f"2024-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}",
    "age": lambda r, i: str(min(99, max(0, int(r.gauss(45, 20))))),
    "sex": lambda r, i: r.choice("mf"),
    "postcode de": lambda r, i: f"{r.choice(['01', '10', '20', '80', '04'])}{r.randrange(40):03}",
    "postcode pl": lambda r, i: f"{r.randrange(10):02}-{r.randrange(30):03}",
    "postcode nl": lambda r, i: f"{1000 + r.randrange(40)} {r.choice(['AB', 'CD'])}",
    "town": lambda r, i: r.choice(TOWNS),
    "country": lambda r, i: r.choice("DE FR IT ES PL RO NL BE CZ GR PT SE HU AT".split()),
    "latitude": lambda r, i: f"{r.uniform(47, 55):.5f}",
    "isco": lambda r, i: r.choice("2511 2512 5223 9112 1120 2211 2221 2310 2411 3112 4110 5120 5131 5411 6111 7115 7231 8322 "
                                  "9333 9621 3411 2341 3221".split()),
    "icd-10": lambda r, i: r.choice("EIJKMFG") + f"{r.randrange(10, 40)}.{r.randrange(10)}",
    "diagnosis": lambda r, i: r.choice(["asthma", "diabetes", "flu", "migraine", "gastritis", "angina", "gout"]),
    "salary": lambda r, i: str(round(r.lognormvariate(7.8, 0.5))),
    "religion": lambda r, i: r.choice(["rk", "ev", "isl", "none"]),
    "marital": lambda r, i: r.choice(["single", "married", "divorced", "widowed"]),
    "visits": lambda r, i: str(min(40, int(r.expovariate(0.5)))),
    "code": lambda r, i: str(r.randrange(1, 9)),
    "yes": lambda r, i: r.choice(["yes", "no"]),
    "constant": lambda r, i: "1",
}
Q, S, I, D, K = "quasi-identifier", "sensitive", "identifier", "dropped", "kept"
COLLECTION = [  # header as people write it, values, role
    ("Vorname", "given name", I), ("Name_Pat", "surname", I), ("NOM_FAMILLE", "surname", I), ("Prénom usuel", "given name", I),
    ("nombre y apellidos", "full name", I), ("cognome", "surname", I), ("Imię", "given name", I), ("nazwisko_rodowe", "surname", I),
    ("příjmení", "surname", I), ("Etunimi", "given name", I), ("efternamn", "surname", I), ("Voornaam", "given name", I),
    ("vezetéknév", "surname", I), ("Επώνυμο", "surname", I), ("Фамилия", "surname", I), ("Betreuer", "name, reversed", I),
    ("médecin traitant", "full name", I), ("contact_person", "full name", I), ("Ansprechpartner", "full name", I),
    ("mail privat", "e-mail", I), ("kontakt", "e-mail", I), ("courriel", "e-mail", I), ("Tel. privat", "phone", I),
    ("nr_kontaktowy", "phone", I), ("Erreichbar unter", "phone, local", I), ("puhelin", "phone", I), ("IBAN", "iban", I),
    ("Bankverbindung", "iban", I), ("PESEL", "pesel", I), ("nr_ewidencyjny", "pesel", I), ("BSN", "bsn", I),
    ("burgerservice", "bsn", I), ("DNI/NIE", "dni", I), ("documento", "dni", I), ("n° sécu", "nir", I), ("pnr", "personnummer", I),
    ("Fall-UUID", "uuid", I), ("ref", "uuid", I), ("profil", "url", I), ("Straße", "address", I), ("Wohnhaft in", "address", I),
    ("Patientennummer", "patient number", I), ("numer_pacjenta", "patient number", I), ("Pat", "patient number", I),
    ("lfd. Nr.", "serial number", I), ("Zeile", "serial number", I), ("Anmerkungen", "remark", D), ("opis zdarzenia", "remark", D),
    ("observations", "remark", D), ("Feld17", "remark", D), ("Geb.-Datum", "date of birth", Q), ("data_nascita", "date of birth", Q),
    ("ur.", "date of birth, local", Q), ("Geburtstag", "date of birth, local", Q), ("rok urodzenia", "year of birth", Q),
    ("Jahrgang", "year of birth", Q), ("Aufnahme am", "visit", Q), ("termin", "visit", Q), ("Alter", "age", Q), ("âge", "age", Q),
    ("wiek", "age", Q), ("edad", "age", Q), ("Ηλικία", "age", Q), ("Geschlecht", "sex", Q), ("płeć", "sex", Q), ("kön", "sex", Q),
    ("пол", "sex", Q), ("PLZ", "postcode de", Q), ("Postleitzahl Wohnort", "postcode de", Q), ("CAP", "postcode de", Q),
    ("kod pocztowy", "postcode pl", Q), ("kod", "postcode pl", Q), ("postcode", "postcode nl", Q), ("zone", "postcode nl", Q),
    ("Wohnort", "town", Q), ("miasto", "town", Q), ("ville", "town", Q), ("comune di residenza", "town", Q), ("herkomst", "country", Q),
    ("Staatsangehörigkeit", "country", Q), ("ctry", "country", Q), ("breite (lat)", "latitude", Q), ("Beruf (ISCO)", "isco", Q),
    ("zawód", "isco", Q), ("job_code", "isco", Q), ("Hauptdiagnose", "icd-10", S), ("ICD", "icd-10", S), ("DX1", "icd-10", S),
    ("rozpoznanie", "icd-10", S), ("Krankheit", "diagnosis", S), ("maladie", "diagnosis", S), ("diagnóstico", "diagnosis", S),
    ("Διάγνωση", "diagnosis", S), ("Bruttoeinkommen", "salary", S), ("salaire annuel", "salary", S), ("wynagrodzenie", "salary", S),
    ("palkka", "salary", S), ("Konfession", "religion", S), ("religione", "religion", S), ("Familienstand", "marital", Q),
    ("stan cywilny", "marital", Q), ("état civil", "marital", Q), ("Anzahl Besuche", "visits", Q), ("number_of_visits", "visits", Q),
    ("admission_type_id", "code", Q), ("Art der Aufnahme", "code", Q), ("e-mail erlaubt", "yes", Q), ("Telefonkontakt", "yes", Q),
    ("version", "constant", K),
]

AFTERWARDS = [  # written after the rules of 0.2 were fixed; their failures have been read since
    ("Zuname Versicherter", "surname", I), ("pre_nom", "given name", I), ("nome do titular", "full name", I), ("Kontaktperson", "full name", I),
    ("vårdgivare", "full name", I), ("jméno a příjmení", "full name", I), ("segnalato da", "name, reversed", I), ("e_post", "e-mail", I),
    ("adresse électronique", "e-mail", I), ("Rufnummer", "phone", I), ("n. di telefono", "phone", I), ("mobilszám", "phone", I),
    ("fixe", "phone, local", I), ("compte bancaire", "iban", I), ("rekeningnr", "iban", I), ("nr ewid", "pesel", I), ("sofinummer", "bsn", I),
    ("identidad", "dni", I), ("sécurité sociale", "nir", I), ("personnr", "personnummer", I), ("guid_case", "uuid", I), ("lien", "url", I),
    ("domicile", "address", I), ("zamieszkanie", "address", I), ("Fallnummer", "patient number", I), ("nº expediente", "patient number", I),
    ("lp", "serial number", I), ("rivi", "serial number", I), ("Befundtext", "remark", D), ("toelichting", "remark", D), ("descrizione", "remark", D),
    ("geb", "date of birth", Q), ("né(e) le", "date of birth, local", Q), ("fecha nac", "date of birth", Q), ("rocznik", "year of birth", Q),
    ("annee", "year of birth", Q), ("Entlassdatum", "visit", Q), ("datum prijema", "visit", Q), ("Lebensjahre", "age", Q), ("anni", "age", Q),
    ("genre", "sex", Q), ("nem", "sex", Q), ("Wohn-PLZ", "postcode de", Q), ("localité", "postcode nl", Q), ("kod p.", "postcode pl", Q),
    ("bydliště", "town", Q), ("Heimatort", "town", Q), ("población", "town", Q), ("kodeks kraju", "country", Q), ("pochodzenie", "country", Q),
    ("szer_geo", "latitude", Q), ("ISCO08", "isco", Q), ("métier exercé", "isco", Q), ("Diag. (Entlassung)", "icd-10", S),
    ("patologia", "diagnosis", S), ("Leiden", "diagnosis", S), ("remuneración", "salary", S), ("kuukausipalkka", "salary", S),
    ("Glaubensbekenntnis", "religion", S), ("stav", "marital", Q), ("burgerlijke staat", "marital", Q), ("ilość wizyt", "visits", Q),
    ("Kategorie", "code", Q), ("teilgenommen", "yes", Q),
]


# ---- judging ----

def suggest(path, *options):
    done = subprocess.run([KANON, "profile", path, "--json", "--subsets", "1", "--limit", "0", *options], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"failed on {path}: {done.stderr}")
    return json.loads(done.stdout)["columns"]


def rename(source, to):
    """A copy whose columns are called c1, c2, ..."""
    opened = subprocess.run(["zstd", "-dc", source], capture_output=True).stdout if source.endswith(".zst") else open(source, "rb").read()
    first, rest = opened.split(b"\n", 1)
    separator = b";" if b";" in first else b","
    with open(to, "wb") as out:
        out.write(separator.join(b"c%d" % (i + 1) for i in range(first.count(separator) + 1)) + b"\n" + rest)


def judge(truth, suggested):
    """truth: list of (what, allowed roles); suggested: roles. Counts per role, and the misses."""
    table = {role: [0, 0, 0] for role in ROLES}  # right, suggested, true
    misses = []
    for (what, allowed), got in zip(truth, suggested):
        want = got if got in allowed else allowed[0]
        table[got][1] += 1
        table[want][2] += 1
        if got in allowed:
            table[got][0] += 1
        else:
            misses.append((what, allowed[0], got))
    return table, misses


def show(out, title, table, misses):
    total = sum(row[2] for row in table.values())
    right = sum(row[0] for row in table.values())
    out.write(f"\n### {title}\n\n{right} of {total} columns ({100 * right / total:.0f} %) get a role that is right.\n\n")
    out.write("| role | columns | precision | recall |\n|---|---:|---:|---:|\n")
    for role in ROLES:
        good, said, true = table[role]
        if said or true:
            precision = f"{100 * good / said:.0f} %" if said else "-"
            recall = f"{100 * good / true:.0f} %" if true else "-"
            out.write(f"| {role} | {true} | {precision} | {recall} |\n")
    exposed = [m for m in misses if m[1] == "identifier" and m[2] in ("kept", "sensitive")]
    out.write(f"\nIdentifiers that would be published as they are: {len(exposed)}.\n")
    if misses:
        out.write("Wrong: " + "; ".join(f"`{what}` {want}, suggested {got}" for what, want, got in misses) + ".\n")


def real_files(out):
    with open(os.path.join(HERE, "suggestions_truth.csv"), encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    files = list(dict.fromkeys(row["file"] for row in rows))
    if not all(os.path.exists(os.path.join(DATA, f)) for f in files):
        out.write("\nThe files of the first part were not there when this page was made.\n")
        return
    for named in (True, False):
        truth, got = [], []
        for file in files:
            path = os.path.join(DATA, file)
            if not named:
                copy = os.path.join(WORK, os.path.basename(file).removesuffix(".zst"))
                rename(path, copy)
                path = copy
            mine = [row for row in rows if row["file"] == file]
            columns = suggest(path)
            assert len(columns) == len(mine), file
            truth += [(f"{os.path.basename(file).split('.')[0]}.{row['column']}", row["roles"].split("|")) for row in mine]
            got += [column["suggested_role"] for column in columns]
        show(out, "Real files, with the names of their columns" if named else "The same files, columns called c1, c2, ...",
             *judge(truth, got))


def collection(out, columns, seed, title):
    r = random.Random(seed)
    cells = [[VALUES[kind](r, i) for i in range(ROWS)] for _, kind, _ in columns]
    for named in (True, False):
        path = os.path.join(WORK, "collection.csv")
        with open(path, "w", newline="", encoding="utf-8") as f:
            writer = csv.writer(f)
            writer.writerow([header if named else f"c{i}" for i, (header, _, _) in enumerate(columns)])
            writer.writerows(zip(*cells))
        got = [column["suggested_role"] for column in suggest(path)]
        truth = [(f"{header} ({kind})", [role]) for header, kind, role in columns]
        show(out, title if named else "The same values, columns called c1, c2, ...", *judge(truth, got))


def whole_files(out, files, seed, title):
    for named in (True, False):
        truth, got = [], []
        for number, (file, separator, columns) in enumerate(files):
            r = random.Random(seed + number)
            cells = [[make(r, i) for i in range(suggestions_files.ROWS)] for _, make, _ in columns]
            path = os.path.join(WORK, f"file_{seed + number}.csv")
            with open(path, "w", newline="", encoding="utf-8") as f:
                writer = csv.writer(f, delimiter=separator)
                writer.writerow([header if named else f"c{i}" for i, (header, _, _) in enumerate(columns)])
                writer.writerows(zip(*cells))
            truth += [(f"{file}: {header}", roles) for header, _, roles in columns]
            got += [column["suggested_role"] for column in suggest(path)]
        show(out, title if named else "The same files, columns called c1, c2, ...", *judge(truth, got))


with open(os.path.join(OUT, "suggestions.md"), "w", encoding="utf-8") as page:
    page.write("""# Suggested roles, measured

`bench/results_suggestions.sh` makes this page. The roles that a person gave to the columns of public files are in
`bench/suggestions_truth.csv` (names of columns only); our own collection of headers and seeded values is in
`bench/results_suggestions.py`. Precision: of the columns for which a role is suggested, the share for which it is right. Recall: of
the columns that have a role, the share for which it is suggested. Where several roles are defensible, each of them is right.

Which collection was written when matters more than its figures. The first collection of headers was written beside the rules: it says that they do what they are meant to
do. The second was written after the first rules; its failures have been read since. Of the whole files in `bench/suggestions_files.py`, twelve were
written before the rules for sensitive columns by the author of these rules, who so knew their words: before, 26 % of their sensitive columns were found (7 % without
names). Six more, in other languages and with columns that only sound sensitive, were written when these rules were fixed. When they were first judged, 21 of their sensitive
columns were found and two others (`year_of_diagnosis`, `test_site`) were called sensitive by mistake: precision 91 %, recall 55 %. Another six were judged first with the same words: precision 95 %, recall
47 %. Then the failures of both were read, and words for what they were about were added in the languages of the EU, so their figures say no more than that the words do what they are meant to do.
A column that is called sensitive by mistake is published as it is, so a word that stands for something else in another language was left out. The last four files
were written after that and judged once: theirs is the figure to believe. More words find more in files like those that they were made from, and hardly more in others: of a new file about half of
the sensitive columns are found. The others are suggested as quasi-identifiers and generalised, which is the safe side. How suggestions are made: [measures.md](../measures.md#profile-suggested-roles).

## Files in use for research
""")
    real_files(page)
    page.write("\n## Headers and values of our own\n")
    collection(page, COLLECTION, 13, "Written beside the rules, with headers in the languages of the EU")
    collection(page, AFTERWARDS, 14, "Written after the first rules were fixed; its failures have been read since")
    page.write("\n## Whole files of our own\n")
    whole_files(page, suggestions_files.BEFORE, 1300, "Twelve files, written before the rules for sensitive columns")
    whole_files(page, suggestions_files.AFTER, 1400, "Six files, written after the first words; read since")
    whole_files(page, suggestions_files.LATER, 1500, "Six files, written before more words were added; read since")
    whole_files(page, suggestions_files.LAST, 1600, "Four files, written after all words, judged once")
