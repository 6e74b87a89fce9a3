#!/usr/bin/env bash
# Tree records through the command: three CSV tables with foreign keys in, .trees, JSON, XML and three CSV
# tables out, the same trees on every way; bad input; and the real schemas of $SHARED_DATA.
# shellcheck disable=SC2016
set -u
source "$SOURCE_DIR/tests/cli/tap.bash"

# check NAME COMMAND...: the command succeeds.
check() {
    local name=$1
    shift
    if "$@"; then ok "$name"; else not_ok "$name" "failed: $*"; fi
}

mkdir shop
cat >shop/customer.csv <<'END'
id,name,nation
7,Ann,France
8,Bob,Italy
9,Cy,Italy
END
cat >shop/orders.csv <<'END'
key,buyer,price,date
a,7,120.50,2020-01-03
b,7,7.00,2020-02-28
c,8,130.00,2021-01-01
END
cat >shop/lineitem.csv <<'END'
key,part,quantity
a,p1,5
a,p2,1
b,p1,2
c,p2,5
END
cat >shop/part.csv <<'END'
part,brand
p1,Acme
p2,Bolt
END
tree='customer(nation) > orders(price, date) > lineitem(quantity, part.brand)'
plain='customer(nation) > orders(price, date) > lineitem(quantity, brand)'
options=(--tree "$tree" --foreign-key orders.buyer=customer.id --bin price=100 --bin date=month)

exits "tables to trees" 0 "$KANON" convert shop shop.trees "${options[@]}" --hierarchies-to hierarchies
cat >want.trees <<'END'
#class nation France Italy
#class price [0.00,99.99] [100.00,199.99]
#class date 2020-01 2020-02 2021-01
#class quantity 1 2 5
#class brand Acme Bolt
France([0.00,99.99](2020-02 2(Acme)) [100.00,199.99](2020-01 1(Bolt) 5(Acme)))
Italy([100.00,199.99](2021-01 5(Bolt)))
Italy
END
check "the trees are these" cmp -s shop.trees want.trees
check "a hierarchy per class" test -f hierarchies/price.csv -a -f hierarchies/brand.csv
check "no name is in the trees" bash -c '! grep -q -e Ann -e Bob shop.trees'
for form in json xml jsonl trees.gz; do
    exits "to $form" 0 "$KANON" convert shop.trees "shop.$form"
    exits "from $form" 0 "$KANON" convert "shop.$form" back.trees --classes nation,price,date,quantity,brand
    check "$form gives the same trees" cmp -s back.trees want.trees
done
cp shop.trees shop.trees.copy
exits "trees to tables" 0 "$KANON" convert shop.trees tables/ --to-tree "$plain"
exits "trees to tables: the name needs no slash" 0 "$KANON" convert shop.trees plain_name --to-tree "$plain"
check "trees to tables: the name needs no slash: a folder" test -f plain_name/orders.csv
exits "trees to tables: a file stands there" 5 "$KANON" convert shop.trees shop.trees.copy --to-tree "$plain"
check "three tables" test -f tables/customer.csv -a -f tables/orders.csv -a -f tables/lineitem.csv
check "keys are new" grep -q '^2,1,"\[100.00,199.99\]",2020-01$' tables/orders.csv
exits "and tables to trees" 0 "$KANON" convert tables back.trees --tree "$plain"
check "tables give the same trees" cmp -s back.trees want.trees

# A release without the relation of nation and price needs a table for the nation.
sed 's/^Italy(\(.*\))$/Italy \1/' want.trees >cut.trees
exits "a removed relation is not restored" 2 "$KANON" convert cut.trees cut/ --to-tree "$plain"
says "and the way out is named" "Give that class a table of its own"
exits "a table of its own" 0 "$KANON" convert cut.trees cut/ --to-tree "customer > home(nation) > orders(price, date) > lineitem(quantity, brand)"
exits "read again" 0 "$KANON" convert cut back.trees --tree "customer > home(nation) > orders(price, date) > lineitem(quantity, brand)"
check "the relation is still removed" cmp -s back.trees cut.trees

cp -r shop shop.before
ln -s shop/orders.csv link.csv
for output in shop/orders.csv ./shop/../shop/lineitem.csv link.csv; do
    exits "a table is not overwritten: $output" 2 "$KANON" convert shop $output "${options[@]}"
    says "a table is not overwritten: $output: says so" "$output: the output would overwrite a table of the input"
done
exits "nor by hierarchies" 2 "$KANON" convert shop over.trees "${options[@]}" --hierarchies-to shop
cp hierarchies/nation.csv nation.csv
exits "nor are the groups of --bin" 2 "$KANON" convert shop over.trees "${options[@]}" --bin nation=nation.csv@1 --hierarchies-to .
absent "nothing is written" over.trees
check "all tables are as they were" diff -r shop shop.before
exits "trees may stand beside them" 0 "$KANON" convert shop shop/all.trees "${options[@]}"
exits "and be made again" 0 "$KANON" convert shop shop/all.trees "${options[@]}"
rm -r shop/all.trees shop.before

exits "tables without a notation" 2 "$KANON" convert shop x.trees
says "tables without a notation: what to give" "say how with --tree"
echo 'd,99,1.00,2020-01-01' >>shop/orders.csv
exits "an orphan row" 3 "$KANON" convert shop x.trees "${options[@]}"
says "an orphan row: where" "table 'orders': row 4 belongs to no row above it"
absent "an orphan row: nothing is written" x.trees
exits "orphans left out" 0 "$KANON" convert shop x.trees "${options[@]}" --orphans drop
says "orphans left out: how many" "1 row was left out"
exits "a circle of keys" 3 "$KANON" convert shop y.trees --tree 'customer(nation) > orders(price) > customer(name)' --foreign-key orders.buyer=customer.id --orphans drop
says "a circle of keys: says so" "the foreign keys go in a circle"
exits "a key of two columns" 2 "$KANON" convert shop y.trees --tree "$tree" --foreign-key orders.buyer,date=customer.id,nation
says "a key of two columns: what would do" "a column that holds the whole key"
exits "a wrong key" 2 "$KANON" convert shop y.trees --tree "$tree" --foreign-key orders.buyer
exits "a wrong bin" 2 "$KANON" convert shop y.trees --tree "$tree" --foreign-key orders.buyer=customer.id --orphans drop --bin cost=5

if command -v python3 >/dev/null && "$KANON" --version | grep -q '^built in:.*sqlite' && python3 -c 'import sqlite3' 2>/dev/null; then
    python3 - <<'END'
import sqlite3
c = sqlite3.connect('shop.db')
c.executescript("""create table nation(id integer primary key, name text);
create table customer(id integer primary key, nation integer references nation(id));
create table orders(key integer primary key, buyer integer references customer, price real);
insert into nation values (1, 'France'), (2, 'Italy');
insert into customer values (10, 1), (11, 2), (12, null);
insert into orders values (100, 10, 5.5), (101, 12, 9.25);
create table stay(ward text, number integer, primary key (ward, number));
create table finding(ward text, number integer, name text, foreign key (ward, number) references stay(ward, number));
insert into stay values ('A', 1), ('A', 2);
insert into finding values ('A', 1, 'Flu'), ('A', 2, 'Gastritis');""")
c.commit()
END
    exits "SQLite with declared keys" 0 "$KANON" convert shop.db db.trees --tree 'customer(nation.name as nation) > orders(price)'
    check "SQLite: the trees" bash -c 'tail -3 db.trees | cmp -s - <(printf "France(5.5)\nItaly\n9.25\n")'
    exits "SQLite: a key of two columns" 3 "$KANON" convert shop.db no.trees --tree 'stay(ward) > finding(name)'
    says "SQLite: a key of two columns is named" "from table 'finding' to 'stay' has several columns ('ward' is the first)"
    absent "SQLite: a key of two columns: nothing is written" no.trees
else
    skipped "SQLite" "python3 or SQLite is not there"
fi

data=$SHARED_DATA
if [ -f "$data/tpch-0.01/orders.tbl.zst" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    exits "TPC-H" 0 "$KANON" convert "$data/tpch-0.01" tpch.trees \
        --tree 'customer(nation.name as nation) > orders[2](price, date) > lineitem[3](quantity, part.mfgr as manufacturer, part.brand)' \
        --table-columns customer=custkey,cname,address,nationkey,phone,acctbal,segment,ccomment \
        --table-columns nation=nationkey,name,regionkey,ncomment \
        --table-columns orders=orderkey,custkey,status,price,date,priority,clerk,shippriority,ocomment \
        --table-columns lineitem=orderkey,partkey,suppkey,line,quantity,extended,discount,tax,flag,lstatus,ship,commit,receipt,instruct,mode,lcomment \
        --table-columns part=partkey,pname,mfgr,brand,type,size,container,retail,pcomment --bin price=5000 --bin date=month
    check "TPC-H: 1500 customers, a third without orders" bash -c '[ $(grep -vc "^#" tpch.trees) = 1500 ] && [ $(grep -v "^#" tpch.trees | grep -vc "(") = 500 ]'
    exits "Chinook" 0 "$KANON" convert --tables "$data/tree/chinook.json.zst" chinook.trees \
        --tree 'Customer(Country) > Invoice(InvoiceDate as date) > InvoiceLine(Track.Genre.Name as genre)' --bin date=quarter
    check "Chinook: 59 customers" bash -c '[ $(grep -vc "^#" chinook.trees) = 59 ] && grep -q "2021-Q1" chinook.trees'
    exits "Synthea" 0 "$KANON" convert "$data/synthea" synthea.trees \
        --tree 'patients(CITY as city, GENDER as sex) > {conditions(DESCRIPTION as condition, START as since), medications(DESCRIPTION as drug)}' \
        --foreign-key conditions.PATIENT=patients.ID --foreign-key medications.PATIENT=patients.ID --bin since=year
    check "Synthea: a record per patient" bash -c '[ $(grep -vc "^#" synthea.trees) -ge 1000 ]'
else
    skipped "TPC-H, Chinook, Synthea" "$data is not there, or zstd is not built in"
fi
finish
