/* person_names.c - names of people by shape and frequency.
 *
 * Shape alone does not tell a surname from a town. Names are recognised where nearly all values
 * have the shape, no value has a large share of the records, and enough of them are frequent names
 * of the countries of the EU and their neighbours, or end as surnames do. */
#include "utility/profile/detectors.h"

#include <string.h>

enum { LONGEST_NAME = 60, MOST_WORDS = 6, FEWEST_NAMES = 5 };

/* Folded, each between blanks. Given names, then surnames. */
static const char *const known_names[] = {
    " adam adrian agata agnes agnieszka aino alain alan albert alberto aldo alejandro aleksander "
    "aleksandra aleksi alessandro alex alexander alexandra alexandre alfred alfredo alice alicia alina "
    "amelia ana andre andrea andreas andrei andres andrew andrzej angela angelo anja anna anne annika "
    "anita anke antoine anton antonella antonio antonis arthur artur astrid aurelie barbara bartosz beata "
    "beatrice beatriz ben benjamin bernard bernd birgit bjorn bogdan boris brian brigitte bruno "
    "camille carla carlo carlos carmen carol carolina caroline caterina catherine cecile cecilia "
    "celine charles charlotte chiara chloe chris christian christiane christina christine christoph "
    "christopher ciara claire clara claudia claudio conor costas cristian cristina dagmar dana daniel "
    "daniela danuta dariusz david deborah denis dennis diana diego dieter dimitra dimitris dirk dominik "
    "donald dorota dorothea edith eduardo edward eero ekaterina elena eleni elisa elisabeth elizabeth "
    "ella elsa emil emilia emilie emily emma enrico eric erik erika ernst esther ethan eugen eva evelyn "
    "ewa fabian fatima federico felix ferenc fernando filip finn florian francesca francesco francisco "
    "francois francoise frank franz frederic frederik fredrik frieda friedrich fritz gabor gabriel "
    "gabriela gabriele gary georg george georges georgios gerard gerhard gertrud giorgio giorgos "
    "giovanni giulia giuseppe grace grazyna greta grzegorz guillaume gunter gustav hanna hannah hannes "
    "hans harald harri harry heidi heike heikki heinrich heinz helen helena helene helga henri henrik "
    "henry herbert hermann hilde horst hugo ian ida ignacio ilona ines inga inge ingrid ioana ioannis "
    "ion irena irene iris isabel isabella isabelle istvan ivan ivana ivo jacek jack jacob jacqueline "
    "jakob jakub james jan jana jane janet janina janos jari javier jean jennifer jens jeremy jerzy ",
    " jesper jessica jesus jim joan joana joanna joao johan johann johanna johannes john jolanta jonas "
    "jonathan jorg jorge jose josef joseph joshua josip juan juha juhani julia julian julie julien "
    "juliette jurgen jutta kai kaja kari karel karen karin karl karolina kasper katarina katarzyna "
    "kate katharina katherine kathrin katja katrin kevin kim kirsten klaus konstantinos kostas kristian "
    "kristiina kristina kristof krzysztof kurt lars laszlo laura laurent lauri lea lena leo leon "
    "leonardo lina linda lisa liam lorenzo louis louise luca lucas lucia lucie ludwig luigi luis luisa "
    "lukas luka lukasz maciej magdalena magnus maja malgorzata manfred manon manuel manuela marc marcel "
    "marcin marco marcus marek margaret margarita margit margot maria mariana marianne marie marina "
    "mario marion maris mariusz mark marko markus marlene marta martha martin martina martine martti "
    "mary mateusz mathias mathieu mathilde matteo matthew matthias matti maurizio max maximilian melanie "
    "mia michael michael michaela michal michel michele miguel mihai mika mikael mikko milan milena "
    "miroslav miroslava monica monika monique nadia nadine nancy natalia natalie nathalie nathan nelly "
    "nicholas nick nicola nicolas nicole niels niklas nikola nikolaos nikolay nikos nina noah noel nora "
    "norbert nuno olga oliver olivia olivier oscar oskar otto paivi palle panagiotis paola paolo pascal "
    "patricia patrick patrik paul paula pauline paulo pavel pawel pedro peggy peter petr petra philip "
    "philipp philippe pia pierre pieter pilar piotr rachel radek rafael rafal raimo raquel rasmus "
    "rebecca regina reinhard renate rene ricardo richard rita robert roberto robin roland rolf roman "
    "ronald rosa rose ruben rudolf ruth ryan sabine salvatore sam samuel sandra sanna sara sarah "
    "sebastian sergio signe silvia simon simona simone sofia sofie sonia sonja sophia sophie stanislaw "
    "stefan stefania stefano steffen stella stephan stephanie stephen steven stina sue susan susana "
    "susanne svein sven sylvie tamara tanja tatiana teresa terry thea theo theresa thierry thomas "
    "tibor tiina tim timo tina tobias tom tomas tomasz toni torsten tuomas ulrich ulrike urszula ursula "
    "uwe vaclav valentina valerie vanessa vera veronika victor victoria viktor viktoria vilma vincent "
    "virginia vladimir volker walter waltraud werner wiktor wilhelm william willy wojciech wolfgang "
    "xavier yannick yannis yves yvonne zbigniew zdenek zofia zoltan zuzana mohammed muhammad ahmed ali "
    "mehmet fatma ayse mustafa hassan ibrahim omar yusuf ahmet emre elif zeynep "
    "αννα βασιλησ γεωργιοσ γιαννησ γιωργοσ δημητρα δημητριοσ ελενη ιωαννησ κατερινα κωνσταντινοσ μαρια "
    "νικοσ νικολαοσ παναγιωτησ σοφια αλεξανδροσ александър анна борис васил георги даниел десислава "
    "димитър елена иван ивайло калин кристина мария мартин никола николай петър радка стефан тодор "
    "христо ",
    " muller schmidt schneider fischer weber meyer wagner becker schulz schultz hoffmann schafer koch "
    "bauer richter klein wolf schroder neumann schwarz zimmermann braun kruger hofmann hartmann lange "
    "schmitt werner krause meier lehmann schmid schulze maier kohler herrmann konig walter mayer huber "
    "kaiser fuchs peters lang scholz moller weiss jung hahn schubert vogel friedrich keller gunther "
    "frank berger winkler roth beck lorenz baumann franke albrecht schuster simon ludwig bohm winter "
    "kraus martin bernard dubois thomas robert richard petit durand leroy moreau laurent lefebvre michel "
    "garcia david bertrand roux vincent fournier morel girard andre mercier dupont lambert bonnet "
    "francois rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti "
    "costa giordano mancini rizzo lombardi moretti barbieri fontana santoro mariani rinaldi rodriguez "
    "gonzalez fernandez lopez martinez sanchez perez gomez jimenez ruiz hernandez diaz moreno munoz "
    "alvarez romero alonso gutierrez navarro torres dominguez vazquez ramos gil ramirez serrano blanco "
    "molina silva santos ferreira pereira oliveira rodrigues martins sousa fernandes goncalves gomes "
    "lopes marques alves almeida ribeiro pinto carvalho teixeira moreira correia mendes nunes soares "
    "jansen vries visser smit bakker meijer mulder bos vos peters hendriks dekker dijkstra brouwer "
    "peeters janssens maes jacobs mertens willems claes goossens wouters nowak kowalski wisniewski "
    "wojcik kowalczyk kaminski lewandowski zielinski szymanski wozniak dabrowski kozlowski jankowski "
    "mazur krawczyk novak svoboda novotny dvorak cerny prochazka kucera vesely horak nemec "
    "nielsen jensen hansen pedersen andersen christensen larsen sorensen rasmussen jorgensen "
    "petersen madsen kristensen olsen thomsen andersson johansson karlsson nilsson eriksson larsson "
    "olsson persson svensson gustafsson pettersson jonsson lindberg lindstrom korhonen virtanen makinen "
    "nieminen makela hamalainen laine heikkinen koskinen jarvinen tamm saar sepp magi kask kukk "
    "berzins kalnins ozolins kazlauskas petrauskas jankauskas nagy kovacs toth szabo horvath varga kiss "
    "molnar nemeth farkas balogh papp takacs popescu ionescu popa radu dumitru stan stoica gheorghe "
    "horvat kovacevic babic maric juric novosel krajnc zupancic papadopoulos papadakis georgiou "
    "ivanov petrov dimitrov georgiev nikolov todorov stoyanov murphy kelly sullivan walsh smith brien "
    "byrne ryan connor neill reilly doyle mccarthy gallagher doherty kennedy lynch murray quinn moore "
    "smith johnson williams brown jones miller davis wilson anderson taylor moore jackson white harris "
    "thompson clark lewis robinson walker young allen king wright hill scott green adams baker nelson "
    "carter mitchell roberts turner phillips campbell parker evans edwards collins stewart morris "
    "rogers reed cook morgan bell murphy bailey cooper cox howard ward gray watson brooks sanders "
    "yilmaz kaya demir celik sahin nguyen kim chen wang singh kumar patel khan borg camilleri vella "
    "иванов петров димитров георгиев николов тодоров стоянов παπαδοπουλοσ ",
};

static const char *const surname_ends[] = {
    "sson", "sen",  "ski",  "ska",  "cki",   "czyk", "wicz",   "ova",  "opoulos", "idis",  "akis",
    "escu", "ovic", "evic", "mann", "meier", "enko", "dottir", "iene", "auskas",  "inen",  "oglu",
    "nson", "tson", "rson", "ов",   "ова",   "ев",   "ева",    "ιδησ", "ακησ",    "ουλοσ", "ez",
};

static bool in_list(const char *list, const char *word, size_t len)
{
    const char *at = list;

    while (len >= 2 && (at = strstr(at, word))) {
        if (at[-1] == ' ' && at[len] == ' ') {
            return true;
        }
        at += len;
    }
    return false;
}

static bool is_known(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++) {
        if (in_list(known_names[i], word, len)) {
            return true;
        }
    }
    return false;
}

static bool ends_as_surname(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof surname_ends / sizeof *surname_ends; i++) {
        const size_t n = strlen(surname_ends[i]);
        if (len >= n + 3 && memcmp(word + len - n, surname_ends[i], n) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_particle(const char *word, size_t len)
{
    static const char particles[] =
        " van von de der den di da do dos das del della la le el al af av "
        "ten ter te zu zur vom y e i bin ben ibn du des 't ";
    char folded[12];

    return len < sizeof folded - 1 && kn__fold(folded, sizeof folded, word, len) == len &&
           in_list(particles, folded, len);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A capital first, or a letter beyond ASCII, which is a capital in scripts that we cannot tell;
 * then letters, apostrophes, dashes; perhaps a point; at most four digits at the end, as test data
 * has them. */
static bool is_name_word(const char *word, size_t len)
{
    size_t letters = 0;

    while (len && is_digit(word[len - 1])) {
        len--;
    }
    if (len && word[len - 1] == '.') {
        len--;
    }
    if (len == 0 || (word[0] >= 'a' && word[0] <= 'z')) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const char c = word[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (unsigned char)c >= 0x80;
        if (!letter && c != '\'' && c != '-') {
            return false;
        }
        letters += letter;
    }
    return letters >= 1 && letters <= 40;
}

/* The next word of a name; 0 at the end. Commas belong to the gap. */
static size_t next_word(const char *text, size_t len, size_t *at)
{
    size_t begin;

    while (*at < len && (text[*at] == ' ' || text[*at] == ',')) {
        ++*at;
    }
    begin = *at;
    while (*at < len && text[*at] != ' ' && text[*at] != ',') {
        ++*at;
    }
    return *at - begin;
}

bool kn__is_name_shape(const char *text, size_t len)
{
    size_t at = 0, words = 0, names = 0, longest = 0, n;

    while ((n = next_word(text, len, &at)) != 0) {
        const char *word = text + at - n;
        const bool particle = is_particle(word, n);
        if ((!particle && !is_name_word(word, n)) || (n > 5 && is_digit(word[n - 5]))) {
            return false;
        }
        names += !particle;
        longest = n > longest ? n : longest;
        words++;
    }
    return names >= 1 && words <= MOST_WORDS && longest >= 2 && len <= LONGEST_NAME;
}

bool kn__has_known_name(const char *text, size_t len)
{
    size_t at = 0, n;

    while ((n = next_word(text, len, &at)) != 0) {
        char folded[LONGEST_NAME];
        size_t own, plain = n;
        while (plain && (is_digit(text[at - n + plain - 1]) || text[at - n + plain - 1] == '.')) {
            plain--;
        }
        own = kn__fold(folded, sizeof folded, text + at - n, plain);
        if (is_known(folded, own) || ends_as_surname(folded, own)) {
            return true;
        }
    }
    return false;
}

bool kn__holds_person_names(const kn_column_facts *facts)
{
    kn_passed known;
    uint32_t most = 0;

    if (facts->values < FEWEST_NAMES) {
        return false;
    }
    for (uint32_t code = 0; code < kn__column_values(facts->column); code++) {
        if (code != facts->column->missing) {
            most = facts->held[code] > most ? facts->held[code] : most;
        }
    }
    if (facts->present >= 50 && (size_t)most * 6 > facts->present) {
        return false;
    }
    if (kn__test_values(facts, kn__is_name_shape).share < 0.9) { /* cheaper than looking up names */
        return false;
    }
    known = kn__test_values(facts, kn__has_known_name);
    return known.values >= 3 && 8 * known.values >= known.tested;
}
