/* people_names.c - names and countries of the sample "people". Family names are put together from a
 * stem and an ending, so that there are enough of them and none is anyone's in particular. */
#include "sample/people_data.h"

/* The more common come first. */
const char *const kn__people_given[2][KN_PEOPLE_GIVEN] = {
    {"Maria",   "Eleni",  "Anna",    "Sofia", "Katerina", "Ioanna", "Elena",   "Irene",   "Dora",
     "Alexia",  "Nina",   "Marta",   "Clara", "Lydia",    "Helena", "Iris",    "Julia",   "Daphne",
     "Zoe",     "Alma",   "Vera",    "Nora",  "Thea",     "Carmen", "Ines",    "Paula",   "Rosa",
     "Greta",   "Mira",   "Tessa",   "Leila", "Amina",    "Olga",   "Petra",   "Silvia",  "Tamara",
     "Ursula",  "Wanda",  "Xenia",   "Yara",  "Agnes",    "Bianca", "Celia",   "Dina",    "Edith",
     "Flora",   "Gloria", "Hanna",   "Ilse",  "Jana",     "Karin",  "Lena",    "Magda",   "Nadia",
     "Odette",  "Pia",    "Renata",  "Sara",  "Tanya",    "Una",    "Viola",   "Amalia",  "Berta",
     "Corinna", "Delia",  "Evgenia", "Fani",  "Galatea",  "Hester", "Isidora", "Kalypso", "Myrto"},
    {"George",  "Nikos",    "Yannis",  "Dimitri", "Kostas",  "Alex",   "Thomas", "Peter",
     "Andreas", "Michael",  "Stefan",  "Paul",    "Marco",   "Daniel", "Leo",    "Victor",
     "Simon",   "Anton",    "Felix",   "Hugo",    "Ivan",    "Jonas",  "Karim",  "Lukas",
     "Milan",   "Noel",     "Oscar",   "Pavel",   "Quentin", "Robert", "Samuel", "Theo",
     "Ulrich",  "Vasil",    "Walter",  "Yusuf",   "Zeno",    "Adrian", "Boris",  "Carlo",
     "Diego",   "Emil",     "Frank",   "Goran",   "Hector",  "Igor",   "Jakob",  "Klaus",
     "Linus",   "Matteo",   "Nestor",  "Otto",    "Philip",  "Rafael", "Sergei", "Tobias",
     "Umberto", "Vangelis", "Wilhelm", "Xavier",  "Aris",    "Bruno",  "Cyril",  "Damian",
     "Edgar",   "Fotis",    "Gregor",  "Henrik",  "Ilias",   "Jannik", "Loukas", "Menelaos"},
};

const char *const kn__people_stems[KN_PEOPLE_STEMS] = {
    "Kal",  "Mav",  "Vel",  "Dor",  "Stam", "Pal",  "Ler",  "Tor",   "Zan",  "Ger",  "Mor", "Kor",
    "Var",  "Sil",  "Tam",  "Nem",  "Lor",  "Kass", "Fil",  "Bel",   "Ren",  "Dam",  "Pol", "Gav",
    "Sar",  "Xan",  "Lamb", "Mel",  "Thal", "Hal",  "Ost",  "Brand", "Mell", "Rig",  "Tav", "Ild",
    "Parn", "Serv", "Vark", "Nov",  "Ulm",  "Kerr", "Fald", "Jor",   "Quen", "Wald", "Yar", "Zeph",
    "Asm",  "Bors", "Cald", "Drev", "Elm",  "Fros", "Grav", "Holm"};

const char *const kn__people_endings[KN_PEOPLE_ENDINGS] = {
    "akis", "idis", "opoulos", "ou",   "atos", "ellis", "inos", "ides", "eas",  "oglou", "son",
    "sen",  "ini",  "ova",     "mann", "berg", "ez",    "ard",  "wick", "ford", "ani",   "escu"};

#define FROM(name, region, continent) \
    {                                 \
        name,                         \
        {                             \
            region, continent, NULL   \
        }                             \
    }
const kn_people_country kn__people_countries[KN_PEOPLE_COUNTRIES] = {
    {FROM("Greece", "Southern Europe", "Europe"), 0},
    {FROM("Albania", "Southern Europe", "Europe"), 900},
    {FROM("Germany", "Western Europe", "Europe"), 380},
    {FROM("Bulgaria", "Eastern Europe", "Europe"), 340},
    {FROM("Romania", "Eastern Europe", "Europe"), 260},
    {FROM("Georgia", "Western Asia", "Asia"), 250},
    {FROM("Pakistan", "Southern Asia", "Asia"), 210},
    {FROM("Russia", "Eastern Europe", "Europe"), 180},
    {FROM("Ukraine", "Eastern Europe", "Europe"), 160},
    {FROM("Cyprus", "Western Asia", "Asia"), 150},
    {FROM("United Kingdom", "Northern Europe", "Europe"), 140},
    {FROM("Syria", "Western Asia", "Asia"), 130},
    {FROM("Turkey", "Western Asia", "Asia"), 120},
    {FROM("Poland", "Eastern Europe", "Europe"), 110},
    {FROM("United States", "Northern America", "Americas"), 105},
    {FROM("Philippines", "South-eastern Asia", "Asia"), 100},
    {FROM("Egypt", "Northern Africa", "Africa"), 95},
    {FROM("Armenia", "Western Asia", "Asia"), 90},
    {FROM("Bangladesh", "Southern Asia", "Asia"), 90},
    {FROM("Afghanistan", "Southern Asia", "Asia"), 85},
    {FROM("Iraq", "Western Asia", "Asia"), 80},
    {FROM("Italy", "Southern Europe", "Europe"), 80},
    {FROM("Moldova", "Eastern Europe", "Europe"), 75},
    {FROM("India", "Southern Asia", "Asia"), 72},
    {FROM("Australia", "Oceania", "Oceania"), 70},
    {FROM("Serbia", "Southern Europe", "Europe"), 60},
    {FROM("China", "Eastern Asia", "Asia"), 55},
    {FROM("France", "Western Europe", "Europe"), 55},
    {FROM("Netherlands", "Western Europe", "Europe"), 48},
    {FROM("Nigeria", "Western Africa", "Africa"), 46},
    {FROM("Ethiopia", "Eastern Africa", "Africa"), 42},
    {FROM("Sweden", "Northern Europe", "Europe"), 40},
    {FROM("Belgium", "Western Europe", "Europe"), 38},
    {FROM("Canada", "Northern America", "Americas"), 38},
    {FROM("South Africa", "Southern Africa", "Africa"), 32},
    {FROM("Kazakhstan", "Central Asia", "Asia"), 32},
    {FROM("Uzbekistan", "Central Asia", "Asia"), 28},
    {FROM("Iran", "Southern Asia", "Asia"), 28},
    {FROM("Lebanon", "Western Asia", "Asia"), 26},
    {FROM("Spain", "Southern Europe", "Europe"), 26},
    {FROM("Switzerland", "Western Europe", "Europe"), 24},
    {FROM("Morocco", "Northern Africa", "Africa"), 22},
    {FROM("Brazil", "South America", "Americas"), 20},
    {FROM("Somalia", "Eastern Africa", "Africa"), 18},
    {FROM("Ghana", "Western Africa", "Africa"), 16},
    {FROM("Viet Nam", "South-eastern Asia", "Asia"), 15},
    {FROM("Cuba", "Caribbean", "Americas"), 12},
    {FROM("Japan", "Eastern Asia", "Asia"), 10},
    {FROM("Argentina", "South America", "Americas"), 10},
    {FROM("Mexico", "Central America", "Americas"), 8},
    {FROM("Norway", "Northern Europe", "Europe"), 7},
    {FROM("Kenya", "Eastern Africa", "Africa"), 7},
    {FROM("Colombia", "South America", "Americas"), 6},
    {FROM("Dominican Republic", "Caribbean", "Americas"), 5},
    {FROM("New Zealand", "Oceania", "Oceania"), 4},
    {FROM("Iceland", "Northern Europe", "Europe"), 2},
};
