/* test_read.c - PMML as other tools write it, told apart from what is not understood; hostile
 * files. */
#include "base/buffer.h"
#include "kanon/run.h"
#include "models/format/formats.h"
#include "models/random_models.h"

#define HEAD                                                                                  \
    "<?xml version=\"1.0\"?>\n<PMML xmlns=\"http://www.dmg.org/PMML-4_2\" version=\"4.2\">\n" \
    "<Header><Application name=\"rpart\" version=\"4.1\"/><Timestamp>now</Timestamp></Header>\n"
#define FIELDS                                                             \
    "<DataDictionary numberOfFields=\"4\">"                                \
    "<DataField name=\"age\" optype=\"continuous\" dataType=\"double\"/>"  \
    "<DataField name=\"n\" optype=\"continuous\" dataType=\"integer\"/>"   \
    "<DataField name=\"job\" optype=\"categorical\" dataType=\"string\">"  \
    "<Value value=\"sales\"/><Value value=\"clerk\"/></DataField>"         \
    "<DataField name=\"day\" optype=\"continuous\" dataType=\"date\"/>"    \
    "<DataField name=\"risk\" optype=\"categorical\" dataType=\"string\">" \
    "<Value value=\"good\"/><Value value=\"bad\"/></DataField></DataDictionary>\n"
#define SCHEMA                                                                       \
    "<MiningSchema><MiningField name=\"risk\" usageType=\"predicted\"/>"             \
    "<MiningField name=\"age\"/><MiningField name=\"n\"/><MiningField name=\"job\" " \
    "usageType=\"active\"/><MiningField name=\"day\"/></MiningSchema>\n"
#define TREE(attributes, inside)                                                          \
    HEAD FIELDS "<TreeModel functionName=\"classification\"" attributes ">" SCHEMA inside \
                "</TreeModel></PMML>\n"
#define LEAF(predicate, score) "<Node score=\"" score "\">" predicate "</Node>"
#define ROOT(inside)           "<Node score=\"good\"><True/>" inside "</Node>"
/* One test, and who fails it is good. */
#define ONE(predicate) \
    TREE(" noTrueChildStrategy=\"returnLastPrediction\"", ROOT(LEAF(predicate, "bad")))
#define CENTRES(fields, clusters)                                                             \
    HEAD FIELDS                                                                               \
        "<ClusteringModel functionName=\"clustering\" modelClass=\"centerBased\" "            \
        "numberOfClusters=\"2\"><MiningSchema><MiningField name=\"age\"/>"                    \
        "<MiningField name=\"n\"/><MiningField name=\"job\"/></MiningSchema>" fields clusters \
        "</ClusteringModel></PMML>"
#define SQUARED "<ComparisonMeasure kind=\"distance\"><squaredEuclidean/></ComparisonMeasure>"

static kn_model *read_ok(const char *text)
{
    kn_model *m = NULL;
    kn_error err = {0};

    if (kn__model_parse_pmml(&m, "m.pmml", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

static void refused(const char *text, const char *words)
{
    kn_model *m = (kn_model *)1;
    kn_error err = {0};

    assert_int_equal(kn__model_parse_pmml(&m, "m.pmml", text, strlen(text), &err), KN_EINPUT);
    assert_null(m);
    if (!strstr(err.message, words) || strncmp(err.message, "m.pmml: ", 8) != 0) {
        fail_msg("'%s' lacks '%s'", err.message, words);
    }
}

/* What the tree ONE(predicate) says of a tuple: 'b'ad or 'g'ood. */
static char says(const kn_model *m, double age, double n, const char *job)
{
    oracle_value tuple[8] = {{.missing = true}};
    size_t len;
    const char *answer;

    tuple[kn__model_find_attribute(m, "age")] = (oracle_value){.missing = isnan(age),
                                                               .number = age};
    tuple[kn__model_find_attribute(m, "n")] = (oracle_value){.missing = isnan(n), .number = n};
    tuple[kn__model_find_attribute(m, "job")] = (oracle_value){.missing = !job, .text = job};
    answer = oracle_tree_answer(m, tuple, &len);
    return answer ? *answer : '-';
}

static char asked(const char *text, double age, double n, const char *job)
{
    kn_model *m = read_ok(text);
    const char answer = says(m, age, n, job);

    kn_model_free(m);
    return answer;
}

static void predicates(void **state)
{
    static const char less[] = ONE(
        "<SimplePredicate field=\"age\" operator=\"lessThan\" value=\" 30.5 \"/>");
    static const char set[] = ONE("<SimpleSetPredicate field=\"job\" booleanOperator=\"isIn\">"
                                  "<Array n=\"3\" type=\"string\">clerk \"a \\\"b\\\" c\" "
                                  "x\\y</Array></SimpleSetPredicate>");
    static const char numbers[] = ONE("<SimpleSetPredicate field=\"n\" booleanOperator=\"isNotIn\">"
                                      "<Array n=\"2\" type=\"int\">1 2</Array>"
                                      "</SimpleSetPredicate>");
    static const char surrogate[] = ONE(
        "<CompoundPredicate booleanOperator=\"surrogate\">"
        "<SimplePredicate field=\"age\" operator=\"lessOrEqual\" value=\"30\"/>"
        "<SimplePredicate field=\"n\" operator=\"equal\" value=\"1\"/><False/>"
        "</CompoundPredicate>");
    static const char exclusive[] = ONE(
        "<CompoundPredicate booleanOperator=\"xor\">"
        "<SimplePredicate field=\"age\" operator=\"greaterThan\" value=\"30\"/>"
        "<SimplePredicate field=\"job\" operator=\"notEqual\" value=\"clerk\"/>"
        "</CompoundPredicate>");

    (void)state;
    assert_int_equal(asked(less, 30.4, 0, "x"), 'b');
    assert_int_equal(asked(less, 30.5, 0, "x"), 'g');
    assert_int_equal(asked(less, NAN, 0, "x"), 'g');
    assert_int_equal(asked(set, 0, 0, "clerk"), 'b');
    assert_int_equal(asked(set, 0, 0, "a \"b\" c"), 'b');
    assert_int_equal(asked(set, 0, 0, "x\\y"), 'b');
    assert_int_equal(asked(set, 0, 0, "sales"), 'g');
    assert_int_equal(asked(numbers, 0, 2, "x"), 'g');
    assert_int_equal(asked(numbers, 0, 3, "x"), 'b');
    assert_int_equal(asked(surrogate, 30, 0, "x"), 'b');
    assert_int_equal(asked(surrogate, NAN, 1, "x"), 'b');
    assert_int_equal(asked(surrogate, NAN, 2, "x"), 'g');
    assert_int_equal(asked(surrogate, NAN, NAN, "x"), 'g');
    assert_int_equal(asked(exclusive, 31, 0, "clerk"), 'b');
    assert_int_equal(asked(exclusive, 31, 0, "sales"), 'g');
    assert_int_equal(asked(exclusive, 31, 0, NULL), 'g');
}

static void attributes(void **state)
{
    kn_model *m = read_ok(TREE("", "<Node id=\"1\"><Extension name=\"x\"/><True/>"
                                   "<ScoreDistribution value=\"bad\" recordCount=\"3\"/>"
                                   "<ScoreDistribution value=\"good\" recordCount=\"5\"/></Node>"));

    (void)state;
    assert_string_equal(m->made_by, "rpart 4.1");
    assert_int_equal(m->attributes, 5);
    assert_string_equal(m->attribute[0].name, "risk");
    assert_int_equal(m->attribute[1].type, KN_TYPE_DECIMAL);
    assert_int_equal(m->attribute[2].type, KN_TYPE_INTEGER);
    assert_int_equal(m->attribute[3].type, KN_TYPE_CATEGORY);
    assert_int_equal(m->attribute[4].type, KN_TYPE_DATE);
    assert_int_equal(kn__dict_find(m->attribute[3].values, "clerk", 5), 0);
    assert_int_equal(kn__dict_find(m->attribute[0].values, "bad", 3), 0);
    /* no score: the most frequent; classes are by bytes ascending */
    assert_int_equal(m->tree.node[0].answer, 1);
    assert_int_equal(m->tree.node[0].population[0], 3);
    assert_int_equal(m->tree.node[0].population[1], 5);
    kn_model_free(m);
    /* shares are no counts of people, not even those that are whole */
    m = read_ok(TREE("", ROOT("<Node score=\"bad\"><True/>"
                              "<ScoreDistribution value=\"bad\" recordCount=\"1\"/></Node>"
                              "<Node score=\"bad\"><True/>"
                              "<ScoreDistribution value=\"bad\" recordCount=\"0.5\"/></Node>")));
    assert_null(m->tree.node[1].population);
    assert_null(m->tree.node[2].population);
    kn_model_free(m);
}

static void strategies(void **state)
{
    static const struct {
        const char *text;
        kn_tree_missing when;
        char answer; /* of a record without age */
    } all[] = {
#define TWO                                                                               \
    "<Node id=\"r\" score=\"good\" defaultChild=\"b\"><True/>"                            \
    "<Node id=\"a\" score=\"good\"><SimplePredicate field=\"age\" operator=\"lessThan\" " \
    "value=\"1\"/></Node><Node id=\"b\" score=\"bad\"><SimplePredicate field=\"age\" "    \
    "operator=\"greaterOrEqual\" value=\"1\"/></Node></Node>"
        {TREE("", TWO), KN_TREE_MISSING_NEXT, '-'},
        {TREE(" missingValueStrategy=\"defaultChild\"", TWO), KN_TREE_MISSING_CHILD, 'b'},
        {TREE(" missingValueStrategy=\"lastPrediction\"", TWO), KN_TREE_MISSING_STAYS, 'g'},
        {TREE(" missingValueStrategy=\"nullPrediction\"", TWO), KN_TREE_MISSING_NOTHING, '-'},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        kn_model *m = read_ok(all[i].text);
        assert_int_equal(m->tree.when_missing, all[i].when);
        assert_int_equal(says(m, NAN, 0, "x"), all[i].answer);
        assert_int_equal(says(m, 0, 0, "x"), 'g');
        assert_int_equal(says(m, 1, 0, "x"), 'b');
        kn_model_free(m);
    }
    refused(TREE(" missingValueStrategy=\"weightedConfidence\"", ROOT("")), "weightedConfidence");
    refused(TREE(" missingValueStrategy=\"aggregateNodes\"", ROOT("")), "aggregateNodes");
    refused(TREE(" missingValueStrategy=\"defaultChild\"",
                 "<Node score=\"good\" defaultChild=\"7\"><True/></Node>"),
            "defaultChild is '7'");
}

static void replaced_values(void **state)
{
#define WITH(replacement, predicate)                                               \
    HEAD FIELDS "<TreeModel functionName=\"classification\" "                      \
                "noTrueChildStrategy=\"returnLastPrediction\"><MiningSchema>"      \
                "<MiningField name=\"risk\" usageType=\"target\"/>"                \
                "<MiningField name=\"age\" missingValueReplacement=\"" replacement \
                "\" missingValueTreatment=\"asMean\"/><MiningField name=\"n\"/>"   \
                "<MiningField name=\"job\" missingValueReplacement=\"clerk\"/>"    \
                "</MiningSchema>" ROOT(LEAF(predicate, "bad")) "</TreeModel></PMML>"
    static const char low[] = WITH(
        "20", "<SimplePredicate field=\"age\" operator=\"lessThan\" value=\"30\"/>");
    static const char high[] = WITH(
        "40", "<SimplePredicate field=\"age\" operator=\"lessThan\" value=\"30\"/>");
    static const char job[] = WITH(
        "1", "<SimplePredicate field=\"job\" operator=\"equal\" value=\"clerk\"/>");
    static const char missing[] = WITH("1", "<SimplePredicate field=\"job\" "
                                            "operator=\"isMissing\"/>");

    (void)state;
    assert_int_equal(asked(low, NAN, 0, "x"), 'b');
    assert_int_equal(asked(high, NAN, 0, "x"), 'g');
    assert_int_equal(asked(high, 29, 0, "x"), 'b');
    assert_int_equal(asked(job, 0, 0, NULL), 'b');
    assert_int_equal(asked(job, 0, 0, "x"), 'g');
    assert_int_equal(asked(missing, 0, 0, NULL), 'g');
    refused(WITH("many", "<SimplePredicate field=\"age\" operator=\"lessThan\" value=\"30\"/>"),
            "'many', which is no number");
}

/* ---- derived fields ---- */

#define DERIVED(derived, predicate)                                                \
    HEAD FIELDS "<TransformationDictionary>" derived "</TransformationDictionary>" \
                "<TreeModel functionName=\"classification\" "                      \
                "noTrueChildStrategy=\"returnLastPrediction\">" SCHEMA             \
                ROOT(LEAF(predicate, "bad")) "</TreeModel></PMML>"
#define NUMBER(name, type, inside)                                                        \
    "<DerivedField name=\"" name "\" optype=\"continuous\" dataType=\"" type "\">" inside \
    "</DerivedField>"

/* Random straight lines in several steps: the folded test answers as the steps and the comparison
 * do, also right beside the end. */
static void derived_numbers(void **state)
{
    static const char *const operators[] = {"lessThan",       "lessOrEqual", "greaterThan",
                                            "greaterOrEqual", "equal",       "notEqual"};
    kn_rng r;
    size_t bad = 0, all = 0;

    (void)state;
    kn__rng_seed(&r, 21, 1);
    for (size_t round = 0; round < 2000; round++) {
        const double plus = round % 7 ? (kn__rng_double(&r) - 0.5) * 40 : 0.1;
        const double times = (kn__rng_below(&r, 2) ? 1 : -1) * (0.01 + kn__rng_double(&r) * 5);
        const bool single = kn__rng_below(&r, 2);
        const size_t sign = kn__rng_below(&r, 6);
        const double near = (double)kn__rng_below(&r, 100);
        double c = (near - plus) / times;
        kn_buffer text = {0};
        kn_model *m;

        c = single ? (double)(float)c : c;
        kn__buffer_addf(
            &text,
            HEAD FIELDS "<TransformationDictionary>" NUMBER(
                "one", "double",
                "<Apply function=\"/\"><Apply function=\"-\"><FieldRef field=\"age\"/>"
                "<Constant>%.17g</Constant></Apply><Constant>%.17g</Constant></Apply>") "<DerivedField name=\"two\" optype=\"continuous\" dataType=\"%s\">"
                                                                                        "<FieldRef field=\"one\"/></DerivedField></TransformationDictionary>"
                                                                                        "<TreeModel functionName=\"classification\" "
                                                                                        "noTrueChildStrategy=\"returnLastPrediction\">" SCHEMA
                                                                                        "<Node score=\"good\"><True/><Node score=\"bad\"><SimplePredicate field=\"two\" "
                                                                                        "operator=\"%s\" value=\"%.17g\"/></Node></Node></TreeModel></PMML>",
            plus, times, single ? "float" : "double", operators[sign], c);
        m = read_ok(text.data);
        for (int i = -20; i <= 20; i++) {
            double x = near, y;
            bool expected;
            for (int j = 0; j < (i < 0 ? -i : i); j++) {
                x = nextafter(x, i < 0 ? -HUGE_VAL : HUGE_VAL);
            }
            x = i == -20 ? near - 1 : i == 20 ? near + 1 : i == 19 ? near * (1 + 1e-8) : x;
            y = (x - plus) / times;
            y = single ? (double)(float)y : y;
            expected = sign == 0   ? y < c
                       : sign == 1 ? y <= c
                       : sign == 2 ? y > c
                       : sign == 3 ? y >= c
                       : sign == 4 ? y == c
                                   : y != c;
            assert_int_equal(says(m, x, 0, "x"), expected ? 'b' : 'g');
            bad += expected;
            all++;
        }
        assert_int_equal(says(m, NAN, 0, "x"), 'g');
        kn_model_free(m);
        kn__buffer_free(&text);
    }
    assert_true(bad > all / 10 && bad < all - all / 10);
}

/* A predicate and its opposite leave nothing between them, not even what no double can say. */
static void opposites_meet(void **state)
{
    kn_model *m = read_ok(
        DERIVED(NUMBER("f", "float", "<FieldRef field=\"age\"/>"),
                "<CompoundPredicate booleanOperator=\"or\">"
                "<SimplePredicate field=\"f\" operator=\"lessOrEqual\" value=\"40.5\"/>"
                "<SimplePredicate field=\"f\" operator=\"greaterThan\" value=\"40.5\"/>"
                "</CompoundPredicate>"));
    const kn_test *t = &m->tree.node[1].test;

    (void)state;
    assert_int_equal(t->parts[0].kind, KN_TEST_LESS_EQUAL);
    assert_int_equal(t->parts[1].kind, KN_TEST_GREATER);
    assert_true(t->parts[0].number == t->parts[1].number);
    kn_model_free(m);
}

static void derived_others(void **state)
{
    static const char norm[] = DERIVED(
        NUMBER("z", "double",
               "<NormContinuous field=\"age\"><LinearNorm orig=\"10\" norm=\"0\"/>"
               "<LinearNorm orig=\"20\" norm=\"1\"/></NormContinuous>"),
        "<SimplePredicate field=\"z\" operator=\"greaterThan\" value=\"0.5\"/>");
    static const char one[] = DERIVED(
        NUMBER("clerk", "double", "<NormDiscrete field=\"job\" value=\"clerk\"/>"),
        "<SimplePredicate field=\"clerk\" operator=\"lessOrEqual\" value=\"0.5\"/>");

    (void)state;
    assert_int_equal(asked(norm, 15, 0, "x"), 'g');
    assert_int_equal(asked(norm, 15.1, 0, "x"), 'b');
    assert_int_equal(asked(one, 0, 0, "clerk"), 'g');
    assert_int_equal(asked(one, 0, 0, "other"), 'b');
    assert_int_equal(asked(one, 0, 0, NULL), 'g');
    refused(DERIVED(NUMBER("z", "double", "<Discretize field=\"age\"/>"),
                    "<SimplePredicate field=\"z\" operator=\"isMissing\"/>"),
            "Discretize");
    refused(DERIVED(NUMBER("z", "double",
                           "<Apply function=\"ln\"><FieldRef field=\"age\"/></Apply>"),
                    "<SimplePredicate field=\"z\" operator=\"isMissing\"/>"),
            "function 'ln'");
    refused(DERIVED(NUMBER("z", "double", "<FieldRef field=\"age\" mapMissingTo=\"1\"/>"),
                    "<SimplePredicate field=\"z\" operator=\"isMissing\"/>"),
            "mapMissingTo");
    refused(DERIVED(NUMBER("z", "double", "<FieldRef field=\"y\"/>")
                        NUMBER("y", "double", "<FieldRef field=\"z\"/>"),
                    "<SimplePredicate field=\"z\" operator=\"isMissing\"/>"),
            "made of itself");
    refused(DERIVED(NUMBER("z", "integer", "<FieldRef field=\"age\"/>"),
                    "<SimplePredicate field=\"z\" operator=\"isMissing\"/>"),
            "continuous integer");
    refused(DERIVED(NUMBER("z", "double",
                           "<NormContinuous field=\"age\" outliers=\"asExtremeValues\">"
                           "<LinearNorm orig=\"10\" norm=\"0\"/>"
                           "<LinearNorm orig=\"20\" norm=\"1\"/></NormContinuous>"),
                    "<SimplePredicate field=\"z\" operator=\"isMissing\"/>"),
            "asExtremeValues");
}

/* ---- clusters and rules ---- */

static void clusters(void **state)
{
    kn_model *m = read_ok(CENTRES(
        "<LocalTransformations>" NUMBER(
            "a", "double",
            "<Apply function=\"/\"><Apply function=\"-\"><FieldRef field=\"age\"/>"
            "<Constant>40</Constant></Apply><Constant>-4</Constant></Apply>")
            NUMBER("clerk", "double", "<NormDiscrete field=\"job\" value=\"clerk\"/>") NUMBER(
                "sales", "double",
                "<NormDiscrete field=\"job\" value=\"sales\"/>") "</LocalTransformations>" SQUARED
                                                                 "<ClusteringField field=\"a\" fieldWeight=\"2\"/>"
                                                                 "<ClusteringField field=\"clerk\" fieldWeight=\"0.5\"/>"
                                                                 "<ClusteringField field=\"sales\" fieldWeight=\"0.5\"/>",
        "<Cluster id=\"1\" size=\"3\"><Array n=\"3\" type=\"real\">1 0 1</Array></Cluster>"
        "<Cluster id=\"x\" size=\"4\"><Array n=\"3\" type=\"real\">-2.5 1 0</Array></Cluster>"));
    size_t len;

    (void)state;
    /* n counts nothing and is gone */
    assert_int_equal(m->attributes, 2);
    assert_string_equal(m->attribute[0].name, "age");
    assert_string_equal(m->attribute[1].name, "job");
    assert_true(m->centres.number[0] == 36 && m->centres.number[2] == 50);
    assert_true(m->centres.scale[0] == 4 && m->attribute[0].weight == 2);
    assert_true(m->attribute[1].weight == 1);
    assert_memory_equal(kn__dict_text(m->attribute[1].values, m->centres.value[1], &len), "sales",
                        5);
    assert_int_equal(m->centres.population[1], 4);
    assert_null(m->centres.name[0]);
    assert_string_equal(m->centres.name[1], "x");
    kn_model_free(m);
    m = read_ok(CENTRES(SQUARED "<ClusteringField field=\"n\"/>"
                                "<ClusteringField field=\"job\" compareFunction=\"delta\"/>",
                        "<Cluster><Array n=\"2\" type=\"string\">7 clerk</Array></Cluster>"
                        "<Cluster><Array n=\"2\" type=\"string\">8 sales</Array></Cluster>"));
    assert_true(m->centres.number[0] == 7 && m->centres.value[3] == 1);
    assert_null(m->centres.population);
    kn_model_free(m);
#define AGE "<ClusteringField field=\"age\"/>"
#define TWO_CENTRES \
    "<Cluster><Array n=\"1\">1</Array></Cluster><Cluster><Array n=\"1\">2</Array></Cluster>"
    refused(CENTRES("<ComparisonMeasure kind=\"distance\"><cityBlock/></ComparisonMeasure>" AGE,
                    TWO_CENTRES),
            "cityBlock");
    refused(CENTRES("<ComparisonMeasure kind=\"similarity\"><jaccard/></ComparisonMeasure>" AGE,
                    TWO_CENTRES),
            "similarity");
    refused(CENTRES("<Targets/>" SQUARED AGE, TWO_CENTRES), "Targets inside of ClusteringModel");
    refused(CENTRES("<ModelStats/>" SQUARED AGE, TWO_CENTRES), "ModelStats inside of Clustering");
    refused(CENTRES("<ModelExplanation/>" SQUARED AGE, TWO_CENTRES), "ModelExplanation inside of");
    refused(CENTRES(SQUARED AGE, TWO_CENTRES "<ModelVerification/>"), "ModelVerification inside");
    refused(CENTRES(SQUARED AGE, "<Cluster><Array n=\"1\">1</Array><Partition/></Cluster>"
                                 "<Cluster><Array n=\"1\">2</Array></Cluster>"),
            "Partition inside of Cluster may tell");
    refused(CENTRES(SQUARED AGE, "<Cluster><Array n=\"1\">1</Array></Cluster>"),
            "numberOfClusters says 2");
    refused(CENTRES(SQUARED AGE, "<Cluster><Array n=\"1\">1</Array></Cluster>"
                                 "<Cluster><Array n=\"1\">x</Array></Cluster>"),
            "'x' in a centre is no number");
    refused(CENTRES(SQUARED AGE, "<Cluster><Array n=\"2\">1 2</Array></Cluster>"
                                 "<Cluster><Array n=\"1\">1</Array></Cluster>"),
            "2 values for 1 fields");
    refused(CENTRES(SQUARED AGE AGE, TWO_CENTRES), "counts twice");
    refused(CENTRES(SQUARED "<ClusteringField field=\"age\" compareFunction=\"gaussSim\"/>",
                    TWO_CENTRES),
            "gaussSim");
    refused(
        CENTRES(
            "<LocalTransformations>" NUMBER(
                "clerk", "double",
                "<NormDiscrete field=\"job\" value=\"clerk\"/>") "</LocalTransformations>" SQUARED
                                                                 "<ClusteringField field=\"clerk\"/>",
            "<Cluster><Array n=\"1\">0.4</Array></Cluster>"
            "<Cluster><Array n=\"1\">1</Array></Cluster>"),
        "spread over several values");
}

#define RULES(inside)                                                                             \
    HEAD "<DataDictionary><DataField name=\"t\" optype=\"categorical\" dataType=\"string\"/>"     \
         "<DataField name=\"item\" optype=\"categorical\" dataType=\"string\"/></DataDictionary>" \
         "<AssociationModel functionName=\"associationRules\" numberOfTransactions=\"100\" "      \
         "numberOfItems=\"2\" minimumSupport=\"0.1\" minimumConfidence=\"0.5\" "                  \
         "numberOfItemsets=\"2\" numberOfRules=\"1\"><MiningSchema><MiningField name=\"t\" "      \
         "usageType=\"group\"/><MiningField name=\"item\"/></MiningSchema>" inside                \
         "</AssociationModel></PMML>"
#define ITEMS                                                                  \
    "<Item id=\"1\" value=\"cherries\"/><Item id=\"2\" value=\"viagra\"/>"     \
    "<Itemset id=\"a\" numberOfItems=\"1\"><ItemRef itemRef=\"1\"/></Itemset>" \
    "<Itemset id=\"b\"><ItemRef itemRef=\"2\"/></Itemset>"

static void rules(void **state)
{
    kn_model *m = read_ok(RULES(ITEMS "<AssociationRule antecedent=\"a\" consequent=\"b\" "
                                      "support=\"0.3\" confidence=\"0.6\" lift=\"2\"/>"));

    (void)state;
    assert_int_equal(m->rules.count, 1);
    assert_int_equal(m->rules.records, 100);
    assert_int_equal(m->rules.rule[0].left[0], 0);
    assert_int_equal(m->rules.rule[0].right[0], 1);
    assert_true(m->rules.rule[0].confidence == 0.6);
    assert_null(m->rules.column);
    kn_model_free(m);
    refused(RULES(ITEMS "<AssociationRule antecedent=\"a\" consequent=\"c\"/>"), "id 'c'");
    refused(RULES(ITEMS "<Itemset id=\"a\"/>"), "two Itemsets have the id 'a'");
    refused(RULES(ITEMS "<Itemset id=\"c\"><ItemRef itemRef=\"9\"/></Itemset>"), "id '9'");
    refused(RULES(ITEMS "<Item id=\"3\" value=\"viagra\"/>"), "two Items have the value");
    refused(RULES(ITEMS "<AssociationRule antecedent=\"a\" consequent=\"a\"/>"), "both sides");
    refused(RULES(ITEMS "<AssociationRule antecedent=\"a\" consequent=\"b\" support=\"1.3\"/>"),
            "support of AssociationRule is 1.3");
    refused(RULES(ITEMS "<Sequence id=\"1\"/>"), "Sequence");
    refused(RULES(ITEMS "<ModelStats/>"), "ModelStats");
    refused(RULES(ITEMS "<ModelVerification/>"), "ModelVerification");
    refused(RULES(ITEMS "<AssociationRule antecedent=\"a\" consequent=\"b\"><Extension "
                        "name=\"zhang\" value=\"0.5\"/></AssociationRule>"),
            "an Extension of AssociationRule is not read");
    refused(RULES(ITEMS "<Itemset id=\"c\"><Extension name=\"n\" value=\"5\"/></Itemset>"),
            "an Extension of Itemset is not read");
    refused(RULES(ITEMS "<Itemset id=\"c\" support=\"-0.1\"><ItemRef itemRef=\"1\"/></Itemset>"),
            "support of Itemset is -0.1");
}

/* What is stated beside the rules: item sets with their support, whether rules have them or not,
 * other measures, and how many digits there are. */
static void told(void **state)
{
    static const char *const measures[] = {"lift=\"2\"", "leverage=\"0.1\"", "affinity=\"0.2\""};
    kn_model *m = read_ok(RULES(
        ITEMS "<Itemset id=\"c\" support=\"0.25\" numberOfItems=\"2\"><ItemRef "
              "itemRef=\"2\"/><ItemRef itemRef=\"1\"/></Itemset><Itemset id=\"d\" "
              "support=\"1\"/><AssociationRule antecedent=\"a\" consequent=\"b\" support=\"0.3\" "
              "confidence=\"0.600\"/>"));

    (void)state;
    assert_int_equal(m->rules.sets, 1);
    assert_int_equal(m->rules.set[0].count, 2);
    assert_int_equal(m->rules.set[0].items[0], 0);
    assert_true(m->rules.set[0].support == 0.25);
    assert_true(fabs(m->rules.set[0].support_within - 0.005) < 1e-12);
    assert_true(fabs(m->rules.rule[0].support_within - 0.005) < 1e-12);
    assert_true(fabs(m->rules.rule[0].confidence_within - 0.0005) < 1e-12);
    assert_false(m->rules.rule[0].right_stated);
    kn_model_free(m);
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        char text[4096];
        (void)snprintf(text, sizeof text,
                       RULES(ITEMS "<AssociationRule antecedent=\"a\" consequent=\"b\" %s/>"),
                       measures[i]);
        m = read_ok(text);
        assert_true(m->rules.rule[0].right_stated || m->rules.rule[0].lift == 2);
        kn_model_free(m);
    }
}

/* ---- what is not understood, and what is no PMML at all ---- */

static void refusals(void **state)
{
#define MODEL(name, inside) HEAD FIELDS "<" name ">" inside "</" name "></PMML>"
    (void)state;
    refused("", "not XML");
    refused("<PMML", "line 1, column");
    refused("<PMML version=\"4.4\"></PMML>", "no model");
    refused("<pmml version=\"4.4\"></pmml>", "begins with <pmml>");
    refused("<PMML/>", "no attribute 'version'");
    refused("<PMML version=\"2.1\"/>", "version '2.1'");
    refused(MODEL("NeuralNetwork", ""), "NeuralNetwork is not read");
    refused(MODEL("MiningModel", ""), "MiningModel is not read");
    refused(HEAD FIELDS "<TreeModel functionName=\"regression\">" SCHEMA "</TreeModel></PMML>",
            "regression");
    refused(HEAD FIELDS "<TreeModel/><TreeModel/></PMML>", "a second model");
    refused(HEAD "<TreeModel functionName=\"classification\"/></PMML>", "no DataDictionary");
    refused(HEAD FIELDS "<TreeModel functionName=\"classification\"/></PMML>", "no MiningSchema");
    refused(TREE("", ""), "one Node");
    refused(TREE(" surprise=\"1\"", ROOT("")), "the attribute 'surprise'");
    refused(TREE("", "<Targets/>" ROOT("")), "Targets inside of TreeModel");
    refused(TREE("", "<ModelStats/>" ROOT("")), "ModelStats inside of TreeModel may tell");
    refused(TREE("", "<ModelExplanation/>" ROOT("")), "ModelExplanation inside of TreeModel may");
    refused(TREE("", ROOT("") "<ModelVerification/>"), "ModelVerification inside of TreeModel may");
    refused(TREE("", ROOT("<Partition/>")), "Partition inside of Node may tell");
    refused(TREE("", "<Node score=\"good\"/>"), "0 predicates");
    refused(TREE("", "<Node score=\"good\"><True/><Regression/></Node>"), "Regression");
    refused(TREE("", "<Node><True/></Node>"), "neither a score nor a ScoreDistribution");
    refused(TREE("", "<Node score=\"good\"><False/></Node>"), "is not <True/>");
    refused(TREE("", "<Node id=\"1\" score=\"a\"><True/><Node id=\"1\" score=\"a\"><True/></Node>"
                     "</Node>"),
            "two Nodes have the id");
    refused(ONE("<SimplePredicate field=\"age\" operator=\"lessThan\" value=\"old\"/>"),
            "'old', which is no number");
    refused(ONE("<SimplePredicate field=\"age\" operator=\"lessThan\" value=\"NaN\"/>"),
            "'NaN', which is no number");
    refused(ONE("<SimplePredicate field=\"age\" operator=\"like\" value=\"1\"/>"), "'like'");
    refused(ONE("<SimplePredicate field=\"job\" operator=\"lessThan\" value=\"clerk\"/>"),
            "order of the category");
    refused(ONE("<SimplePredicate field=\"height\" operator=\"isMissing\"/>"), "no field 'height'");
    refused(ONE("<SimpleSetPredicate field=\"job\" booleanOperator=\"isIn\">"
                "<Array n=\"3\" type=\"string\">a b</Array></SimpleSetPredicate>"),
            "says that it has 3");
    refused(ONE("<SimpleRule/>"), "SimpleRule");
    refused(ONE("<CompoundPredicate booleanOperator=\"nand\"><True/></CompoundPredicate>"), "nand");
    refused(HEAD "<DataDictionary><DataField name=\"a\"/><DataField name=\"a\"/></DataDictionary>"
                 "<TreeModel functionName=\"classification\"><MiningSchema/></TreeModel></PMML>",
            "two fields called 'a'");
    refused(HEAD FIELDS "<TreeModel functionName=\"classification\"><MiningSchema>"
                        "<MiningField name=\"ghost\"/></MiningSchema></TreeModel></PMML>",
            "'ghost' is not in the DataDictionary");
    refused(HEAD FIELDS "<TreeModel functionName=\"classification\"><MiningSchema>"
                        "<MiningField name=\"age\" outliers=\"asMissingValues\"/></MiningSchema>"
                        "</TreeModel></PMML>",
            "asMissingValues");
    refused(HEAD FIELDS "<TreeModel functionName=\"classification\"><MiningSchema>"
                        "<MiningField name=\"age\" invalidValueTreatment=\"asMissing\"/>"
                        "</MiningSchema></TreeModel></PMML>",
            "asMissing");
    refused(HEAD FIELDS "<TreeModel functionName=\"classification\"><MiningSchema>"
                        "<MiningField name=\"age\" usageType=\"target\"/>"
                        "</MiningSchema></TreeModel></PMML>",
            "not regression");
}

static void hostile(void **state)
{
    static const char laughs[] =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE PMML [\n<!ENTITY a \"ha\">\n<!ENTITY b "
        "\"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">\n]>\n"
        "<PMML version=\"4.4\">&c;</PMML>";
    static const char outside[] = "<!DOCTYPE PMML SYSTEM \"file:///etc/hostname\"><PMML/>";
    kn_buffer deep = {0};
    kn_model *m;
    kn_error err;
    const size_t before = kn_memory_in_use();

    (void)state;
    refused(laughs, "document type");
    refused(outside, "document type");
    refused("<?xml version=\"1.0\" encoding=\"EBCDIC-US\"?><PMML/>", "unknown encoding");
    refused("<PMML version=\"\xff\"/>", "not XML");
    assert_int_equal(kn__model_parse_pmml(&m, "m.pmml", "<PMML\0/>", 8, &err), KN_EINPUT);
    /* nested deeply: elements, predicates, nodes */
    kn__buffer_adds(&deep, HEAD FIELDS "<TreeModel functionName=\"classification\">" SCHEMA);
    for (size_t i = 0; i < 100000; i++) {
        kn__buffer_adds(&deep, "<Node score=\"good\"><True/>");
    }
    refused(deep.data, "nested more than 1,000 deep");
    deep.len = 0;
    kn__buffer_adds(&deep, HEAD FIELDS "<TreeModel functionName=\"classification\">" SCHEMA
                                       "<Node score=\"good\"><True/><Node score=\"good\">");
    for (size_t i = 0; i < 200; i++) {
        kn__buffer_adds(&deep, "<CompoundPredicate booleanOperator=\"and\">");
    }
    kn__buffer_adds(&deep, "<True/>");
    for (size_t i = 0; i < 200; i++) {
        kn__buffer_adds(&deep, "</CompoundPredicate>");
    }
    kn__buffer_adds(&deep, "</Node></Node></TreeModel></PMML>");
    refused(deep.data, "predicates are nested");
    deep.len = 0;
    kn__buffer_adds(&deep, HEAD FIELDS "<TransformationDictionary>");
    for (int i = 0; i < 5000; i++) {
        kn__buffer_addf(&deep, NUMBER("d%d", "double", "<FieldRef field=\"d%d\"/>"), i, i + 1);
    }
    kn__buffer_adds(
        &deep, "</TransformationDictionary><TreeModel functionName=\"classification\">" SCHEMA ROOT(
                   LEAF("<SimplePredicate field=\"d0\" operator=\"isMissing\"/>",
                        "bad")) "</TreeModel></PMML>");
    refused(deep.data, "made of each other");
    kn__buffer_free(&deep);
    assert_int_equal(kn_memory_in_use(), before);
}

/* What tools write in UTF-16 is read as well. */
static void other_encodings(void **state)
{
    static const char text[] = ONE("<SimplePredicate field=\"age\" operator=\"isMissing\"/>");
    char wide[2 * sizeof text + 2] = {'\xff', '\xfe'};
    kn_model *m = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i++) {
        wide[2 + 2 * i] = text[i];
    }
    assert_int_equal(kn_model_parse(&m, "m.pmml", wide, 2 * sizeof text, NULL), KN_OK);
    assert_int_equal(m->tree.nodes, 2);
    kn_model_free(m);
}

static void no_memory(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 31, 1);
    for (size_t round = 0; round < 9; round++) {
        kn_model *m = round % 3 == 0   ? random_tree(&r, DATES)
                      : round % 3 == 1 ? random_centres(&r, 0)
                                       : random_rules(&r, 0);
        kn_buffer text = {0};
        size_t before;
        assert_int_equal(kn__model_pmml(m, &text, NULL), KN_OK);
        before = kn_memory_in_use();
        for (size_t n = 1;; n++) {
            kn_model *again = NULL;
            bool struck;
            kn_status st;
            kn__memory_fail_after(n);
            st = kn__model_parse_pmml(&again, "m.pmml", text.data, text.len, NULL);
            struck = kn__memory_failed();
            kn__memory_fail_after(0);
            assert_int_equal(st == KN_OK, again != NULL);
            assert_true(!struck || st == KN_ENOMEM);
            kn_model_free(again);
            assert_int_equal(kn_memory_in_use(), before);
            if (!struck) {
                break;
            }
        }
        kn__buffer_free(&text);
        kn_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicates),      cmocka_unit_test(attributes),
        cmocka_unit_test(strategies),      cmocka_unit_test(replaced_values),
        cmocka_unit_test(derived_numbers), cmocka_unit_test(opposites_meet),
        cmocka_unit_test(derived_others),  cmocka_unit_test(clusters),
        cmocka_unit_test(rules),           cmocka_unit_test(told),
        cmocka_unit_test(refusals),        cmocka_unit_test(hostile),
        cmocka_unit_test(other_encodings), cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
