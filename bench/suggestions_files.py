"""Files as offices, hospitals, banks and schools keep them: bench/results_suggestions.py judges the
roles that are suggested for them. Each column has the header that such a file has, seeded values and
the roles that a person would give it.

BEFORE: twelve files, written before the rules for sensitive columns were, and not changed since; who
wrote them wrote the rules later. AFTER: six files in other languages, written once the rules were
fixed, with more columns that only sound sensitive (the date of a treatment, the number of a loan)."""

Q, S, I, D, K = "quasi-identifier", "sensitive", "identifier", "dropped", "kept"
ROWS = 600


def digits(r, n):
    return "".join(r.choice("0123456789") for _ in range(n))


def one(*values, weights=None):
    return lambda r, i: r.choices(values, weights)[0]


def whole(low, high):
    return lambda r, i: str(r.randrange(low, high + 1))


def normal(mean, deviation, decimals=0, low=0.0, high=1e9):
    return lambda r, i: f"{min(high, max(low, r.gauss(mean, deviation))):.{decimals}f}"


def money(typical, spread=0.6, zeros=0.0, step=1, decimals=0):
    """Log-normal amounts, a share of zeros, rounded to `step`."""
    def make(r, i):
        amount = 0 if r.random() < zeros else step * round(typical * r.lognormvariate(0, spread) / step, decimals if step == 1 else 0)
        return f"{amount:.{decimals}f}"
    return make


def counts(mean):
    return lambda r, i: str(int(r.expovariate(1 / mean)))


def key(prefix, start, step=1, repeat=1):
    return lambda r, i: f"{prefix}{start + (i // repeat) * step}"


def day(first, last):
    return lambda r, i: f"{r.randrange(first, last + 1)}-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}"


def local_day(first, last, form="{d:02}.{m:02}.{y}"):
    return lambda r, i: form.format(d=r.randrange(1, 29), m=r.randrange(1, 13), y=r.randrange(first, last + 1))


def icd(r, i):
    return r.choices(["I10", "E11.9", "J45.0", "F32.1", "I25.10", "M54.5", "K21.0", "C50.9", "N18.3", "G43.0", "F10.2", "B20", "S72.0",
                      "I48.9", "J44.1", "E78.0", "F20.0", "O80", "R07.4", "L40.0"], range(20, 0, -1))[0]


def czech_number(r, i):
    while True:
        n = f"{r.randrange(54, 100):02}{r.randrange(1, 13) + r.choice([0, 50]):02}{r.randrange(1, 29):02}" + digits(r, 3)
        if int(n) % 11 < 10:
            return f"{n[:6]}/{n[6:]}{int(n) % 11}"


def finnish_number(r, i):
    n = f"{r.randrange(1, 29):02}{r.randrange(1, 13):02}{r.randrange(40, 100):02}"
    serial = f"{r.randrange(2, 900):03}"
    return f"{n}-{serial}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(n + serial) % 31]}"


def romanian_number(r, i):
    n = r.choice("12") + f"{r.randrange(40, 100):02}{r.randrange(1, 13):02}{r.randrange(1, 29):02}{r.randrange(1, 47):02}" + digits(r, 3)
    check = sum(int(a) * int(b) for a, b in zip(n, "279146358279")) % 11
    return n + ("1" if check == 10 else str(check))


def swedish_number(r, i):
    n = f"{r.randrange(40, 100):02}{r.randrange(1, 13):02}{r.randrange(1, 29):02}" + digits(r, 3)
    total = sum(sum(divmod(int(d) * (2 - j % 2), 10)) for j, d in enumerate(n))
    return f"19{n[:6]}-{n[6:]}{-total % 10}"


def spanish_number(r, i):
    n = digits(r, 8)
    return n + "TRWAGMYFPDXBNJZSQVHLCKE"[int(n) % 23]


def text(words, low, high):
    return lambda r, i: " ".join(r.choice(words) for _ in range(r.randrange(low, high)))


FRENCH_NAMES = ("Lefebvre Moreau Girard Roux Fontaine Chevalier Robin Gauthier Perrin Morel Colin Barbier Arnaud Renard Schmitt Leroux "
                "Vidal Caron Picard Gaillard Renaud Lacroix Aubry Marchal Poirier Bertin Humbert Jacquet").split()
FRENCH_GIVEN = ("Chloé Manon Inès Léa Jade Louis Gabriel Hugo Arthur Nathan Théo Clément Margaux Élise Adrien Maxime Romain Julie "
                "Sandrine Thierry Nathalie Philippe").split()
POLISH_NAMES = ("Kowalski Wiśniewska Wójcik Kamińska Lewandowski Zielińska Szymański Woźniak Dąbrowska Kozłowski Jankowska Mazur "
                "Krawczyk Piotrowska Grabowski Pawłowska Michalski Król Wieczorek Jabłońska").split()
POLISH_GIVEN = "Agnieszka Małgorzata Krzysztof Tomasz Zofia Jakub Szymon Hanna Aleksandra Michał Wojciech Paulina Dominik Natalia".split()

BEFORE = [
    ("hospital discharges, German", ";", [
        ("Fallnr", key("", 4400017, 3), [I]),
        ("GebJahr", whole(1928, 2019), [Q]),
        ("Geschl.", one("M", "W", "D", weights=[49, 50, 1]), [Q]),
        ("PLZ3", lambda r, i: r.choice("100 101 104 120 121 130 131 133 134 135 140 141".split()), [Q]),
        ("Aufnahmedatum", local_day(2022, 2023), [Q]),
        ("Aufnahmeanlass", one("E", "N", "V", "Z", "G"), [Q, S]),
        ("HDIA", icd, [S]),
        ("NDIA_1", icd, [S]),
        ("OPS-Kode", one("5-470.11", "5-511.11", "8-930", "1-632.0", "5-820.00", "8-831.0", "3-225", "5-749.0", "1-275.2"), [S]),
        ("Hauptdiagnose Text", one("Essentielle Hypertonie", "Diabetes mellitus Typ 2", "Asthma bronchiale", "Mittelgradige depressive Episode",
                                   "Kreuzschmerz", "Brustkrebs, nicht näher bezeichnet", "Vorhofflimmern", "Alkoholabhängigkeit", "Psoriasis"), [S]),
        ("VWD Tage", counts(6), [Q, S]),
        ("Beatmungsstunden", lambda r, i: "0" if r.random() < 0.9 else str(r.randrange(1, 400)), [S]),
        ("Rechnungsbetrag", money(3800, 0.8, 0, 1, 2), [S]),
        ("Entlassungsgrund", one("regulär", "gegen ärztlichen Rat", "verlegt", "verstorben", "Reha", weights=[80, 5, 8, 3, 4]), [S, Q]),
    ]),
    ("laboratory study, English", ",", [
        ("subject", key("SUBJ-", 1001), [I]),
        ("visit", one("baseline", "month 3", "month 6", "month 12"), [Q, K]),
        ("sex", one("female", "male"), [Q]),
        ("age_at_enrolment", normal(54, 13, 0, 18, 90), [Q]),
        ("ethnic_group", one("White", "Black", "South Asian", "Mixed", "Other", weights=[70, 10, 12, 4, 4]), [Q, S]),
        ("hba1c", normal(48, 11, 0, 25, 130), [S]),
        ("ldl_mmol_l", normal(3.1, 0.9, 1, 0.8, 8), [S]),
        ("creatinine", normal(82, 21, 0, 35, 400), [S]),
        ("sbp", normal(134, 17, 0, 85, 220), [S]),
        ("bmi", normal(27.4, 4.9, 1, 15, 55), [S, Q]),
        ("hiv_status", one("negative", "positive", "unknown", weights=[90, 4, 6]), [S]),
        ("smoker", one("never", "former", "current"), [S, Q]),
        ("atc", one("A10BA02", "C09AA05", "C10AA01", "N06AB04", "B01AC06", "A02BC01", "R03AC02", "N05BA12"), [S]),
        ("medication", one("metformin", "ramipril", "simvastatin", "citalopram", "aspirin", "omeprazole", "salbutamol", "alprazolam"), [S]),
        ("adverse_event", one("none", "nausea", "rash", "headache", "hospitalisation", weights=[80, 8, 4, 6, 2]), [S]),
    ]),
    ("payroll, French", ";", [
        ("matricule", key("E", 20211, 7), [I]),
        ("nom", lambda r, i: r.choice(FRENCH_NAMES), [I]),
        ("prenom", lambda r, i: r.choice(FRENCH_GIVEN), [I]),
        ("date_naissance", local_day(1959, 2002, "{d:02}/{m:02}/{y}"), [Q]),
        ("sexe", one("F", "H"), [Q]),
        ("cp", lambda r, i: f"{r.choice(['75', '92', '93', '94'])}{r.randrange(30):03}", [Q]),
        ("service", one("RH", "Achats", "Production", "Informatique", "Juridique", "Commercial"), [Q]),
        ("intitulé de poste", one("assistant", "technicien", "ingénieur", "cadre", "directeur", "ouvrier"), [Q]),
        ("salaire_base", money(2600, 0.35, 0, 10), [S]),
        ("prime", money(900, 0.7, 0.6, 50), [S]),
        ("retenue_pas", money(180, 0.8, 0.2, 1, 2), [S]),
        ("jours_maladie", lambda r, i: "0" if r.random() < 0.6 else str(int(r.expovariate(0.15))), [S]),
        ("handicap", one("non", "RQTH", weights=[95, 5]), [S]),
        ("adhérent syndicat", one("non", "CFDT", "CGT", "FO", weights=[85, 6, 6, 3]), [S]),
        ("note_annuelle", one("A", "B", "C", "D", weights=[20, 50, 25, 5]), [S]),
    ]),
    ("loans, Spanish", ",", [
        ("id_solicitud", key("", 90001, 1), [I]),
        ("nif", spanish_number, [I]),
        ("provincia", one(*"Madrid Sevilla Málaga Murcia Toledo Burgos Lugo Huelva Jaén Soria Cádiz Girona Lleida Álava Teruel".split()), [Q]),
        ("edad", normal(43, 12, 0, 18, 85), [Q]),
        ("estado_civil", one("soltero", "casado", "divorciado", "viudo"), [Q]),
        ("situacion_laboral", one("indefinido", "temporal", "autónomo", "desempleado", "jubilado"), [Q]),
        ("ingresos_netos", money(1700, 0.5, 0.05, 1, 2), [S]),
        ("deuda_total", money(14000, 1.1, 0.3, 1, 2), [S]),
        ("saldo_medio", money(3100, 1.3, 0.02, 1, 2), [S]),
        ("cuota", money(240, 0.5, 0, 1, 2), [S]),
        ("puntuacion", normal(640, 85, 0, 300, 850), [S]),
        ("impago", one("0", "1", weights=[92, 8]), [S]),
        ("motivo_rechazo", one("", "ingresos insuficientes", "historial", "endeudamiento", weights=[75, 10, 8, 7]), [S]),
        ("num_hijos", one("0", "1", "2", "3", "4", weights=[40, 25, 25, 8, 2]), [Q]),
    ]),
    ("survey of households, Italian", ",", [
        ("id_intervista", key("INT", 5001), [I]),
        ("eta", normal(49, 17, 0, 18, 96), [Q]),
        ("genere", one("femmina", "maschio", "altro", weights=[51, 48, 1]), [Q]),
        ("regione", one(*"Lazio Puglia Toscana Umbria Veneto Sicilia Liguria Marche Molise Calabria".split()), [Q]),
        ("titolo_studio", one("licenza media", "diploma", "laurea", "dottorato"), [Q]),
        ("condizione_professionale", one("occupato", "disoccupato", "studente", "pensionato", "casalinga"), [Q]),
        ("componenti_famiglia", whole(1, 6), [Q]),
        ("reddito_familiare", one("<10000", "10000-20000", "20000-35000", "35000-50000", ">50000"), [S]),
        ("voto_ultime_elezioni", one("astenuto", "lista A", "lista B", "lista C", "lista D", "non risponde"), [S]),
        ("orientamento_sessuale", one("etero", "omo", "bi", "non risponde", weights=[88, 4, 4, 4]), [S]),
        ("credente", one("sì", "no", "non risponde"), [S]),
        ("spesa_alimentare", money(420, 0.4, 0, 10), [S]),
        ("soddisfazione_vita", whole(0, 10), [S]),
        ("osservazioni", text("la vita nel quartiere è cara ma i servizi sono buoni e vicini alla stazione centrale".split(), 7, 16), [D]),
    ]),
    ("recorded crime, Dutch", ",", [
        ("proces-verbaal", key("PV2023-", 31007, 13), [I]),
        ("pleegdatum", day(2021, 2023), [Q]),
        ("pc4", whole(1011, 1060), [Q]),
        ("breedtegraad", lambda r, i: f"{r.uniform(52.3, 52.45):.5f}", [Q]),
        ("lengtegraad", lambda r, i: f"{r.uniform(4.75, 5.05):.5f}", [Q]),
        ("leeftijd verdachte", normal(29, 10, 0, 12, 80), [Q]),
        ("geslacht verdachte", one("man", "vrouw", weights=[82, 18]), [Q]),
        ("geboorteland", one("NL", "MA", "TR", "SR", "PL", "DE", weights=[70, 8, 7, 6, 6, 3]), [Q]),
        ("delict", one("diefstal", "mishandeling", "inbraak", "bedreiging", "oplichting", "drugshandel", "zedendelict"), [S]),
        ("slachtoffer relatie", one("onbekende", "partner", "familie", "buur", "collega"), [S]),
        ("afdoening", one("sepot", "transactie", "dagvaarding", "strafbeschikking"), [S]),
        ("straf_maanden", lambda r, i: "0" if r.random() < 0.7 else str(r.choice([1, 2, 3, 4, 6, 8, 9, 12, 18, 24, 36])), [S]),
        ("eerder veroordeeld", one("ja", "nee"), [S]),
        ("schadebedrag", money(750, 1.2, 0.35, 5), [S]),
    ]),
    ("school results, Polish", ",", [
        ("nr_legitymacji", key("L/", 70021, 3), [I]),
        ("imię ucznia", lambda r, i: r.choice(POLISH_GIVEN), [I]),
        ("nazwisko ucznia", lambda r, i: r.choice(POLISH_NAMES), [I]),
        ("rok_ur", whole(2005, 2009), [Q]),
        ("płeć ucznia", one("K", "M"), [Q]),
        ("powiat", one(*"krakowski wielicki tarnowski nowosądecki bocheński brzeski gorlicki limanowski miechowski olkuski".split()), [Q]),
        ("typ szkoły", one("liceum", "technikum", "branżowa"), [Q]),
        ("matura_matematyka", normal(58, 21, 0, 0, 100), [S]),
        ("ocena_zachowanie", one("wzorowe", "bardzo dobre", "dobre", "poprawne", "naganne"), [S]),
        ("średnia", normal(3.8, 0.6, 2, 1, 6), [S]),
        ("nieobecności", counts(35), [S, Q]),
        ("stypendium_zł", money(300, 0.4, 0.75, 10), [S]),
        ("orzeczenie", one("brak", "dysleksja", "autyzm", "niepełnosprawność ruchowa", weights=[86, 9, 3, 2]), [S]),
        ("wynik", one("zdał", "nie zdał", weights=[83, 17]), [S]),
    ]),
    ("tax register, Swedish", ";", [
        ("personnummer", swedish_number, [I]),
        ("födelseår", whole(1935, 2003), [Q]),
        ("kön", one("1", "2"), [Q]),
        ("kommun", one(*"0114 0115 0117 0120 0123 0125 0126 0127 0128 0136 0138 0139 0140 0160 0180".split()), [Q]),
        ("civilstånd", one("OG", "G", "S", "Ä"), [Q]),
        ("förvärvsinkomst", money(310000, 0.5, 0.08, 100), [S]),
        ("kapitalinkomst", money(9000, 1.5, 0.6, 1), [S]),
        ("slutlig skatt", money(82000, 0.6, 0.1, 1), [S]),
        ("fastighetsvärde", money(1900000, 0.5, 0.45, 1000), [S]),
        ("bostadsbidrag", money(18000, 0.4, 0.9, 12), [S]),
        ("skuld KFM", money(26000, 1.2, 0.93, 1), [S]),
        ("antal barn", one("0", "1", "2", "3", weights=[50, 20, 22, 8]), [Q]),
    ]),
    ("pharmacy claims, English", ",", [
        ("member_id", key("M", 880012, 17, 2), [I]),
        ("yob", whole(1930, 2015), [Q]),
        ("gender_cd", one("F", "M", "U", weights=[52, 47, 1]), [Q]),
        ("zip3", one(*"021 022 023 024 025 100 101 102 103 104".split()), [Q]),
        ("plan_type", one("HMO", "PPO", "POS", "EPO"), [Q]),
        ("fill_dt", day(2022, 2022), [Q]),
        ("ndc", one("00093-7146-56", "00071-0155-23", "00378-3855-93", "68180-0513-01", "16714-0299-02", "00781-1506-10", "65862-0598-01"), [S]),
        ("drug_name", one("Atorvastatin 20 mg tablet", "Sertraline 50 mg tablet", "Escitalopram 10 mg", "Lisinopril 10 mg", "Amoxicillin 500 mg",
                          "Methadone 10 mg", "Zidovudine 300 mg"), [S]),
        ("days_supply", one("7", "14", "30", "60", "90", weights=[10, 10, 50, 10, 20]), [S, Q]),
        ("copay", money(12, 0.6, 0.2, 5), [S]),
        ("plan_paid_amt", money(46, 1.0, 0.05, 1, 2), [S]),
        ("snomed", one("44054006", "38341003", "195967001", "35489007", "73211009", "13645005", "86406008"), [S]),
        ("snomed_term", one("Diabetes mellitus type 2", "Hypertensive disorder", "Asthma", "Depressive disorder", "Diabetes mellitus",
                            "Chronic obstructive lung disease", "Human immunodeficiency virus infection"), [S]),
        ("prescriber_npi", lambda r, i: "1" + str(300000000 + r.randrange(40) * 7919), [I, Q]),
    ]),
    ("social benefits, Czech", ",", [
        ("rodné číslo", czech_number, [I]),
        ("obec", one(*"Brno Zlín Vsetín Kyjov Hodonín Znojmo Mikulov Blansko Třebíč Jihlava Kroměříž Uherský".split()), [Q]),
        ("věk", normal(47, 16, 0, 18, 95), [Q]),
        ("pohlaví", one("muž", "žena"), [Q]),
        ("počet dětí", one("0", "1", "2", "3", "4", weights=[35, 25, 28, 9, 3]), [Q]),
        ("dávka Kč", money(4200, 0.5, 0.1, 10), [S]),
        ("příjem domácnosti", money(28000, 0.4, 0.03, 100), [S]),
        ("stupeň invalidity", one("0", "1", "2", "3", weights=[80, 8, 6, 6]), [S]),
        ("diagnóza MKN", icd, [S]),
        ("dluh na nájmu", money(11000, 0.9, 0.8, 100), [S]),
        ("výsledek řízení", one("přiznáno", "zamítnuto", "zastaveno", weights=[75, 20, 5]), [S]),
        ("poznámka", text("žadatel dodal doklady pozdě a byl vyzván k doplnění údajů o příjmu za minulé období".split(), 6, 14), [D]),
    ]),
    ("mental health, Finnish", ",", [
        ("henkilötunnus", finnish_number, [I]),
        ("ikäryhmä", one("18-24", "25-34", "35-44", "45-54", "55-64", "65+"), [Q]),
        ("sukupuoli", one("mies", "nainen", "muu", weights=[45, 54, 1]), [Q]),
        ("maakunta", one(*"Uusimaa Pirkanmaa Lappi Kainuu Satakunta Pohjanmaa Kymenlaakso".split()), [Q]),
        ("koulutus", one("perusaste", "toinen aste", "korkea-aste"), [Q]),
        ("PHQ9_summa", lambda r, i: str(min(27, int(r.expovariate(0.13)))), [S]),
        ("GAD7_summa", lambda r, i: str(min(21, int(r.expovariate(0.16)))), [S]),
        ("AUDIT", lambda r, i: str(min(40, int(r.expovariate(0.16)))), [S]),
        ("itsetuhoisuus", one("ei", "kyllä", weights=[88, 12]), [S]),
        ("lääkitys", one("ei", "essitalopraami", "ketiapiini", "mirtatsapiini", "litium", weights=[50, 20, 12, 14, 4]), [S]),
        ("päädiagnoosi", one("F32.1", "F33.2", "F41.1", "F20.0", "F60.3", "F31.9", "F10.2"), [S]),
        ("sairauspäivät", lambda r, i: "0" if r.random() < 0.5 else str(int(r.expovariate(0.03))), [S]),
    ]),
    ("motor insurance, Romanian", ",", [
        ("CNP", romanian_number, [I]),
        ("nr. înmatriculare", lambda r, i: f"{r.choice(['B', 'CJ', 'IS', 'TM'])} {r.randrange(10, 999)} {''.join(r.choice('ABCDEFGHJKLMNPRSTUVWXYZ') for _ in range(3))}", [I]),
        ("județ", one(*"Cluj Iași Timiș Dolj Brașov Sibiu Bacău Arad Bihor Galați".split()), [Q]),
        ("vârsta", normal(44, 13, 0, 18, 88), [Q]),
        ("profesie", one("medic", "profesor", "șofer", "inginer", "agricultor", "pensionar"), [Q]),
        ("an fabricație", whole(1998, 2023), [Q]),
        ("capacitate_cmc", one("999", "1197", "1396", "1461", "1598", "1968", "1995"), [Q]),
        ("primă anuală", money(1450, 0.4, 0, 1, 2), [S]),
        ("despăgubire", money(5200, 1.0, 0.88, 1, 2), [S]),
        ("cauza daunei", one("", "coliziune", "furt", "grindină", "alcool la volan", weights=[88, 7, 2, 2, 1]), [S]),
        ("scor_risc", normal(52, 18, 1, 0, 100), [S]),
        ("stare dosar", one("fără daună", "plătit", "respins", "în instanță", weights=[86, 9, 3, 2]), [S, Q]),
    ]),
]

HUNGARIAN = "Kovács Szabó Tóth Kiss Molnár Farkas Balogh Papp Takács Juhász Lakatos Mészáros Oláh Rácz Fekete Szilágyi".split()
AFTER = [
    ("hospital stays, Danish", ";", [
        ("løbenr", key("", 1), [I]),
        ("patientkode", key("PT", 5000, 11, 2), [I]),
        ("fødselsår", whole(1930, 2018), [Q]),
        ("køn", one("K", "M"), [Q]),
        ("bopælskommune", one(*"101 147 151 153 155 157 159 161 163 165".split()), [Q]),
        ("sygehus", one("Rigshospitalet", "Herlev", "Hvidovre", "Bispebjerg"), [Q]),
        ("behandlingsdato", day(2020, 2022), [Q]),
        ("aktionsdiagnose", icd, [S]),
        ("bidiagnose", icd, [S]),
        ("medicin", one("paracetamol", "ibuprofen", "morfin", "metformin", "sertralin"), [S]),
        ("sengedage", counts(5), [Q, S]),
        ("blodtryk_sys", normal(133, 16, 0, 85, 220), [S]),
        ("rygestatus", one("aldrig", "tidligere", "dagligt"), [S, Q]),
        ("genindlagt", one("ja", "nej", weights=[12, 88]), [S, Q]),
        ("takst_kr", money(21000, 0.7, 0, 1), [S]),
    ]),
    ("wages and health at work, Hungarian", ",", [
        ("törzsszám", key("T-", 30001, 7), [I]),
        ("név", lambda r, i: r.choice(HUNGARIAN) + " " + r.choice(["Anna", "Péter", "Éva", "László", "Zsófia", "Gábor", "Ilona"]), [I]),
        ("születési idő", day(1958, 2003), [Q]),
        ("nem", one("férfi", "nő"), [Q]),
        ("munkakör", one("raktáros", "könyvelő", "mérnök", "takarító", "vezető"), [Q]),
        ("irányítószám", lambda r, i: str(1010 + 10 * r.randrange(30)), [Q]),
        ("alapbér", money(420000, 0.4, 0, 1000), [S]),
        ("jutalom", money(60000, 0.6, 0.5, 1000), [S]),
        ("levont adó", money(63000, 0.4, 0.05, 1), [S]),
        ("táppénzes napok", lambda r, i: "0" if r.random() < 0.6 else str(int(r.expovariate(0.1))), [S]),
        ("megváltozott munkaképesség", one("nincs", "részleges", "teljes", weights=[94, 4, 2]), [S]),
        ("szakszervezeti tag", one("igen", "nem", weights=[15, 85]), [S]),
        ("teljesítményértékelés", one("1", "2", "3", "4", "5"), [S]),
        ("gyermekek száma", one("0", "1", "2", "3"), [Q]),
    ]),
    ("bank customers, Portuguese", ",", [
        ("nº de cliente", key("", 700013, 3), [I]),
        ("nº do contrato de crédito", lambda r, i: digits(r, 9), [I]),
        ("concelho", one(*"Lisboa Porto Braga Faro Évora Leiria Viseu Guarda Beja Setúbal".split()), [Q]),
        ("data de nascimento", day(1940, 2004), [Q]),
        ("estado civil", one("solteiro", "casado", "divorciado", "viúvo"), [Q]),
        ("tipo de contrato", one("sem termo", "a termo", "independente"), [Q]),
        ("vencimento líquido", money(1100, 0.5, 0.05, 1, 2), [S]),
        ("saldo à ordem", money(2300, 1.3, 0, 1, 2), [S]),
        ("montante em dívida", money(31000, 1.0, 0.4, 1, 2), [S]),
        ("prestação mensal", money(310, 0.5, 0.4, 1, 2), [S]),
        ("incumprimento", one("não", "sim", weights=[94, 6]), [S]),
        ("classe de risco", one("A", "B", "C", "D", "E"), [S]),
        ("agência", one(*"0012 0045 0101 0133 0207 0256 0311 0420 0477".split()), [Q]),
        ("data do crédito", day(2015, 2023), [Q]),
    ]),
    ("survey of students, Greek", ",", [
        ("κωδικός ερωτηματολογίου", key("Q", 2001), [I]),
        ("φύλο", one("άνδρας", "γυναίκα"), [Q]),
        ("ηλικία", normal(22, 3, 0, 17, 45), [Q]),
        ("νομός κατοικίας", one("Αττικής", "Αχαΐας", "Ηρακλείου", "Λάρισας", "Κοζάνης"), [Q]),
        ("τμήμα", one("Φυσικής", "Ιατρικής", "Νομικής", "Φιλολογίας"), [Q]),
        ("βαθμός πτυχίου", normal(7.1, 0.9, 2, 5, 10), [S]),
        ("οικογενειακό εισόδημα", money(19000, 0.6, 0.03, 100), [S]),
        ("θρήσκευμα", one("ορθόδοξος", "καθολικός", "μουσουλμάνος", "άθεος"), [S]),
        ("πολιτική τοποθέτηση", whole(0, 10), [S]),
        ("κάπνισμα", one("ναι", "όχι"), [S, Q]),
        ("κλίμακα άγχους", whole(0, 21), [S]),
        ("ψυχολογική υποστήριξη", one("ναι", "όχι", weights=[20, 80]), [S]),
    ]),
    ("court cases, Croatian", ",", [
        ("broj predmeta", lambda r, i: f"K-{100 + i}/2023", [I]),
        ("spol okrivljenika", one("M", "Ž", weights=[84, 16]), [Q]),
        ("dob okrivljenika", normal(33, 11, 0, 14, 80), [Q]),
        ("županija", one(*"Zagrebačka Splitska Istarska Osječka Zadarska Varaždinska".split()), [Q]),
        ("datum presude", local_day(2021, 2023), [Q]),
        ("kazneno djelo", one("krađa", "prijevara", "nasilje u obitelji", "ubojstvo", "tjelesna ozljeda"), [S]),
        ("vrsta sankcije", one("novčana kazna", "uvjetna osuda", "zatvor", "rad za opće dobro"), [S]),
        ("kazna_mjeseci", lambda r, i: str(r.choice([0, 0, 0, 3, 6, 8, 12, 18, 24])), [S]),
        ("prijašnje osude", one("0", "1", "2", "3", weights=[60, 20, 12, 8]), [S]),
        ("iznos štete", money(900, 1.3, 0.3, 1, 2), [S]),
        ("branitelj", one("po službenoj dužnosti", "izabrani", "nema"), [Q]),
    ]),
    ("clinic and billing, English", ",", [
        ("prescription_no", key("RX", 912003, 3), [I]),
        ("invoice_id", lambda r, i: str(40000000 + r.randrange(10 ** 7)), [I]),
        ("insurance_policy", lambda r, i: f"{r.choice('ABC')}{digits(r, 7)}", [I]),
        ("attending_name", lambda r, i: r.choice(["Dr ", ""]) + r.choice("Smith Jones Patel Murphy Walsh Evans Thomas Wright Hughes Kelly".split()), [I, Q]),
        ("date_of_treatment", day(2021, 2023), [Q]),
        ("year_of_diagnosis", whole(1985, 2023), [Q]),
        ("age_at_surgery", normal(58, 14, 0, 18, 92), [Q]),
        ("test_site", one("North", "South", "Harbour", "Campus"), [Q]),
        ("cost_centre", one(*"4100 4200 4310 4320 5100".split()), [Q, S]),
        ("payment_method", one("card", "transfer", "cash", "insurer"), [Q, S]),
        ("tumour_stage", one("I", "II", "III", "IV"), [S]),
        ("karnofsky", one(*"40 50 60 70 80 90 100".split()), [S]),
        ("pain_score", whole(0, 10), [S]),
        ("haemoglobin_g_l", normal(136, 15, 0, 60, 200), [S]),
        ("alive_at_5y", one("yes", "no"), [S]),
        ("amount_due", money(120, 0.9, 0.4, 1, 2), [S]),
        ("housing_benefit", one("yes", "no", weights=[15, 85]), [S]),
        ("number_of_visits", counts(3), [Q]),
    ]),
]

# Written after AFTER had been read, before any word was added for it; judged before and after that.
LATER = [
    ("payroll, Slovak", ";", [
        ("osobné číslo", key("Z", 4001, 3), [I]),
        ("pohlavie", one("muž", "žena"), [Q]),
        ("rok narodenia", whole(1958, 2003), [Q]),
        ("okres", one(*"Bratislava Košice Nitra Žilina Prešov Trnava".split()), [Q]),
        ("pozícia", one("účtovník", "skladník", "vodič", "vedúci"), [Q]),
        ("základná mzda", money(1200, 0.35, 0, 1), [S]),
        ("príplatok za nadčas", money(140, 0.7, 0.4, 1), [S]),
        ("daň", money(160, 0.4, 0.05, 1, 2), [S]),
        ("dni PN", lambda r, i: "0" if r.random() < 0.6 else str(int(r.expovariate(0.12))), [S]),
        ("invalidita", one("nie", "áno", weights=[95, 5]), [S]),
        ("exekúcia", one("nie", "áno", weights=[93, 7]), [S]),
        ("hodnotenie", one("1", "2", "3", "4"), [S]),
        ("dátum nástupu", local_day(2005, 2023), [Q]),
    ]),
    ("rehabilitation, Slovene", ",", [
        ("šifra pacienta", key("P", 9000, 7), [I]),
        ("starost", normal(61, 14, 0, 18, 95), [Q]),
        ("spol", one("M", "Ž"), [Q]),
        ("občina", one(*"Ljubljana Maribor Celje Kranj Koper Velenje".split()), [Q]),
        ("datum sprejema", local_day(2021, 2023), [Q]),
        ("kajenje", one("da", "ne", weights=[25, 75]), [S, Q]),
        ("bolečina_VAS", whole(0, 10), [S]),
        ("diagnoza", icd, [S]),
        ("zdravila", one("paracetamol", "tramadol", "naproksen", "brez"), [S]),
        ("indeks Barthel", whole(0, 100), [S]),
        ("bolniška (dni)", counts(20), [S]),
        ("stopnja invalidnosti", one("I", "II", "III", ""), [S]),
        ("oddelek", one("A1", "A2", "B1"), [Q]),
    ]),
    ("social work, Lithuanian", ",", [
        ("bylos nr", key("B", 1200, 3), [I]),
        ("lytis", one("vyras", "moteris"), [Q]),
        ("amžius", normal(43, 16, 0, 1, 95), [Q]),
        ("savivaldybė", one(*"Vilniaus Kauno Klaipėdos Šiaulių Panevėžio".split()), [Q]),
        ("pajamos per mėnesį", money(640, 0.6, 0.1, 1), [S]),
        ("pašalpa", money(180, 0.5, 0.3, 1), [S]),
        ("skola už būstą", money(420, 1.1, 0.6, 1, 2), [S]),
        ("priklausomybė", one("nėra", "alkoholis", "lošimai", "narkotikai", weights=[70, 20, 5, 5]), [S]),
        ("smurtas šeimoje", one("ne", "taip", weights=[90, 10]), [S]),
        ("neįgalumo lygis", one("", "vidutinis", "sunkus", weights=[85, 10, 5]), [S]),
        ("vaikų skaičius", one("0", "1", "2", "3"), [Q]),
        ("tautybė", one("lietuvis", "lenkas", "rusas"), [Q, S]),
    ]),
    ("judicial statistics, French", ";", [
        ("n° dossier", key("D", 77001, 3), [I]),
        ("sexe", one("H", "F", weights=[85, 15]), [Q]),
        ("âge au moment des faits", normal(31, 11, 0, 13, 80), [Q]),
        ("département", one(*"01 13 31 33 59 69 75 92".split()), [Q]),
        ("profession", one("ouvrier", "employé", "sans", "étudiant"), [Q]),
        ("infraction", one("vol", "violences", "stupéfiants", "escroquerie"), [S]),
        ("condamnations antérieures", one("0", "1", "2", "3"), [S]),
        ("durée de la peine (mois)", lambda r, i: str(r.choice([0, 0, 1, 3, 6, 12, 24])), [S]),
        ("montant de l'amende", money(450, 0.7, 0.5, 10), [S]),
        ("récidive", one("oui", "non", weights=[30, 70]), [S]),
        ("date du jugement", local_day(2020, 2023), [Q]),
        ("aide juridictionnelle", one("oui", "non"), [S, Q]),
    ]),
    ("insurance claims, Estonian", ";", [
        ("poliisi number", key("P", 880001, 7), [I]),
        ("sünniaasta", whole(1945, 2004), [Q]),
        ("maakond", one("Harju", "Tartu", "Pärnu", "Ida-Viru", "Võru"), [Q]),
        ("amet", one("õpetaja", "autojuht", "arst", "müüja"), [Q]),
        ("kindlustusmakse", money(220, 0.4, 0, 1, 2), [S]),
        ("hüvitis", money(1400, 1.1, 0.8, 1, 2), [S]),
        ("kahju põhjus", one("", "avarii", "vargus", "tulekahju", weights=[80, 12, 4, 4]), [S]),
        ("brutopalk", money(1500, 0.4, 0, 1), [S]),
        ("töövõimetus", one("puudub", "osaline", "täielik", weights=[92, 5, 3]), [S]),
        ("krediidiskoor", normal(610, 90, 0, 300, 850), [S]),
        ("auto aasta", whole(1999, 2023), [Q]),
    ]),
    ("employee survey, German", ";", [
        ("Fragebogennummer", key("F", 1), [I]),
        ("Geschlecht", one("m", "w", "d", weights=[48, 49, 3]), [Q]),
        ("Altersgruppe", one("unter 30", "30-39", "40-49", "50+"), [Q]),
        ("Standort", one("Kiel", "Ulm", "Gera"), [Q]),
        ("Betriebszugehörigkeit Jahre", whole(0, 40), [Q]),
        ("Krankheitstage", counts(9), [S]),
        ("Burnout-Skala", whole(0, 30), [S]),
        ("Mobbing erlebt", one("nein", "ja", weights=[88, 12]), [S]),
        ("Gewerkschaftsmitglied", one("ja", "nein", weights=[20, 80]), [S]),
        ("Arbeitszufriedenheit", one("1", "2", "3", "4", "5"), [S]),
        ("Kündigungsabsicht", one("1", "2", "3", "4", "5"), [S]),
        ("Zulage in Euro", money(150, 0.5, 0.5, 10), [S]),
        ("Testgruppe", one("A", "B"), [Q]),
        ("Kostenstelle", one("4100", "4200", "5100"), [Q]),
    ]),
]

# Written after the words were added, and judged once: no word was changed for it.
LAST = [
    ("hospital, Bulgarian", ",", [
        ("номер на досие", key("Д", 10001, 3), [I]),
        ("пол", one("мъж", "жена"), [Q]),
        ("възраст", normal(57, 17, 0, 1, 98), [Q]),
        ("област", one("София", "Пловдив", "Варна", "Бургас", "Русе"), [Q]),
        ("дата на приемане", local_day(2021, 2023), [Q]),
        ("диагноза", icd, [S]),
        ("кръвна захар", normal(6.4, 1.6, 1, 3, 20), [S]),
        ("операция", one("да", "не"), [S]),
        ("усложнения", one("няма", "инфекция", "кървене", weights=[85, 9, 6]), [S]),
        ("тютюнопушене", one("да", "не"), [S, Q]),
        ("цена на лечението", money(900, 0.8, 0, 1, 2), [S]),
        ("изход", one("изписан", "починал", "преведен", weights=[92, 3, 5]), [S]),
        ("отделение", one("хирургия", "кардиология", "неврология"), [Q]),
    ]),
    ("staff records, Italian", ";", [
        ("matricola dipendente", key("M", 3001, 7), [I]),
        ("sesso", one("M", "F"), [Q]),
        ("data di nascita", local_day(1960, 2002), [Q]),
        ("provincia", one(*"MI TO BO NA BA PA FI".split()), [Q]),
        ("qualifica", one("operaio", "impiegato", "quadro", "dirigente"), [Q]),
        ("stipendio lordo", money(1900, 0.35, 0, 1, 2), [S]),
        ("premio di risultato", money(700, 0.6, 0.4, 1), [S]),
        ("trattenute", money(350, 0.4, 0.05, 1, 2), [S]),
        ("giorni di malattia", counts(7), [S]),
        ("legge 104", one("no", "sì", weights=[93, 7]), [S]),
        ("iscritto al sindacato", one("sì", "no", weights=[30, 70]), [S]),
        ("provvedimenti disciplinari", one("0", "1", "2", weights=[90, 8, 2]), [S]),
        ("giudizio annuale", one("ottimo", "buono", "sufficiente"), [S]),
        ("data di assunzione", local_day(2000, 2023), [Q]),
        ("centro di costo", one("CC10", "CC20", "CC30"), [Q]),
    ]),
    ("school and family, Latvian", ",", [
        ("skolēna kods", key("S", 501), [I]),
        ("dzimums", one("zēns", "meitene"), [Q]),
        ("vecums", whole(7, 18), [Q]),
        ("novads", one(*"Rīgas Cēsu Ogres Tukuma Bauskas".split()), [Q]),
        ("klase", one("1", "3", "5", "7", "9", "12"), [Q]),
        ("vidējā atzīme", normal(7.2, 1.3, 1, 2, 10), [S]),
        ("kavējumi", counts(12), [S]),
        ("ģimenes ienākumi", money(1100, 0.5, 0.02, 10), [S]),
        ("invaliditāte", one("nav", "ir", weights=[95, 5]), [S]),
        ("uzvedības traucējumi", one("nav", "ir", weights=[90, 10]), [S]),
        ("brīvpusdienas", one("jā", "nē", weights=[30, 70]), [S]),
        ("brāļi un māsas", one("0", "1", "2", "3"), [Q]),
    ]),
    ("lending, English", ",", [
        ("application_ref", key("APP", 50001, 3), [I]),
        ("applicant_age", normal(41, 12, 0, 18, 80), [Q]),
        ("region", one("North", "East", "South", "West"), [Q]),
        ("employment_type", one("employed", "self-employed", "retired"), [Q]),
        ("home_ownership", one("own", "rent", "mortgage"), [Q, S]),
        ("annual_income", money(36000, 0.5, 0, 100), [S]),
        ("dti", normal(22, 8, 1, 0, 60), [S]),
        ("fico", normal(690, 60, 0, 300, 850), [S]),
        ("delinquencies_2y", one("0", "1", "2", "3", weights=[80, 12, 5, 3]), [S]),
        ("bankruptcies", one("0", "1", weights=[93, 7]), [S]),
        ("loan_amount", money(12000, 0.6, 0, 100), [S]),
        ("interest_rate", normal(11, 3, 2, 4, 28), [S, Q]),
        ("loan_status", one("paid", "current", "charged off", weights=[60, 30, 10]), [S]),
        ("application_date", day(2019, 2023), [Q]),
        ("branch", one("Leeds", "York", "Hull"), [Q]),
    ]),
]
