# bash completion for kanon; made by: kanon help --completion bash
# shellcheck shell=bash disable=SC2207
# The names in the first line of the first file on the line, as a list separated by commas.
_kanon_columns()
{
    local word file="" line separator name list last=${current##*,}

    for word in "${COMP_WORDS[@]:2}"; do
        if [[ -f $word && -z $file ]]; then file=$word; fi
    done
    if [[ -z $file ]]; then return; fi
    case $file in
        *.gz) line=$(gzip -dc "$file" 2>/dev/null | head -n 1) ;;
        *.zst) line=$(zstd -dcq "$file" 2>/dev/null | head -n 1) ;;
        *) IFS= read -r line <"$file" 2>/dev/null ;;
    esac
    line=${line#$'\xef\xbb\xbf'}
    line=${line%$'\r'}
    for separator in $'\t' ';' '|' ','; do
        if [[ $line == *"$separator"* ]]; then break; fi
    done
    IFS=$separator read -ra list <<<"$line"
    compopt -o nospace 2>/dev/null
    for name in "${list[@]}"; do
        name=${name#\"} name=${name%\"}
        if [[ $name == "$last"* ]]; then COMPREPLY+=("${current%"$last"}$(printf %q "$name")${1-}"); fi
    done
}

_kanon()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options="" words="" files=""

    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        words="init profile hierarchy anonymize check measure mine apply convert sample list help --help --version"
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "${COMP_WORDS[1]}" in
        init)
            case "$previous" in
                --output | -o) files=1 ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--output --yes --ask --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        profile)
            case "$previous" in
                --subsets) return ;;
                --limit) return ;;
                --known) return ;;
                --samples) return ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --seed) return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--subsets --limit --known --samples --naive --json --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --seed --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        hierarchy)
            case "$previous" in
                --column) _kanon_columns; return ;;
                --kind) words="width frequency cuts dates prefix mask fanout bands code-list pack" ;;
                --width) return ;;
                --origin) return ;;
                --ranges) return ;;
                --cuts) return ;;
                --fanout) return ;;
                --lengths) return ;;
                --digits) return ;;
                --code-list) files=1 ;;
                --pack) words="country icd10 isco nace nuts" ;;
                --hierarchies) files=1 ;;
                --depth) return ;;
                --children) return ;;
                --output | -o) files=1 ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--column --kind --width --origin --ranges --cuts --fanout --lengths --digits --code-list --pack --hierarchies --depth --children --output --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --threads --memory --progress --quiet --no-clobber --help"
                    if [[ $COMP_CWORD -eq 2 ]]; then words="suggest build check show"; else files=1; fi
                    ;;
            esac
            ;;
        anonymize)
            case "$previous" in
                --output | -o) files=1 ;;
                --job) files=1 ;;
                --save-job) files=1 ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --hierarchy) _kanon_columns =; return ;;
                --hierarchies) files=1 ;;
                --codes) _kanon_columns; return ;;
                --uncovered) words="error suppress root" ;;
                --guarantee) words="k-anonymity l-diversity t-closeness km-anonymity k-km-anonymity k-lm-diversity kmn-anonymity sigma-km-anonymity" ;;
                --k) return ;;
                --l) return ;;
                --diversity) words="distinct entropy recursive" ;;
                --c) return ;;
                --t) return ;;
                --distance) words="equal ordered hierarchical" ;;
                --reference) words="published original" ;;
                --m) return ;;
                --recount) words="budget full" ;;
                --n) return ;;
                --sigma) return ;;
                --exact-up-to) return ;;
                --attacker) words="uniform,person uniform person" ;;
                --certificate-delta) return ;;
                --method) words="flash mondrian local apriori lra vpa acd cluster tds id3 rum-bound tum-bound rfirst tfirst gcs ecs ocs acs miracle sampling" ;;
                --suppression) return ;;
                --item-suppression) return ;;
                --suppressed) words="removed starred" ;;
                --recoding) files=1 ;;
                --map) files=1 ;;
                --areas) files=1 ;;
                --mapping) files=1 ;;
                --sweep) return ;;
                --objective) words="loss ncp precision discernibility average_class_size classification" ;;
                --lowest) return ;;
                --effort) return ;;
                --parts) return ;;
                --d) return ;;
                --class) _kanon_columns; return ;;
                --delta) return ;;
                --merge) words="rt r t" ;;
                --g) return ;;
                --cuts) return ;;
                --climit) return ;;
                --threshold) return ;;
                --coordinates) return ;;
                --edges) return ;;
                --outline) return ;;
                --error) words="auto distance ncp matrix" ;;
                --distances) return ;;
                --names) words="sets areas" ;;
                --runs) return ;;
                --samples) words="zero-failure hoeffding" ;;
                --accept-point) return ;;
                --point-limit) return ;;
                --report) files=1 ;;
                --original-rows) return ;;
                --measures) words="auto all basic" ;;
                --title) return ;;
                --note) return ;;
                --date) return ;;
                --seed) return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--output --job --save-job --json --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --accept-suggested --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --hierarchy --hierarchies --codes --uncovered --guarantee --k --l --diversity --c --t --distance --reference --m --recount --n --sigma --exact-up-to --attacker --certificate-delta --method --suppression --item-suppression --suppressed --shuffle --recoding --map --areas --mapping --sweep --objective --lowest --relaxed --effort --subtree --parts --d --paper --class --delta --merge --exact-utility --g --cuts --climit --threshold --coordinates --edges --outline --error --distances --names --runs --samples --curve --strict --accept-point --point-limit --report --original-rows --measures --title --note --date --seed --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        check)
            case "$previous" in
                --limit) return ;;
                --job) files=1 ;;
                --original) files=1 ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --hierarchy) _kanon_columns =; return ;;
                --hierarchies) files=1 ;;
                --codes) _kanon_columns; return ;;
                --uncovered) words="error suppress root" ;;
                --guarantee) words="k-anonymity l-diversity t-closeness km-anonymity k-km-anonymity k-lm-diversity kmn-anonymity sigma-km-anonymity" ;;
                --k) return ;;
                --l) return ;;
                --diversity) words="distinct entropy recursive" ;;
                --c) return ;;
                --t) return ;;
                --distance) words="equal ordered hierarchical" ;;
                --reference) words="published original" ;;
                --m) return ;;
                --recount) words="budget full" ;;
                --n) return ;;
                --sigma) return ;;
                --exact-up-to) return ;;
                --attacker) words="uniform,person uniform person" ;;
                --certificate-delta) return ;;
                --accept-point) return ;;
                --point-limit) return ;;
                --seed) return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--limit --job --original --json --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --hierarchy --hierarchies --codes --uncovered --guarantee --k --l --diversity --c --t --distance --reference --m --recount --n --sigma --exact-up-to --attacker --certificate-delta --strict --accept-point --point-limit --seed --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        measure)
            case "$previous" in
                --population) files=1 ;;
                --threshold) return ;;
                --queries) return ;;
                --query-values) return ;;
                --query-items) return ;;
                --query-file) files=1 ;;
                --support) return ;;
                --set-size) return ;;
                --negative) return ;;
                --k) return ;;
                --m) return ;;
                --n) return ;;
                --job) files=1 ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --hierarchy) _kanon_columns =; return ;;
                --hierarchies) files=1 ;;
                --codes) _kanon_columns; return ;;
                --uncovered) words="error suppress root" ;;
                --seed) return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--population --threshold --queries --query-values --query-items --query-file --support --set-size --negative --k --m --n --job --json --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --hierarchy --hierarchies --codes --uncovered --seed --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        mine)
            case "$previous" in
                --output | -o) files=1 ;;
                --records) return ;;
                --limit) return ;;
                --rows) return ;;
                --report) files=1 ;;
                --job) files=1 ;;
                --k) return ;;
                --l) return ;;
                --diversity) words="entropy distinct" ;;
                --inference) return ;;
                --class) _kanon_columns; return ;;
                --gain) words="ratio information gini" ;;
                --splits) words="two values" ;;
                --smallest) return ;;
                --hold-out) return ;;
                --depth) return ;;
                --work) return ;;
                --clusters) return ;;
                --algorithm) words="best mst kmeans" ;;
                --starts) return ;;
                --support) return ;;
                --confidence) return ;;
                --rules) return ;;
                --longest) return ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --hierarchy) _kanon_columns =; return ;;
                --hierarchies) files=1 ;;
                --codes) _kanon_columns; return ;;
                --uncovered) words="error suppress root" ;;
                --accept-point) return ;;
                --point-limit) return ;;
                --title) return ;;
                --note) return ;;
                --date) return ;;
                --seed) return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--output --check --ignore-counts --ignore-extensions --records --limit --rows --report --job --json --k --l --diversity --inference --class --gain --splits --smallest --no-prune --hold-out --paper --depth --work --clusters --algorithm --starts --support --confidence --rules --longest --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --hierarchy --hierarchies --codes --uncovered --strict --accept-point --point-limit --title --note --date --seed --threads --memory --progress --quiet --no-clobber --help"
                    if [[ $COMP_CWORD -eq 2 ]]; then words="tree clusters rules"; else files=1; fi
                    ;;
            esac
            ;;
        apply)
            case "$previous" in
                --output | -o) files=1 ;;
                --name) _kanon_columns; return ;;
                --job) files=1 ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--output --name --job --json --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        convert)
            case "$previous" in
                --to) words="csv dat long jsonl trees json xml" ;;
                --to-separator) return ;;
                --to-key) _kanon_columns; return ;;
                --foreign-key) return ;;
                --table-columns) return ;;
                --bin) return ;;
                --orphans) words="error drop" ;;
                --hierarchies-to) files=1 ;;
                --to-tree) return ;;
                --schema) files=1 ;;
                --id) _kanon_columns; return ;;
                --qi) _kanon_columns; return ;;
                --sensitive) _kanon_columns; return ;;
                --keep) _kanon_columns; return ;;
                --drop) _kanon_columns; return ;;
                --allow-unique) _kanon_columns; return ;;
                --items) _kanon_columns; return ;;
                --numbers) _kanon_columns; return ;;
                --sensitive-items) return ;;
                --sensitive-prefix) return ;;
                --sensitive-node) return ;;
                --bag) return ;;
                --nulls) return ;;
                --group-by) _kanon_columns; return ;;
                --collect) return ;;
                --join) files=1 ;;
                --join-on) return ;;
                --join-items) return ;;
                --items-together) return ;;
                --classes) return ;;
                --tree) return ;;
                --item-separator) return ;;
                --type) _kanon_columns =; return ;;
                --weight) _kanon_columns =; return ;;
                --item-weight) return ;;
                --missing) return ;;
                --decimal) words="auto , ." ;;
                --date-format) return ;;
                --missing-rule) words="own any" ;;
                --format) words="auto csv dat long jsonl trees json xml" ;;
                --separator) return ;;
                --encoding) words="auto utf8 latin1 utf16" ;;
                --quote) words="double none" ;;
                --key) _kanon_columns; return ;;
                --hierarchy) _kanon_columns =; return ;;
                --hierarchies) files=1 ;;
                --codes) _kanon_columns; return ;;
                --uncovered) words="error suppress root" ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--to --to-separator --to-no-header --to-key --tables --foreign-key --table-columns --bin --orphans --hierarchies-to --to-tree --schema --id --qi --sensitive --keep --drop --drop-rest --keep-rest --allow-unique --items --numbers --sensitive-items --sensitive-prefix --sensitive-node --bag --nulls --group-by --collect --join --join-on --join-items --items-together --classes --tree --item-separator --type --weight --item-weight --missing --decimal --date-format --missing-rule --format --separator --encoding --no-header --quote --trim --spreadsheet-safe --key --hierarchy --hierarchies --codes --uncovered --threads --memory --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        sample)
            case "$previous" in
                --records) return ;;
                --output | -o) files=1 ;;
                --hierarchies) files=1 ;;
                --coordinates) files=1 ;;
                --schema) files=1 ;;
                --seed) return ;;
                --threads) return ;;
                --memory) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--records --output --hierarchies --coordinates --schema --seed --threads --memory --progress --quiet --no-clobber --help"
                    if [[ $COMP_CWORD -eq 2 ]]; then words="people income baskets clinic informs youtube loans towers orders clinic-trees"; else files=1; fi
                    ;;
            esac
            ;;
        list)
            case "$previous" in
                --sigma) return ;;
                --rounds) return ;;
                --runs) return ;;
                --progress) words="auto always never" ;;
                *)
                    options="--json --sigma --rounds --runs --progress --quiet --no-clobber --help"
                    if [[ $COMP_CWORD -eq 2 ]]; then words="guarantees methods measures models sample-sizes"; else files=1; fi
                    ;;
            esac
            ;;
        help)
            case "$previous" in
                --completion) words="bash zsh" ;;
                --progress) words="auto always never" ;;
                *)
                    options="--man --completion --progress --quiet --no-clobber --help"
                    files=1
                    ;;
            esac
            ;;
        *) return ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$current"))
    fi
}
complete -F _kanon kanon
