"""Statements for each function and operator of the server's catalog that takes jsonb."""
from . import sessions
from .sessions import Case

# Arguments for each type, used in turn.
GIVEN = {
    "jsonb": ["'{\"a\": 1, \"kind\": \"x\"}'::jsonb", "'[1, \"T1\"]'::jsonb", "'{\"list\": [{\"title\": \"T1\"}]}'::jsonb"],
    "text": ["'a'::text", "'list'::text"],
    "text[]": ["'{a,x}'::text[]", "'{list,0,title}'::text[]", "'{kind}'::text[]"],
    "integer": ["0", "-1"],
    "bigint": ["1::bigint"],
    "boolean": ["true", "false"],
    "jsonpath": ["'$.list[*].title'::jsonpath", "'$.kind == \"x\"'::jsonpath", "'$.a.x'::jsonpath"],
    "anyelement": ["NULL::person"],
    "any": ["'x'::text"],
    "regconfig": ["'simple'::regconfig"],
    "tsquery": ["'x | t1'::tsquery"],
    "json": ["'{\"a\": \"x\"}'::json"],
}
# These take any type, so the catalog does not show that they take jsonb.
OTHERS = [
    "to_jsonb({})", "to_json({})::text", "jsonb_build_object('k', {})", "jsonb_build_array({}, 1)", "json_build_array({})::text", "json_build_object('k', {})::text",
    "num_nulls({})", "num_nonnulls({}, 1)", "concat({}, 'x')", "concat_ws(',', {}, {})", "format('%s', {})", "pg_typeof({})", "array_append(ARRAY['1'::jsonb], {})",
    "array_position(ARRAY['1'::jsonb], {})", "coalesce({}, '1')", "nullif({}, '1')", "greatest({}, '1')", "least({}, '1')", "row_to_json(ROW({}, 1))::text",
    "ROW({}, 1)::text", "({})::text", "({})::json::text", "({})::varchar(20)", "quote_literal({})", "quote_nullable({})", "{} = ANY (ARRAY[{}, '1'])",
    "{} IN ('1', '[]'::jsonb)", "{} IS NULL", "{} IS DISTINCT FROM '1'", "{} BETWEEN '1' AND '{\"a\": 1}'", "ARRAY[{}, {}]::text",
    "CASE {} WHEN '1' THEN 'a' ELSE 'b' END", "array_to_json(ARRAY[{}])::text", "({})::int", "({})::numeric", "({})::boolean", "({})::float8", "({})::bigint",
    "hash_array(ARRAY[{}]) IS NULL", "({} IS JSON OBJECT)", "(({})::text IS JSON ARRAY)", "({})['a']", "({})['list'][0]['title']", "(({})::text)::jsonb",
    "xmlelement(name x, ({})::text)::text", "encode(convert_to(({})::text, 'UTF8'), 'hex')", "regexp_replace(({})::text, 'a', 'b')", "(SELECT {})", "ROW({}) = ROW({})"]
AGGREGATES = ["jsonb_agg({} ORDER BY id)", "json_agg({} ORDER BY id)::text", "jsonb_object_agg(id, {})", "json_object_agg(id, {} ORDER BY id)::text", "array_agg({} ORDER BY id)",
              "count({})", "count(DISTINCT {})", "string_agg(({})::text, ',' ORDER BY id)", "min(({})::text)", "bool_and({} IS NULL)", "mode() WITHIN GROUP (ORDER BY {})"]
WINDOWS = ["lag({}) OVER w", "lead({}) OVER w", "first_value({}) OVER w", "last_value({}) OVER w", "nth_value({}, 2) OVER w", "rank() OVER (ORDER BY {})",
           "dense_rank() OVER (ORDER BY {})", "ntile(2) OVER (ORDER BY {}, id)", "count({}) OVER w"]
# Expressions for the document.
PLACES = ["doc", "doc -> 'a'", "doc -> 'list'", "doc['any']", "doc #> '{list,0}'"]
ROWS = [0, 4, 5, 6, 7, 9]

FUNCTIONS = """
SELECT p.oid::regprocedure || '~' || 'pg_catalog.' || quote_ident(p.proname) || '~' || p.prokind::text || '~' || p.proretset || '~' || (p.prorettype = 'record'::regtype AND p.proallargtypes IS NULL) || '~' ||
  (p.prorettype = 'jsonb'::regtype) || '~' || array_to_string(ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY u(t, o) ORDER BY o), '|')
  || '~' || (p.provariadic > 0)
FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND 'jsonb'::regtype = ANY (p.proargtypes)
  AND NOT 'internal'::regtype = ANY (p.proargtypes) ORDER BY p.oid
"""
OPERATORS = """
SELECT o.oprname || '~' || format_type(o.oprleft, NULL) || '~' || format_type(o.oprright, NULL) || '~' || (o.oprresult = 'jsonb'::regtype)
FROM pg_operator o WHERE 'jsonb'::regtype IN (o.oprleft, o.oprright) ORDER BY o.oid
"""


def arguments(types, place):
    """Argument lists with the document in each possible place, and with the other arguments in turn."""
    for at, type in enumerate(types):
        if type != "jsonb":
            continue
        for turn in range(max(len(GIVEN[t]) for t in types)):
            yield [f"({place})" if i == at else GIVEN[t][turn % len(GIVEN[t])] for i, t in enumerate(types)]


def calls():
    """Expressions with {} in place of the document, and whether they return rows, need a column list, and return jsonb."""
    for line in sessions.database.do(FUNCTIONS):
        name, short, kind, rows, record, jsonb, types, variadic = line.split("~")
        types = types.replace('"any"', "any").split("|")
        missing = [t for t in types if t not in GIVEN]
        if missing:
            raise SystemExit(f"{name}: add an argument for {', '.join(missing)} in catalog.py")
        if kind == "a":
            continue
        for given in arguments(types, "{}"):
            if variadic == "true":
                given[-1] = f"VARIADIC {given[-1]}"
            yield f"{short}({', '.join(given)})", rows == "true", record == "true", jsonb == "true"
    for line in sessions.database.do(OPERATORS):
        name, left, right, jsonb = line.split("~")
        for given in arguments([left, right], "{}"):
            yield f"({given[0]} {name} {given[1]})", False, False, jsonb == "true"
    for call in OTHERS:
        yield call, False, False, False


def cases():
    """Returns the cases and the number of calls."""
    made = []
    count = 0
    for call, rows, record, jsonb in calls():
        count += 1
        for i, place in enumerate(PLACES):
            text = call.replace("{}", place)
            columns = "(a jsonb, kind text, title text)" if record else ""
            lines = [f"SELECT p.id, q FROM person p, {text} AS q{columns} WHERE p.id = {row};" if rows or record else f"SELECT id, {text} FROM person WHERE id = {row};" for row in ROWS]
            if rows and not record:
                lines.append(f"SELECT id, {text} FROM person WHERE id = {ROWS[i]};")
            if not rows and not record:
                lines.append(f"SELECT id FROM person WHERE CASE WHEN id = {ROWS[i]} THEN ({text}) IS NOT NULL END;")
            made.append(Case(lines))
        if jsonb and not rows:
            made.append(Case([f"UPDATE person SET doc = {call.replace('{}', 'doc')} WHERE id = {row} RETURNING doc;" for row in ROWS], changes=["person"]))
    for call in AGGREGATES:
        count += 1
        made.append(Case([f"SELECT {call.replace('{}', p)} FROM person;" for p in PLACES]
                         + [f"SELECT n, {call.replace('{}', p)} FROM person GROUP BY n;" for p in PLACES]))
    for call in WINDOWS:
        count += 1
        made.append(Case([f"SELECT id, {call.replace('{}', p)} FROM person WINDOW w AS (PARTITION BY n ORDER BY id);" for p in PLACES]))
    return made, count
