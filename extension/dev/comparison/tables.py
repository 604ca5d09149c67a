"""Tables with the same rows in two schemas: plain, and split, in which the documents are attached and split."""
import json
import random

RESERVED = "$pgtoaster"  # the key that the library reserves at the root of a document
OPTIONS = '{"row_budget": 256, "leaf_size": 512, "fan_out": 4}'
ROWS = 10

# name: key, and the attached columns with their options
TABLES = {
    "person": (("id",), {"doc": OPTIONS}),
    "thing": (("region", "k"), {"doc": OPTIONS}),
    "part": (("id",), {"doc": OPTIONS}),
    "twin": (("id",), {"doc": OPTIONS, "other": OPTIONS}),
    "pinned": (("id",), {"doc": OPTIONS[:-1] + ', "keep_inline": ["/kind", "/a/x"]}'}),
    "hidden": (("id",), {"doc": OPTIONS}),
    "heir": (("id",), {"doc": OPTIONS}),
}

SCHEMA = """
CREATE SCHEMA {schema};
GRANT USAGE ON SCHEMA {schema} TO pgt_compare;
SET search_path = {schema}, public;
CREATE TABLE person (id bigint PRIMARY KEY, n integer, t text, doc jsonb);
CREATE TABLE thing (dropped integer, region text, doc jsonb, k integer, n integer, t text, PRIMARY KEY (region, k));
ALTER TABLE thing DROP COLUMN dropped;
CREATE TABLE part (id bigint PRIMARY KEY, n integer, t text, doc jsonb) PARTITION BY RANGE (id);
CREATE TABLE part_low (doc jsonb, gone text, t text, id bigint NOT NULL, n integer);
ALTER TABLE part_low DROP COLUMN gone;
ALTER TABLE part ATTACH PARTITION part_low FOR VALUES FROM (MINVALUE) TO (5);
CREATE TABLE part_high PARTITION OF part DEFAULT;
CREATE TABLE twin (id bigint PRIMARY KEY, doc jsonb, n integer, t text, other jsonb);
CREATE TABLE pinned (id bigint PRIMARY KEY, n integer, t text, doc jsonb);
CREATE INDEX ON pinned ((doc->>'kind'));
CREATE INDEX ON pinned (id) WHERE doc->'a'->>'x' IS NOT NULL;
CREATE TABLE hidden (id bigint PRIMARY KEY, n integer, t text, doc jsonb);
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE TABLE parent (id bigint, n integer, t text, doc jsonb);
CREATE TABLE heir (PRIMARY KEY (id)) INHERITS (parent);
CREATE TABLE side (id bigint PRIMARY KEY, n integer, t text, doc jsonb);
CREATE VIEW seen AS SELECT id, n, t, doc, doc->'a' AS a, doc->'list'->0->>'title' AS title FROM person;
CREATE VIEW kinds AS SELECT id, n, t, doc FROM person WHERE doc->>'kind' IS DISTINCT FROM 'y' WITH LOCAL CHECK OPTION;
CREATE VIEW safe WITH (security_barrier) AS SELECT id, n, t, doc FROM person WHERE doc->'a' IS NOT NULL;
CREATE FUNCTION first_of(document jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE RETURN document->'list'->0;
CREATE FUNCTION kind_of(person person) RETURNS text LANGUAGE sql STABLE AS $$ SELECT person.doc->>'kind' || coalesce(person.doc#>>'{{a,x}}', '-') $$;
CREATE FUNCTION length_of(person person) RETURNS integer LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN length((person.doc->'list')::text); END $$;
CREATE FUNCTION found(number bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$ SELECT doc->'a' FROM person WHERE id = number $$;
CREATE FUNCTION looked(number bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$ DECLARE r person; d jsonb; BEGIN
  SELECT * INTO r FROM person p WHERE p.id = number; SELECT p.doc INTO d FROM person p WHERE p.id = number;
  RETURN md5(r.doc::text) || md5(d::text) || (d->>'kind'); END $$;
CREATE FUNCTION all_of(lowest bigint) RETURNS SETOF person LANGUAGE sql STABLE AS $$ SELECT * FROM person WHERE id >= lowest $$;
"""
# The policies allow reading every row that may be updated. Otherwise an UPDATE without WHERE would change documents that cannot be read.
GRANTS = """
CREATE POLICY readable ON hidden FOR SELECT TO pgt_compare USING (n % 3 > 0);
CREATE POLICY writable ON hidden FOR UPDATE TO pgt_compare USING (n % 3 > 0 AND n % 2 = 0) WITH CHECK (n < 1000);
CREATE POLICY added ON hidden FOR INSERT TO pgt_compare WITH CHECK (n < 1000);
CREATE POLICY removed ON hidden FOR DELETE TO pgt_compare USING (n % 2 = 0);
GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO pgt_compare;
"""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


class Documents:
    """Documents that have much in common, so that queries find something in most of them."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def one(self, *choices):
        return self.rng.choice(choices)

    def scalar(self):
        return self.one(1, 5, -3, 1.5, 0, 12345678901234567890123, True, False, None, "x", "y", "", "5", "T1", "é😀", "a\nb", '"', 'k"\\',
                        "w" * self.rng.randint(1, 300))

    def value(self, depth=0):
        form = self.rng.random()
        if form < 0.45 or depth > 3:
            return self.scalar()
        if form < 0.7:
            return [self.value(depth + 1) for _ in range(self.one(0, 1, 2, 3, 12))]
        return {k: self.value(depth + 1) for k in self.rng.sample(["a", "b", "c", "x", "title", "0", "1", "-1", "", "é", "k'", "n", "deep", RESERVED],
                                                                   self.one(0, 1, 2, 4, 9))}

    def entry(self, i):
        entry = {"title": f"T{i}", "year": 1900 + i % 7, "tags": self.rng.sample(["x", "y", "z", 1, None, "T1"], self.rng.randint(0, 3))}
        if i % 5 == 2:
            entry["a"] = self.value(2)
        return entry

    def document(self, size):
        members = {
            "kind": self.one("x", "y", "x", 5, None),
            "name": "N" + "n" * self.rng.randint(0, 40),
            "n": self.one(0, 1, 2, 2.50, -7, "1", None),
            "a": {"b": {"c": self.value(1), "list": [self.value(2) for _ in range(self.rng.randint(0, 5))]}, "x": self.scalar(),
                  "y": "q" * self.rng.randint(0, 900)},
            "list": [self.entry(i) for i in range(self.one(0, 3, 10, size))],
            "nums": [self.one(i, i, -i, i / 4) for i in range(self.one(0, 5, 40, size))],
            "nested": [[self.rng.randint(0, 9) for _ in range(self.rng.randint(0, 40))] for _ in range(self.rng.randint(0, 12))],
            "words": {f"k{i}": self.one("v" * self.rng.randint(0, 40), i, None, [i]) for i in range(self.one(0, 4, size))},
            "big": self.one("s", "b", "é") * self.one(2, 700, 3000),
            "deep": {"deep": {"deep": {"deep": self.value(), "pad": "p" * 400}, "pad": "p" * 400}, "pad": "p" * 400},
            "empty": {}, "none": [], "null": None, "": self.value(2), "0": self.value(2), "-1": self.scalar(), "1": [1, 2], "é": self.scalar(),
            "any": self.value(),
        }
        return {k: v for k, v in members.items() if self.rng.random() < 0.85}

    def root(self, i):
        """Returns a document; None is NULL. Most are objects."""
        if i == 4:
            return None
        if i == 5:
            return self.one({}, [], None, {"kind": "x", "a": {"x": 1}}, [1, {"a": 2}], "x", 7)
        if i == 6:
            return [self.entry(k) for k in range(60)]
        if i == 7:
            return {f"m{k:03}": k if k % 3 else {"x": k, "list": [k, k + 1]} for k in range(150)}
        return self.document(self.one(8, 20, 20, 60))

    def text(self, table, value, reserved):
        # Pinned members are read as stored in the row, where these keys have one more dollar sign.
        return "NULL" if value is None else quoted(json.dumps(value, ensure_ascii=False).replace(RESERVED, RESERVED[1:] if table == "pinned" else reserved))


def create():
    """The statements that create both schemas, with empty tables."""
    sql = []
    for schema in ("plain", "split"):
        sql.append(SCHEMA.format(schema=schema))
        if schema == "split":
            sql += [f"SELECT pgtoaster.attach('{table}', '{column}', 'keyed', {quoted(options)});" for table, (_, attached) in TABLES.items() for column, options in attached.items()]
            sql += [f"SELECT pgtoaster.create_index('{table}', 'doc', 'containment');" for table in TABLES]
        sql.append(GRANTS.format(schema=schema))
        if schema == "split":
            sql += [f"SELECT pgtoaster.mirror_privileges('{table}');" for table in TABLES]
    return sql


def fill(seed, reserved=RESERVED):
    """The statements that replace the tables' rows, and the documents by table, with reserved in place of the reserved key."""
    documents = Documents(seed)
    made = {}
    rows = [f"TRUNCATE {', '.join([*TABLES, 'side', 'parent'])};"]
    for table in [*TABLES, "side"]:
        key, attached = TABLES.get(table, (("id",), {"doc": None}))
        made[table] = []
        for i in range(ROWS):
            values = {"n": str(i % 4) if i != 8 else "NULL", "t": quoted(f"t{i % 3}"), "id": str(i), "region": quoted("north" if i % 2 else "south"),
                      "k": str(i // 2)}
            for column in attached:
                value = documents.root(i)
                made[table].append(value)
                values[column] = documents.text(table, value, reserved) if value is not None or i != 5 else "'null'"
            names = [*key, "n", "t", *attached]
            rows.append(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(values[n] for n in names)});")
    rows.append(f"INSERT INTO parent SELECT id + {ROWS}, n, t, doc FROM side;")
    sql = []
    for schema in ("plain", "split"):
        sql += [f"SET search_path = {schema}, public;", "".join(rows)]
        for table, (key, attached) in TABLES.items():
            names = key[0] if len(key) == 1 else f"ROW({', '.join(key)})"
            if schema == "split":
                sql += [f"/* pgtoaster */ SELECT count(toaster.json_shrink('{table}', '{column}', {names})) FROM {table} WHERE {column} IS NOT NULL;" for column in attached]
            # Sort the rows by their key, as in the other schema.
            if table != "part":
                sql.append(f"CLUSTER {table} USING {table}_pkey;")
        sql.append("CLUSTER part_low USING part_low_pkey; CLUSTER part_high USING part_high_pkey;")
    return [*sql, "VACUUM ANALYZE;"], made
