/* Detectors: values of each form and values that nearly have it; whole columns, by values alone and
 * by names in several languages. */
#include "data/dataset.h"
#include "kanon/profile.h"
#include "utility/profile/detectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef bool value_test(const char *text, size_t len);

static void expect(value_test *test, const char *what, bool wanted, const char *const *texts)
{
    for (size_t i = 0; texts[i]; i++) {
        if (test(texts[i], strlen(texts[i])) != wanted) {
            fail_msg("%s: \"%s\" should be %s", what, texts[i], wanted ? "one" : "none");
        }
    }
}

#define ARE(test, ...)    expect(test, #test, true, (const char *const[]){__VA_ARGS__, NULL})
#define ARE_NO(test, ...) expect(test, #test, false, (const char *const[]){__VA_ARGS__, NULL})

static void test_forms(void **state)
{
    (void)state;
    ARE(kn__is_email, "a@b.de", "first.last+tag@sub.example.org", "ж@почта.бг");
    ARE_NO(kn__is_email, "a@b", "@b.de", "a@b@c.de", "a b@c.de", "a.b.de", "a@b.d", "a@.de");
    ARE(kn__is_url, "http://example.org/x", "HTTPS://EXAMPLE.ORG", "www.example.org");
    ARE_NO(kn__is_url, "example.org", "see http://example.org", "www", "httpd.conf");
    ARE(kn__is_uuid, "87ba3fec-791b-4565-87b6-cf9ce1dec850",
        "{87BA3FEC-791B-4565-87B6-CF9CE1DEC850}");
    ARE_NO(kn__is_uuid, "87ba3fec791b456587b6cf9ce1dec850", "87ba3fec-791b-4565-87b6-cf9ce1dec85",
           "87ba3feg-791b-4565-87b6-cf9ce1dec850");
    ARE(kn__is_iban, "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432",
        "FR1420041010050500013M02606", "NL91ABNA0417164300");
    ARE_NO(kn__is_iban, "DE88 3704 0044 0532 0130 00", "DE89", "89370400440532013000",
           "GB82WEST1234569876543!");
    ARE(kn__is_payment_card, "4111 1111 1111 1111", "5500005555555559", "340000000000009");
    ARE_NO(kn__is_payment_card, "4111 1111 1111 1112", "1111111111111", "4111");
    ARE(kn__is_network_address, "192.168.0.1", "2001:db8::8a2e:370:7334", "00:1A:2b:3C:4d:5E");
    ARE_NO(kn__is_network_address, "192.168.0.256", "1.2.3", "12:30", "12:30:05", "1.2.3.4.5");
    ARE(kn__is_phone, "+49 30 1234567", "(555) 123-4567", "030/1234567", "25-989-741-2988",
        "+3531234567");
    ARE_NO(kn__is_phone, "1234567", "31.12.1980", "1980-12-31", "12345-678", "1.234.567,89",
           "123-45", "call me");
    ARE(kn__is_street_address, "342 Reinger Mews",
        "Hauptstra\xc3\x9f"
        "e 12",
        "Hauptstr. 12a", "10 Rue de la Paix", "Via Roma, 7");
    ARE_NO(kn__is_street_address, "Hauptstr", "12", "12 34", "Amoxicillin 250 MG Oral Tablet",
           "2020-01-01 x");
    ARE(kn__is_coordinate_pair, "52.5200, 13.4050", "(-33.86,151.21)", "48.85;2.35");
    ARE_NO(kn__is_coordinate_pair, "52.5200", "95.10,13.40", "1,2", "52.52, 13.40, 34.1",
           "52.52,190.40");
    ARE(kn__is_postcode_of_form, "SW1A 1AA", "1012 AB", "00-950", "1000-001", "113 51", "D02 AF30",
        "K1A 0B1", "LV-1050");
    ARE_NO(kn__is_postcode_of_form, "10115", "SW1A", "1012 ABC", "00-95", "A1");
    ARE(kn__is_postcode_of_digits, "10115", "0150", "91911.0");
    ARE_NO(kn__is_postcode_of_digits, "101", "1234567", "1011.5", "10 15");
    ARE(kn__is_icd10, "E11", "E11.9", "S72.001A", "C50.-", "E119", "C4A");
    ARE_NO(kn__is_icd10, "E1", "e11.9", "E11.", "11.9", "EE1", "E11X9");
    ARE(kn__is_icd9, "250", "250.83", "V27", "E885.9", "8");
    ARE_NO(kn__is_icd9, "2500", "250.", "250.833", "V2", "X27", "E88x");
    ARE(kn__is_snomed, "65363002", "195662009", "300913006", "10509002.0");
    ARE_NO(kn__is_snomed, "65363003", "195662008", "65363", "6536300x");
    ARE(kn__is_prose, "the patient fell from a tree", "wurde am Montag entlassen, geht gut");
    ARE_NO(kn__is_prose, "Acute Viral Pharyngitis", "A B C D E", "one two three", "");
}

static void test_medical_values(void **state)
{
    (void)state;
    ARE(kn__is_atc, "A10BA02", "C09AA", "N06A");
    ARE_NO(kn__is_atc, "E10BA02", "A1BA02", "A10", "A10BA021", "a10ba02");
    ARE(kn__is_ndc, "00093-7146-56", "0071-0155-23");
    ARE_NO(kn__is_ndc, "00093-7146", "030-1234-56", "00093 7146 56");
    ARE(kn__is_ops, "5-470.11", "8-930", "1-632.0", "5-38a.x");
    ARE_NO(kn__is_ops, "5-47", "2-470", "5-470.", "5-470.111", "12-470", "8-930-1");
    ARE(kn__is_loinc, "4548-4", "2160-0", "718-7");
    ARE_NO(kn__is_loinc, "4548-5", "4548", "18-2-4", "x48-4");
    ARE(kn__is_dose, "Simvastatin 10 MG Oral Tablet", "Eisen 50mg", "Heparin 5000 IE");
    ARE_NO(kn__is_dose, "10 mg", "Hauptstr. 12 a", "Gold 750 g5", "Level 3 management");
    ARE(kn__is_medical_word, "Otitis media", "asthma bronchiale", "Diabetes mellitus Typ 2",
        "metformin", "Essentielle Hypertonie", "simvastatine", "depresija, depresivna epizoda");
    ARE_NO(kn__is_medical_word, "Jonaitis", "Roma", "April", "Oklahoma", "teacher", "Rose",
           "Ukraine", "married", "manager", "Paris", "Cardiology");
}

static void test_national_ids(void **state)
{
    static const struct {
        const char *country, *good, *bad;
    } cases[] = {
        {"Austria", "1237 010180", "1238 010180"},
        {"Belgium", "85.07.30-033 28", "85.07.30-033 29"},
        {"Bulgaria", "7523169263", "7523169264"},
        {"Croatia", "33392005961", "33392005962"},
        {"Czechia and Slovakia", "710319/2745", "710319/2746"},
        {"Denmark", "211062-5629", "321362-5629"},
        {"Estonia and Lithuania", "37605030299", "37605030298"},
        {"Finland", "131052-308T", "131052-308U"},
        {"Finland", "131052A308T", "131052Q308T"},
        {"France", "2 95 10 99 126 111 93", "2 95 10 99 126 111 94"},
        {"Germany", "36 574 261 809", "36 574 261 808"},
        {"Greece", "01013099997", "01013099996"},
        {"Hungary", "111 111 110", "111 111 111"},
        {"Ireland", "6433435F", "6433435E"},
        {"Ireland", "6433435OA", "6433435OB"},
        {"Italy", "RCCMNL83S18D969H", "RCCMNL83S18D969I"},
        {"the Netherlands", "111222333", "111222334"},
        {"Poland", "44051401359", "44051401358"},
        {"Portugal", "501964843", "501964842"},
        {"Romania", "1630615123457", "1630615123458"},
        {"Slovenia", "0101006500006", "0101006500007"},
        {"Spain", "54362315K", "54362315J"},
        {"Spain", "X-2482300W", "X-2482300V"},
        {"Sweden", "880320-0016", "880320-0017"},
        {"Sweden", "19880320-0016", "19880320-0018"},
        {"the United Kingdom", "943 476 5919", "943 476 5918"},
        {"the United States", "536-90-4399", "536-00-4399"},
    };
    size_t count;
    const kn_national_id *ids = kn__national_ids(&count);
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char compact[24];
        size_t at = 0, len;
        while (at < count && strcmp(ids[at].country, cases[i].country) != 0) {
            at++;
        }
        assert_true(at < count);
        len = kn__compact_id(compact, sizeof compact, cases[i].good, strlen(cases[i].good));
        if (!ids[at].valid(compact, len)) {
            fail_msg("%s: %s is valid", cases[i].country, cases[i].good);
        }
        len = kn__compact_id(compact, sizeof compact, cases[i].bad, strlen(cases[i].bad));
        if (ids[at].valid(compact, len)) {
            fail_msg("%s: %s is not valid", cases[i].country, cases[i].bad);
        }
    }
    for (size_t i = 0; i < count; i++) { /* every row of the table has a case */
        size_t at = 0;
        while (at < sizeof cases / sizeof *cases && strcmp(ids[i].country, cases[at].country)) {
            at++;
        }
        assert_true(at < sizeof cases / sizeof *cases);
    }
}

static void test_names_of_people(void **state)
{
    (void)state;
    ARE(kn__is_name_shape, "Bertie593", "Maria", "van der Berg", "O'Brien", "Anna-Lena",
        "Schneider, Bertie", "J. R. R. Tolkien", "M\xc3\xbcller", "JANSEN",
        "\xce\x95\xce\xbb\xce\xad\xce\xbd\xce\xb7");
    ARE_NO(kn__is_name_shape, "maria", "Maria 1", "12", "A-1/2", "Never-married_x", "x", "a@b.de",
           "Type12345");
    ARE(kn__has_known_name, "Anna", "Bertie593 Schneider199", "Kowalska", "Papadopoulos",
        "JOHANSSON", "M\xc3\xbcller");
    ARE_NO(kn__has_known_name, "Berlin", "Private", "Bachelors", "Xyz");
}

/* ---- whole columns ---- */

typedef void filler(char *cell, size_t size, int row);

static void words(char *cell, size_t size, int row, const char *const *list, int count)
{
    (void)snprintf(cell, size, "%s", list[row % count]);
}

static void surnames(char *cell, size_t size, int row)
{
    static const char *const list[] = {"Nowak", "Kowalska",  "Lis",    "Mazur", "Zych", "Gajda",
                                       "Kot",   "Szymanski", "Pawlak", "Wrona", "Sowa", "Kania"};
    words(cell, size, row, list, 12);
}

static void towns(char *cell, size_t size, int row)
{
    static const char *const list[] = {"Berlin", "Hamburg", "Bonn",  "Essen", "Kiel", "Trier",
                                       "Jena",   "Ulm",     "Mainz", "Halle", "Gera", "Worms"};
    words(cell, size, row, list, 12);
}

static void births(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%02d.%02d.%d", 1 + row % 28, 1 + row % 12, 1930 + row * 7 % 80);
}

static void visits(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "2023-%02d-%02d", 1 + row % 12, 1 + row % 28);
}

static void countries(char *cell, size_t size, int row)
{
    static const char *const list[] = {"DE", "FR", "IT", "ES", "PL", "RO", "NL", "BE", "CZ", "GR"};
    words(cell, size, row, list, 10);
}

static void letters(char *cell, size_t size, int row) /* two letters that are no countries */
{
    static const char *const list[] = {"AB", "QQ", "XX", "ZZ", "OO", "YY", "WW", "QA", "QX", "JJ"};
    words(cell, size, row, list, 10);
}

static void occupations(char *cell, size_t size, int row)
{
    static const char *const list[] = {"2511", "2512", "5223", "9112", "1120", "2211", "2221",
                                       "2310", "2411", "3112", "4110", "5120", "5131", "5411",
                                       "6111", "7115", "7231", "8322", "9333", "9621", "3411"};
    words(cell, size, row, list, 21);
}

static void diagnoses(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%c%02d.%d", 'A' + row % 20, row * 13 % 100, row % 9);
}

static void old_diagnoses(char *cell, size_t size, int row)
{
    if (row % 9 == 0) {
        (void)snprintf(cell, size, "V%02d", row % 70);
    } else {
        (void)snprintf(cell, size, "%03d.%d", 1 + row * 17 % 900, row % 10);
    }
}

static void padded(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%05d", 1067 + row % 40 * 991);
}

static void tax_ids(char *cell, size_t size, int row) /* Polish: check digit computed here */
{
    static const int w[] = {1, 3, 7, 9, 1, 3, 7, 9, 1, 3};
    char n[32];
    int sum = 0;
    (void)snprintf(n, sizeof n, "%02d%02d%02d%04d", row % 100, 1 + row % 12, 1 + row % 28,
                   row * 37 % 10000);
    for (int i = 0; i < 10; i++) {
        sum += (n[i] - '0') * w[i];
    }
    (void)snprintf(cell, size, "%s%d", n, (10 - sum % 10) % 10);
}

static void eleven_digits(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "4405%07d", row * 99991 % 9999999);
}

static void patients(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "P%06d", row / 3 * 7919 % 999999);
}

static void amounts(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", 7 + row * row * 31);
}

static void numbered(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", 1000 + row);
}

static void remarks(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "was seen on day %d and went home", row);
}

static void flags(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%s", row % 3 ? "no" : "yes");
}

static void seldom(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%s", row % 9 ? "" : "yes");
}

static void codes(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", 1 + row % 8);
}

static void places(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%.5f", 40 + row * 0.01237);
}

static void ages(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", 18 + row * 7 % 60);
}

static void concepts(char *cell, size_t size, int row)
{
    static const char *const list[] = {"65363002",  "195662009", "300913006", "91935009",
                                       "419474003", "10509002",  "44054006",  "38341003"};
    words(cell, size, row, list, 8);
}

static void wages(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", row == 0 ? 90000 : row % 2 ? 0 : 100 + row / 2 % 110 * 3);
}

static void medicines(char *cell, size_t size, int row)
{
    static const char *const list[] = {"A10BA02", "C09AA05", "N06AB04", "B01AC06"};
    words(cell, size, row, list, 4);
}

static void packages(char *cell, size_t size, int row)
{
    static const char *const list[] = {"00093-7146-56", "0071-0155-23", "68180-513-01"};
    words(cell, size, row, list, 3);
}

static void procedures(char *cell, size_t size, int row)
{
    static const char *const list[] = {"5-470.11", "8-930", "1-632.0", "5-38a.x"};
    words(cell, size, row, list, 4);
}

static void tests_done(char *cell, size_t size, int row)
{
    static const char *const list[] = {"4548-4", "2160-0", "718-7", "10331-7"};
    words(cell, size, row, list, 4);
}

static void doses(char *cell, size_t size, int row)
{
    static const char *const list[] = {"Verapamil 120 MG", "Digoxin 0.25mg tablet", "Eisen 50 mg"};
    words(cell, size, row, list, 3);
}

static void diseases(char *cell, size_t size, int row)
{
    static const char *const list[] = {"Otitis media", "gezond", "Arthrose",
                                       "Gastritis",    "Demenz", "asma"};
    words(cell, size, row, list, 6);
}

static void lithuanians(char *cell, size_t size, int row) /* end as inflammations do */
{
    static const char *const list[] = {"Jonaitis", "Petraitis", "Kazlauskas", "Adomaitis",
                                       "Balsys",   "Zukaitis",  "Butkus",     "Stankaitis"};
    words(cell, size, row, list, 8);
}

static void years(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", 2004 + row % 19);
}

static void classes(char *cell, size_t size, int row)
{
    static const char *const list[] = {"passed", "failed", "absent"};
    words(cell, size, row, list, 3);
}

static void cents(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d.%02d", row % 50 ? row % 90 : 900 + row, row * 7 % 100);
}

static void lab_values(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d.%d", 2 + row % 5, row * 3 % 10);
}

static void emails(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "p%d@example.org", row % 300);
}

static void pages(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "https://example.org/p/%d", row % 300);
}

static void uuids(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "87ba3fec-791b-4565-87b6-%012x", (unsigned)(row * 7919));
}

static void ibans(char *cell, size_t size, int row) /* check digits computed here */
{
    unsigned rest = 0;
    char bban[32];
    (void)snprintf(bban, sizeof bban, "%018d131400", row * 7919);
    for (const char *c = bban; *c; c++) {
        rest = (rest * 10 + (unsigned)(*c - '0')) % 97;
    }
    (void)snprintf(cell, size, "DE%02u%018d", 98 - rest, row * 7919);
}

static void cards(char *cell, size_t size, int row)
{
    char n[32];
    int sum = 0;
    (void)snprintf(n, sizeof n, "4111%011d", row * 7919);
    for (int i = 0; i < 15; i++) {
        const int d = (n[14 - i] - '0') * (i % 2 ? 1 : 2);
        sum += d > 9 ? d - 9 : d;
    }
    (void)snprintf(cell, size, "%s%d", n, (10 - sum % 10) % 10);
}

static void computers(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "10.%d.%d.%d", row % 7, row % 200, row % 250);
}

static void phones(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "+49 30 %07d", 1000000 + row * 79);
}

static void pairs(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%.4f, %.4f", 47 + row * 0.001, 9 + row * 0.002);
}

static void dutch_postcodes(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d AB", 1011 + row % 40);
}

static void regions(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "DE%d%d", 1 + row % 9, 1 + row % 3);
}

static void birth_years(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%d", 1930 + row * 7 % 80);
}

static void addresses(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "Lindenweg %d%s", 1 + row % 600, row % 2 ? "a" : "");
}

static void own_texts(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "%s-%x%s", row % 2 ? "ab" : "c", (unsigned)(row * 7919),
                   row % 3 ? "z" : "");
}

static void short_notes(char *cell, size_t size, int row)
{
    (void)snprintf(cell, size, "note %d", row % 400);
}

enum { ROWS = 1200 };

static void test_columns(void **state)
{
    static const struct {
        const char *name;
        filler *fill;
        kn_role role;
        const char *detector; /* NULL: none, or not asked */
    } cases[] = {
        {"c", emails, KN_ROLE_IDENTIFIER, "e-mail"},
        {"c", pages, KN_ROLE_IDENTIFIER, "url"},
        {"c", uuids, KN_ROLE_IDENTIFIER, "uuid"},
        {"c", ibans, KN_ROLE_IDENTIFIER, "iban"},
        {"c", cards, KN_ROLE_IDENTIFIER, "payment card"},
        {"c", computers, KN_ROLE_IDENTIFIER, "network address"},
        {"c", phones, KN_ROLE_IDENTIFIER, "phone"},
        {"c", pairs, KN_ROLE_QUASI, "coordinates"},
        {"c", dutch_postcodes, KN_ROLE_QUASI, "postcode"},
        {"c", regions, KN_ROLE_QUASI, "nuts"},
        {"c", birth_years, KN_ROLE_QUASI, "year of birth"},
        {"c", addresses, KN_ROLE_IDENTIFIER, "address"},
        {"c", own_texts, KN_ROLE_IDENTIFIER, "own text"},
        {"Bemerkung", short_notes, KN_ROLE_DROPPED, "free text"},
        {"c", surnames, KN_ROLE_IDENTIFIER, "person name"},
        {"c", towns, KN_ROLE_QUASI, NULL},
        {"c", births, KN_ROLE_QUASI, "date of birth"},
        {"c", visits, KN_ROLE_QUASI, "date"},
        {"c", countries, KN_ROLE_QUASI, "country"},
        {"c", letters, KN_ROLE_QUASI, NULL},
        {"c", occupations, KN_ROLE_QUASI, "isco"},
        {"c", diagnoses, KN_ROLE_SENSITIVE, "icd-10"},
        {"c", old_diagnoses, KN_ROLE_SENSITIVE, "icd-9"},
        {"c", ages, KN_ROLE_QUASI, "age"},
        {"c", wages, KN_ROLE_SENSITIVE, "amount"},
        {"c", concepts, KN_ROLE_SENSITIVE, "snomed"},
        {"c", padded, KN_ROLE_QUASI, "postcode"},
        {"c", tax_ids, KN_ROLE_IDENTIFIER, "national id"},
        {"c", eleven_digits, KN_ROLE_IDENTIFIER, "record number"},
        {"c", patients, KN_ROLE_IDENTIFIER, "coded id"},
        {"c", amounts, KN_ROLE_QUASI, NULL},
        {"c", numbered, KN_ROLE_IDENTIFIER, "record number"},
        {"c", remarks, KN_ROLE_DROPPED, "free text"},
        {"c", seldom, KN_ROLE_QUASI, NULL},
        {"email", flags, KN_ROLE_QUASI, NULL},
        {"admission_type_id", codes, KN_ROLE_QUASI, NULL},
        {"number_outpatient", codes, KN_ROLE_QUASI, NULL},
        {"vorname", towns, KN_ROLE_IDENTIFIER, NULL},
        {"plz", padded, KN_ROLE_QUASI, NULL},
        {"patient_nbr", amounts, KN_ROLE_IDENTIFIER, NULL},
        {"patientid", amounts, KN_ROLE_IDENTIFIER, NULL},
        {"How often did you call?", amounts, KN_ROLE_QUASI, NULL}, /* "did" ends in no id */
        {"paid", amounts, KN_ROLE_QUASI, NULL}, /* and these are no amounts of money */
        {"Pr\xc3\xa9nom", towns, KN_ROLE_IDENTIFIER, NULL},
        {"P\xc5\x98\xc3\x8dJMEN\xc3\x8d", towns, KN_ROLE_IDENTIFIER, NULL},
        {"\xce\x97\xce\xbb\xce\xb9\xce\xba\xce\xaf\xce\xb1", codes, KN_ROLE_QUASI, NULL},
        {"\xd0\x94\xd0\xb8\xd0\xb0\xd0\xb3\xd0\xbd\xd0\xbe\xd0\xb7\xd0\xb0", codes,
         KN_ROLE_SENSITIVE, NULL},
        {"Geburtsjahr", codes, KN_ROLE_QUASI, NULL},
        {"Einkommen", amounts, KN_ROLE_SENSITIVE, NULL},
        {"lat", places, KN_ROLE_QUASI, "coordinates"},
        {"Kundennummer", patients, KN_ROLE_IDENTIFIER, NULL},
        {"c", medicines, KN_ROLE_SENSITIVE, "atc"},
        {"c", packages, KN_ROLE_SENSITIVE, "ndc"},
        {"c", procedures, KN_ROLE_SENSITIVE, "ops"},
        {"c", tests_done, KN_ROLE_SENSITIVE, "loinc"},
        {"c", doses, KN_ROLE_SENSITIVE, "dose"},
        {"c", diseases, KN_ROLE_SENSITIVE, "medical words"},
        {"c", lithuanians, KN_ROLE_QUASI, NULL},
        {"c", cents, KN_ROLE_QUASI, NULL},
        {"paid", cents, KN_ROLE_SENSITIVE, NULL}, /* "id" is its end, and no id has cents */
        {"Betrag", cents, KN_ROLE_SENSITIVE, NULL},
        {"value", lab_values, KN_ROLE_QUASI, NULL}, /* no amounts of money */
        {"ldl", lab_values, KN_ROLE_SENSITIVE, NULL},
        {"c", lab_values, KN_ROLE_QUASI, NULL}, /* in doubt it is not published as it is */
        {"wynik", classes, KN_ROLE_SENSITIVE, NULL},
        {"exam result", codes, KN_ROLE_SENSITIVE, NULL},
        {"payment method", classes, KN_ROLE_QUASI, NULL},
        {"loan id", amounts, KN_ROLE_IDENTIFIER, NULL},
        {"tax number", eleven_digits, KN_ROLE_IDENTIFIER, NULL},
        {"diagnosis", patients, KN_ROLE_IDENTIFIER, "coded id"},
        {"prescribed treatment", surnames, KN_ROLE_IDENTIFIER, "person name"},
        {"treatment", visits, KN_ROLE_QUASI, "date"},
        {"diagnosis", years, KN_ROLE_QUASI, NULL},
        {"age at diagnosis", ages, KN_ROLE_QUASI, NULL},
        {"test site", classes, KN_ROLE_QUASI, NULL},
        {"cancer hospital", towns, KN_ROLE_QUASI, NULL},
    };
    size_t count;
    const kn_detector *rows = kn__detectors(&count);
    (void)state;

    for (size_t i = 0; i < count; i++) { /* every row of the table has a case */
        size_t at = 0;
        while (at < sizeof cases / sizeof *cases &&
               !(cases[at].detector && strcmp(cases[at].detector, rows[i].name) == 0)) {
            at++;
        }
        if (at == sizeof cases / sizeof *cases) {
            fail_msg("no column for the detector %s", rows[i].name);
        }
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_dataset_builder *b;
        kn_dataset *ds;
        kn_profile *p;
        const kn_column_profile *c;
        assert_int_equal(kn_dataset_builder_new(&b, &cases[i].name, 1, NULL, NULL), KN_OK);
        for (int row = 0; row < ROWS; row++) {
            char cell[64];
            const char *cells = cell;
            cases[i].fill(cell, sizeof cell, row);
            assert_int_equal(kn_dataset_builder_add(b, &cells, NULL), KN_OK);
        }
        assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
        assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
        c = kn_profile_column(p, 0);
        if (c->suggested != cases[i].role ||
            (cases[i].detector && (!c->detector || strcmp(c->detector, cases[i].detector) != 0))) {
            fail_msg("case %zu, %s: %s by %s (%s)", i, cases[i].name, kn_role_name(c->suggested),
                     c->detector ? c->detector : "-", c->reason);
        }
        kn_profile_free(p);
        kn_dataset_free(ds);
    }
}

/* Few numbers are codes where the name says so, and counts where it says that. */
static void test_codes(void **state)
{
    static const char *const names[] = {"admission_type_id", "number_inpatient", "plz"};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_profile *p;
    (void)state;

    assert_int_equal(kn_dataset_builder_new(&b, names, 3, NULL, NULL), KN_OK);
    for (int row = 0; row < ROWS; row++) {
        char cell[16], postcode[16];
        const char *cells[] = {cell, cell, postcode};
        codes(cell, sizeof cell, row);
        (void)snprintf(postcode, sizeof postcode, "%d", 10115 + row % 300);
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_true(kn_profile_column(p, 0)->coded);
    assert_string_equal(
        kn_profile_column(p, 0)->hint,
        "whole numbers that are codes: as a quasi-identifier they are treated as categories, "
        "unless --type admission_type_id=integer says that they are numbers");
    assert_false(kn_profile_column(p, 1)->coded);
    assert_null(kn_profile_column(p, 1)->hint);
    assert_true(kn_profile_column(p, 2)->coded);
    kn_profile_free(p);
    kn_dataset_free(ds);
}

/* The column by which rows of one person belong together: the id that repeats, not the row's own.
 */
static void test_person(void **state)
{
    static const char *const names[] = {"visit", "patient", "ward"};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_profile *p;
    (void)state;

    assert_int_equal(kn_dataset_builder_new(&b, names, 3, NULL, NULL), KN_OK);
    for (int row = 0; row < ROWS; row++) {
        char cell[3][64];
        const char *cells[] = {cell[0], cell[1], cell[2]};
        numbered(cell[0], 64, row);
        patients(cell[1], 64, row);
        codes(cell[2], 64, row);
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_int_equal(kn_profile_person(p), 1);
    assert_non_null(strstr(kn_profile_column(p, 1)->reason, "it repeats, as where people have"));
    assert_null(strstr(kn_profile_column(p, 0)->reason, "repeats"));
    assert_int_equal(kn_profile_person(NULL), SIZE_MAX);
    kn_profile_free(p);
    kn_dataset_free(ds);
}

/* A label beside a sensitive code says the same; a trait that does not follow from it, does not. */
static void test_same(void **state)
{
    static const char *const names[] = {"diagnosis", "label", "x"};
    static const char *const labels[] = {"one", "two", "three", "four", "five", "six"};
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_profile *p;
    (void)state;

    assert_int_equal(kn_dataset_builder_new(&b, names, 3, NULL, NULL), KN_OK);
    for (int row = 0; row < ROWS; row++) {
        char code[16], other[16];
        const char *cells[] = {code, labels[row % 6], other};
        (void)snprintf(code, sizeof code, "d%d", row % 6);
        (void)snprintf(other, sizeof other, "x%d", row / 7 % 6);
        assert_int_equal(kn_dataset_builder_add(b, cells, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    assert_int_equal(kn_profile_make(&p, ds, NULL, NULL), KN_OK);
    assert_int_equal(kn_profile_column(p, 1)->suggested, KN_ROLE_SENSITIVE);
    assert_string_equal(kn_profile_column(p, 1)->reason,
                        "each of its values goes with one of 'diagnosis', which is sensitive");
    assert_int_equal(kn_profile_column(p, 2)->suggested, KN_ROLE_QUASI);
    kn_profile_free(p);
    kn_dataset_free(ds);
}

/* Every word of the table is written as it is compared: folded, and no word twice in a row. */
static void test_words(void **state)
{
    (void)state;
    for (kn_concept c = KN_CONCEPT_NONE; c < KN_CONCEPTS; c++) {
        const char *all = kn__header_words(c);
        char *folded = malloc(2 * strlen(all) + 8);
        assert_non_null(folded);
        (void)kn__fold(folded, 2 * strlen(all) + 8, all, strlen(all));
        assert_string_equal(folded, all);
        free(folded);
        assert_null(strstr(all, "  "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),           cmocka_unit_test(test_national_ids),
        cmocka_unit_test(test_names_of_people), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_person),          cmocka_unit_test(test_words),
        cmocka_unit_test(test_codes),           cmocka_unit_test(test_same),
        cmocka_unit_test(test_medical_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
