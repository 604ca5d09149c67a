"""The server's own regression tests for jsonb (dev/regress downloads them), with columns in place of their literals."""
import os
import re

from . import sessions
from .sessions import Case
from .tables import OPTIONS, quoted

FILES = ["jsonb.sql", "json_encoding.sql", "jsonb_jsonpath.sql", "sqljson.sql", "sqljson_queryfuncs.sql", "sqljson_jsontable.sql"]
TOKEN = re.compile(r"--[^\n]*|/\*.*?\*/|[eEuU]?&?'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$|\"(?:[^\"]|\"\")*\"|\w+|::|\s+|.", re.S)
ESCAPED = re.compile(r"[eE]'(?:[^'\\]|\\.|'')*'", re.S)
# If a query has one of these outside parentheses, FROM cannot be appended to it.
CLAUSES = {"from", "where", "group", "order", "limit", "union", "except", "intersect", "into", "offset", "having", "window", "for"}
# A literal unchanged; with more members or elements, so that it is split; and as a member of a split document.
FORMS = {
    0: "v",
    1: """CASE jsonb_typeof(v) WHEN 'object' THEN v || (SELECT jsonb_object_agg('zz~' || i, i) FROM generate_series(1, 80) i)
            WHEN 'array' THEN v || (SELECT jsonb_agg(i) FROM generate_series(1000, 1200) i) ELSE NULL END""",
    2: "jsonb_build_object('~', v) || (SELECT jsonb_object_agg('zz~' || i, i) FROM generate_series(1, 80) i)",
}
# Tables that these tests fill and change, with the columns that their statements use.
TABLES = {"test_jsonb": "json_type text, test_json jsonb", "test_jsonb_subscript": "id int, test_json jsonb", "testjsonb": "j jsonb"}


def tokens(text):
    at = 0
    while at < len(text):
        match = ESCAPED.match(text, at) or TOKEN.match(text, at)
        yield match[0]
        at = match.end()


def statements(text):
    """Statements as lists of tokens, without comments and psql commands."""
    text = re.sub(r"^\\.*$", "", text, flags=re.M)
    current = []
    for token in tokens(text):
        if token.startswith(("--", "/*")):
            continue
        if token == ";":
            yield current
            current = []
        elif current or not token.isspace():
            current.append(token)


def is_string(token):
    return token.endswith("'") and len(token) > 1


def literals(statement):
    """The literals of type jsonb: first token, last token, string."""
    words = [i for i, t in enumerate(statement) if not t.isspace()]
    found = []
    for n, i in enumerate(words):
        if not is_string(statement[i]):
            continue
        after = [statement[j].lower() for j in words[n + 1:n + 4]]
        if after[:2] == ["::", "jsonb"] and after[2:] != ["["]:
            found.append((i, words[n + 2] + 1, statement[i]))
        elif n and statement[words[n - 1]].lower() == "jsonb" and (n < 2 or statement[words[n - 2]] != "::"):
            found.append((words[n - 1], i + 1, statement[i]))
    return found


def outside(statement):
    """Words outside parentheses."""
    depth = 0
    for token in statement:
        depth += token in "([" and bool(token)
        depth -= token in ")]" and bool(token)
        if depth == 0:
            yield token.lower()


def read(folder):
    for name in FILES:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            yield from statements(file.read())


def select_cases(folder, known):
    """Returns cases of statements with literals (known has their numbers), and the number of statements."""
    made = []
    count = 0
    for statement in read(folder):
        found = literals(statement)
        if not found or statement[0].lower() not in ("select", "with", "values") or any("\\" in t and not is_string(t) for t in statement):
            continue
        # Skip statements that measure the stored size of a value, because it may differ.
        if any(text not in known for _, _, text in found) or any(t.lower() in TABLES or t.lower() == "pg_column_size" for t in statement):
            continue
        count += 1
        single = not CLAUSES & set(outside(statement)) and statement[0].lower() == "select"
        lines = []
        for form in FORMS:
            parts = list(statement)
            sources, conditions = [], []
            for n, (start, end, text) in reversed(list(enumerate(found))):
                number = known[text] * len(FORMS) + form
                value = f"l{n}.doc" if single else f"(SELECT l.doc FROM literal l WHERE l.id = {number})"
                parts[start:end] = [f"({value} -> '~')" if form == 2 else value]
                sources.append(f"literal l{n}")
                conditions.append(f"l{n}.id = {number}")
            lines.append("".join(parts).strip() + (f" FROM {', '.join(sources)} WHERE {' AND '.join(conditions)}" if single else "") + ";")
        made.append(Case(lines))
    return made, count


def table_cases(folder):
    """Returns the statements on tables, in their order, and their number."""
    made = []
    count = 0
    for table in TABLES:
        lines = []
        for statement in read(folder):
            first = statement[0].lower()
            if table not in [t.lower() for t in statement] or first not in ("insert", "select", "update", "delete") or any("\\" in t and not is_string(t) for t in statement):
                continue
            lines.append("".join(statement).strip() + ";")
            count += 1
            if first == "insert":
                lines.append(f"SELECT settle_{table}();")
        made.append(Case(lines))
    return made, count


def set_up(folder):
    """Creates tables and types in both schemas; returns the jsonb literals with their numbers."""
    texts = list(dict.fromkeys(text for statement in read(folder) for _, _, text in literals(statement)))
    lines = ["DROP TABLE IF EXISTS public.given; CREATE TABLE public.given (id bigint PRIMARY KEY, doc jsonb);"]
    lines += [f"INSERT INTO public.given VALUES ({n}, {text});" for n, text in enumerate(texts)]
    types = ["".join(s).strip() + ";" for s in read(folder) if [t.lower() for t in s[:3] if not t.isspace()] in (["create", "type"], ["create", "domain"])]
    for schema in sessions.SCHEMAS:
        # An older server does not support all of them.
        lines += [f"SET search_path = {schema}, public;", *types]
    for line in lines:
        sessions.database.send(line)
    lines = []
    for schema in sessions.SCHEMAS:
        lines += [f"SET search_path = {schema}, public;", "CREATE TABLE literal (id bigint PRIMARY KEY, doc jsonb);"]
        for form, value in FORMS.items():
            lines.append(f"INSERT INTO literal SELECT id * {len(FORMS)} + {form}, {value} FROM (SELECT id, doc AS v FROM public.given) g WHERE ({value}) IS NOT NULL;")
        if schema == "split":
            lines += [f"SELECT pgtoaster.attach('literal', 'doc', 'keyed', {quoted(OPTIONS)});",
                      "/* pgtoaster */ SELECT count(toaster.json_shrink('literal', 'doc', id)) FROM literal;"]
        for table, columns in TABLES.items():
            column = "j" if table == "testjsonb" else "test_json"
            attached = schema == "split"
            shrink = f"PERFORM toaster.json_shrink('{table}', '{column}', key_) FROM {table} WHERE {column} IS NOT NULL;" if attached else ""
            lines.append(f"CREATE TABLE {table} ({columns}, key_ bigserial PRIMARY KEY);")
            if attached:
                lines.append(f"SELECT pgtoaster.attach('{table}', '{column}', 'keyed', {quoted(OPTIONS)});")
            lines.append(f"""CREATE FUNCTION settle_{table}() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                UPDATE {table} SET {column} = {FORMS[1].replace('(v)', '(' + column + ')').replace('v ||', column + ' ||').replace('ELSE NULL', 'ELSE ' + column)}
                  WHERE {column} IS NOT NULL AND NOT {column}::text LIKE '%zz~1"%' AND NOT {column}::text LIKE '%1200%'; {shrink} END $$;""")
    with open(os.path.join(folder, "jsonb.data"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").replace("\\\\", "\\") for line in file][:150]
    for schema in sessions.SCHEMAS:
        lines += [f"SET search_path = {schema}, public;", *[f"INSERT INTO testjsonb VALUES ({quoted(row)});" for row in rows], "SELECT settle_testjsonb();"]
    sessions.database.do(*lines)
    return {texts[int(n)]: int(n) for n in sessions.database.do("SELECT id FROM public.given")}


def odd_cases():
    """Cases of odd.sql. Each is a paragraph with one statement per line."""
    with open(os.path.join(os.path.dirname(__file__), "odd.sql"), encoding="utf-8") as file:
        paragraphs = [p.splitlines() for p in file.read().split("\n\n") if not p.startswith("--")]
    return [Case(lines, [i for i, line in enumerate(lines) if " ORDER BY " in line], changes=["person", "part", "thing", "hidden", "side"], thorough=True) for lines in paragraphs]


def cases(folder):
    """Returns the cases and the number of the tests' statements in them."""
    known = set_up(folder)
    first, some = select_cases(folder, known)
    second, more = table_cases(folder)
    return first + second, some + more
