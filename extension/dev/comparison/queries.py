"""Random expressions and queries over tables with documents."""
import json

from .tables import ROWS, TABLES, quoted


class Source:
    """An item of FROM: its columns with their types, and its table, if any."""

    def __init__(self, alias, columns, table=None, row=True):
        self.alias, self.columns, self.table, self.row = alias, columns, table, row

    def of(self, kind):
        return [f"{self.alias}.{name}" for name, type in self.columns.items() if type == kind]


def columns_of(table):
    if table == "seen":
        return {"doc": "jsonb", "a": "jsonb", "title": "text", "id": "int", "n": "int", "t": "text"}
    key, attached = TABLES.get(table, (("id",), {"doc": None}))
    columns = {c: "jsonb" for c in attached}
    columns.update({c: "text" if c == "region" else "int" for c in key})
    columns.update(n="int", t="text")
    return columns


def literal(steps):
    """A path as text."""
    return "{" + ",".join('"' + str(s).replace("\\", "\\\\").replace('"', '\\"') + '"' for s in steps) + "}"


def key_of(table):
    return TABLES.get(table, (("id",), None))[0]


class Queries:
    def __init__(self, draws, documents, version):
        self.draws, self.documents, self.version = draws, documents, version
        self.one, self.often = draws.one, draws.often
        self.raising = False
        self.parameters = None
        self.count = 0
        self.all = [d for table in documents.values() for d in table if isinstance(d, (dict, list))]

    # Paths

    def way(self):
        """Steps into one of the documents, or next to it."""
        value = self.one(*self.all)
        steps = []
        while isinstance(value, (dict, list)) and value and (not steps or self.often(60)):
            if isinstance(value, dict):
                step = self.one(*value)
                value = value[step]
            else:
                step = self.draws.below(len(value))
                value = value[step]
                if self.often(20):
                    step -= len(value) if isinstance(value, list) else 1
            steps.append(step)
        if self.often(15):
            steps.insert(self.draws.below(len(steps) + 1), self.one("nope", "-1", 0, "", "$pgtoaster", 5, -5, "01", "+1", " 1", "1x", "99999999999",
                                                                    "2147483648", "-2147483649"))
        # A path that begins with $pgtoaster reads the header.
        return steps[1:] if steps[:1] == ["$pgtoaster"] else steps

    def parameter(self, type, value):
        if self.parameters is None or not self.often(30):
            return f"{value}::{type}"
        self.parameters.append((type, "NULL" if not self.raising and self.often(10) else value))
        return f"${len(self.parameters)}"

    def step(self, scope, step, either=True):
        """A step as an expression of type text or integer. If errors are allowed, it is never NULL, because plain SQL evaluates nothing for NULL."""
        if isinstance(step, int):
            if either:
                return self.one(str(step), str(step), lambda: self.parameter("int", str(step)), lambda: f"({step} + coalesce({self.column(scope, 'int', '1')}, 0) * 0)",
                                lambda: self.one(quoted(str(step)), quoted(str(step)) if self.raising else "NULL::int"))
            step = str(step)
        return self.one(quoted(step), quoted(step), lambda: self.parameter("text", quoted(step)), f"({quoted(step)} || '')",
                        lambda: self.one(lambda: f"coalesce({self.column(scope, 'text', quoted('a'))}, '')", f"left({quoted(step)}, 9)", quoted(step) if self.raising else "NULL::text"))

    def array(self, scope, steps, nulls=True):
        """A path as an expression of type text[]."""
        path = quoted(literal(steps))
        return self.one(path, path, lambda: self.parameter("text[]", path),
                        lambda: f"ARRAY[{', '.join(self.step(scope, s, False) if nulls else quoted(str(s)) for s in steps)}]::text[]",
                        f"({path}::text[] || '{{}}'::text[])",
                        lambda: self.one("NULL::text[]", "'{a,NULL}'::text[]", "'{}'::text[]") if nulls else f"({path}::text[])[:9]")

    def chain(self, scope, base, steps, text=False):
        """Returns an expression that reads the value at steps in base."""
        form = self.draws.below(6)
        if not steps:
            return self.one(f"({base} #>> '{{}}')", f"({base}::text)") if text else base
        if form in (0, 1):
            for i, step in enumerate(steps):
                base = f"{base} {'->>' if text and i == len(steps) - 1 else '->'} {self.step(scope, step)}"
            return f"({base})"
        if form == 2:
            return f"({base} {'#>>' if text else '#>'} {self.array(scope, steps)})"
        if form == 3 and not text:
            return f"({base}){''.join(f'[{self.step(scope, s)}]' for s in steps)}"
        if form == 4:
            return f"jsonb_extract_path{'_text' if text else ''}({base}, " + self.one(
                lambda: ", ".join(self.step(scope, s, False) for s in steps), lambda: f"VARIADIC {self.array(scope, steps)}") + ")"
        cut = self.draws.below(len(steps) + 1)
        # The first part of the path may be empty. The second part must not begin with this key: it would read the header.
        cut += steps[cut:cut + 1] == ["$pgtoaster"]
        return self.chain(scope, self.chain(scope, base, steps[:cut]), steps[cut:], text)

    def document(self, scope):
        return self.one(*[c for source in scope for c in source.of("jsonb")] or ["'{\"a\": [1, 2]}'::jsonb"])

    def column(self, scope, type, otherwise):
        return self.one(*[c for source in scope for c in source.of(type)] or [otherwise])

    def access(self, scope, text=False):
        return self.chain(scope, self.document(scope), self.way(), text)

    # Expressions

    def constant(self):
        return self.parameter("jsonb", self.one("'1'", "'null'", "'{}'", "'[]'", "'\"x\"'", "'{\"a\": 1}'", "'[1, 2]'", "'{\"kind\": \"x\"}'", "'2.50'",
                                                "'{\"list\": [{\"title\": \"T1\"}]}'", "'{\"a\": {\"x\": null}}'", "'{\"deep\": {\"deep\": {}}}'",
                                                "'[{\"title\": \"T2\"}]'", "'{\"nums\": [3]}'", "'true'", "'[\"x\"]'",
                                                f"'\"{'z' * 700}\"'", "'{\"b\": {\"$pgtoaster\": 1}}'", "'[[1, [2, {\"b\": null}]]]'",
                                                f"'[{', '.join(str(i) for i in range(300))}]'"))

    def scalar(self):
        """The steps to a scalar of one of the documents, and the scalar."""
        value = self.one(*self.all)
        steps = []
        while isinstance(value, (dict, list)) and value:
            step = self.one(*value) if isinstance(value, dict) else self.draws.below(len(value))
            steps.append(step)
            value = value[step]
        return steps, value

    def part(self):
        """A scalar of one of the documents, with the path to it."""
        steps, value = self.scalar()
        for step in reversed(steps):
            value = [value] if isinstance(step, int) else {step: value}
        return self.parameter("jsonb", quoted(json.dumps(value, ensure_ascii=False)))

    def follow(self, start, steps):
        """A jsonpath with these steps; in lax mode, it may leave out positions."""
        return start + "".join(self.one("[*]", "", "[*]", f"[{s}]", "[0 to last]") if isinstance(s, int) else f".{json.dumps(s, ensure_ascii=False)}" for s in steps)

    def condition(self, start, steps, value):
        """A condition of a jsonpath, often true for the document that has the value at these steps."""
        if self.often(15):
            operands = [self.condition(start, steps, value), self.condition("$", *self.scalar())]
            return f"({self.one(*operands)} {self.one('&&', '||')} {self.one(*operands)})"
        if self.often(5):
            return f"{self.one('!', '')}({self.condition(start, steps, value)}){self.one('', ' is unknown')}"
        cut = self.draws.below(len(steps) + 1)
        if self.often(20):
            return f"exists({self.follow(start, steps[:cut])} ? ({self.condition('@', steps[cut:], value)}))"
        constant = json.dumps(value if not isinstance(value, (dict, list)) else 1, ensure_ascii=False)
        sides = [self.follow(start, steps), constant]
        return f" {self.one('==', '==', '==', '==', '==', '!=', '<')} ".join(sides if self.often(80) else sides[::-1])

    def found_path(self):
        """A jsonpath for @? that finds a scalar of one of the documents."""
        steps, value = self.scalar()
        cut = self.draws.below(len(steps) + 1)
        path = f"{self.follow('$', steps[:cut])} ? ({self.condition('@', steps[cut:], value)})"
        return self.parameter("jsonpath", quoted(self.one("", "", "", "strict ") + path + self.one("", "", "", ".a", "[*]", ".size()")))

    def found_condition(self):
        """The same for @@."""
        return self.parameter("jsonpath", quoted(self.one("", "", "", "strict ") + self.condition("$", *self.scalar())))

    def jsonpath(self):
        return self.parameter("jsonpath", self.one(
            "'$'", "'$.a'", "'$.list[*].title'", "'$.list[*] ? (@.year > 1903)'", "'$.**.x'", "'$.nums[last]'", "'$.list[0 to 2].tags[*]'",
            "'$.list.size()'", "'$.a.b.c.type()'", "'strict $.list[5].title'", "'$.words.*'", "'$.words.keyvalue().key'", "'$[*]'", "'$.nums[*] ? (@ > 3 && @ < 9)'",
            "'$.any'", "'$ ? (exists (@.list[*] ? (@.title == \"T2\")))'", "'$.deep.deep.deep'", "'$.\"\"'", "'$.nested[*][*]'", "'$.name'"))

    def predicate_path(self):
        return self.one("'$.kind == \"x\"'", "'$.list[*].year > 1903'", "'exists ($.deep.deep)'", "'$.nums[*] == 3'", "'$.a.x > 1'", "'$.name starts with \"Nn\"'",
                        "'$.a.b.c like_regex \"^x\"'")

    def jsonb(self, scope, depth=0):
        if depth > 2:
            return self.one(lambda: self.document(scope), lambda: self.access(scope), lambda: self.constant())
        kind = self.draws.below(26)
        if kind < 2:
            return self.document(scope)
        if kind < 9:
            return self.access(scope)
        if kind == 9:
            return self.one(lambda: self.constant(), lambda: f"jsonb_build_object('k', {self.jsonb(scope, depth + 1)}, 'x', {self.text(scope, depth + 1)})",
                            lambda: f"jsonb_build_array({self.jsonb(scope, depth + 1)}, {self.integer(scope, depth + 1)})")
        if kind in (10, 11, 12):
            return self.edit(scope, self.one(lambda: self.document(scope), lambda: self.jsonb(scope, depth + 1)), depth + 1)
        if kind == 13:
            return f"jsonb_strip_nulls({self.jsonb(scope, depth + 1)})"
        if kind == 14:
            return f"CASE WHEN {self.boolean(scope, depth + 1)} THEN {self.jsonb(scope, depth + 1)} ELSE {self.jsonb(scope, depth + 1)} END"
        if kind == 15:
            return f"coalesce({self.jsonb(scope, depth + 1)}, {self.jsonb(scope, depth + 1)})"
        if kind == 16:
            return f"{self.one('nullif', 'greatest', 'least')}({self.jsonb(scope, depth + 1)}, {self.jsonb(scope, depth + 1)})"
        if kind == 17:
            return f"jsonb_path_query_{self.one('first', 'array')}({self.jsonb(scope, depth + 1)}, {self.jsonpath()}, silent => true)"
        if kind == 18:
            return self.chain(scope, self.jsonb(scope, depth + 1), self.way())
        if kind == 19:
            return f"to_jsonb({self.one(lambda: self.text(scope, depth + 1), lambda: self.row(scope), lambda: self.jsonb(scope, depth + 1), lambda: self.integer(scope, depth + 1))})"
        if kind == 20:
            return f"({self.jsonb(scope, depth + 1)}::text::jsonb)"
        if kind == 21:
            return f"(ARRAY[{self.jsonb(scope, depth + 1)}, {self.jsonb(scope, depth + 1)}])[{self.one(1, 2)}]"
        if kind == 22:
            inner, source = self.table(self.one("person", "thing", "part", "side", "twin", "pinned", "heir"))
            return f"(SELECT {self.jsonb([source, *scope], depth + 2)} FROM {inner} WHERE {self.same_row(source, scope)})"
        if kind == 23:
            return f"first_of({self.jsonb(scope, depth + 1)})"
        if kind == 24:
            inner, source = self.table(self.one("person", "part", "side"))
            return f"(SELECT jsonb_agg({self.jsonb([source, *scope], depth + 2)} ORDER BY {source.alias}.id) FROM {inner})"
        name = self.name()
        return f"(SELECT jsonb_agg({name}.value ORDER BY {name}.value) FROM {self.elements(self.jsonb(scope, depth + 1))} {name}(value))"

    def elements(self, value):
        if self.raising:
            return f"jsonb_array_elements({value})"
        name = self.name()
        return f"(SELECT {value} AS {name} OFFSET 0) {name}_, LATERAL jsonb_array_elements(CASE jsonb_typeof({name}) WHEN 'array' THEN {name} END)"

    def same_row(self, source, scope):
        ints = [c for s in scope for c in s.of("int")]
        key = [f"{source.alias}.{k}" for k in key_of(source.table)]
        conditions = [f"{k} = {self.one(quoted('north'), quoted('south'))}" if k.endswith("region") else f"{k} = {self.one(*ints, str(self.draws.below(ROWS)))}" for k in key]
        return " AND ".join(conditions)

    def edit(self, scope, value, depth=0, own=None, guards=None):
        """A change of value. Unless errors are allowed, either the change applies only if its place exists, or a condition for that on the
        stored document, own, is added to guards."""
        kind = self.draws.below(10)
        way = self.way() or ["a"]
        path = self.array(scope, way, False)
        new = self.one(lambda: self.constant(), lambda: self.jsonb(scope, depth + 1)) if depth < 4 else self.constant()
        if self.raising:
            # If the document is NULL, plain SQL still evaluates the other arguments, and raises their errors.
            new = f"coalesce({new}, '0')"
        old = own or value
        parent = f"jsonb_typeof({old} #> {quoted(literal(way[:-1]))}) = {quoted('array' if isinstance(way[-1], int) else 'object')}"
        if kind < 3:
            call = f"jsonb_set({value}, {path}, {new}{self.one('', ', true', ', false')})"
        elif kind == 3:
            # Do not use a NULL constant: with one, the server reads freed memory.
            call = f"jsonb_set_lax({value}, {path}, (SELECT {new} OFFSET 0), true, {quoted(self.one('use_json_null', 'delete_key', 'return_target'))})"
        elif kind == 4:
            call = f"jsonb_insert({value}, {path}, {new}{self.one('', ', true', ', false')})"
            parent += f" AND {old} #> {quoted(literal(way))} IS NULL" if not isinstance(way[-1], int) else ""
        elif kind == 5:
            call = f"({value} #- {path})"
        elif kind in (6, 7):
            return f"({value} || {new})"
        else:
            call = f"({value} - {self.step(scope, way[0], False) if kind == 8 else self.array(scope, way[:1] + self.way()[:1])})"
            parent = f"jsonb_typeof({old}) IN ('object', 'array')"
        if self.raising:
            return call
        if guards is None:
            return f"CASE WHEN {parent} THEN {call} ELSE {value} END"
        guards.append(parent)
        return call

    def text(self, scope, depth=0):
        if depth > 2:
            return self.one(*[c for s in scope for c in s.of("text")] or ["'x'"], lambda: self.access(scope, True))
        kind = self.draws.below(16)
        if kind < 7:
            return self.access(scope, True)
        if kind == 7:
            return f"({self.jsonb(scope, depth + 1)}::text)"
        if kind == 8:
            return f"jsonb_typeof({self.jsonb(scope, depth + 1)})"
        if kind == 9:
            return f"md5(jsonb_pretty({self.jsonb(scope, depth + 1)}))"
        if kind == 10:
            return f"CASE {self.text(scope, depth + 1)} WHEN {self.text(scope, depth + 1)} THEN {self.text(scope, depth + 1)} ELSE {self.text(scope, depth + 1)} END"
        if kind == 11:
            return f"coalesce({self.text(scope, depth + 1)}, {self.text(scope, depth + 1)})"
        if kind == 12:
            return self.one(lambda: f"upper({self.text(scope, depth + 1)})", lambda: f"({self.text(scope, depth + 1)} || {self.text(scope, depth + 1)})",
                            lambda: f"concat({self.jsonb(scope, depth + 1)}, {self.row(scope)})")
        if kind == 13:
            return self.one(lambda: f"{self.row(scope)}::text", lambda: f"row_to_json({self.row(scope)})::text")
        if kind == 14:
            people = [s for s in scope if s.table == "person" and s.row]
            if people:
                return f"kind_of({self.one(*people).alias})"
            return f"looked({self.integer(scope, depth + 1)})"
        return self.chain(scope, self.jsonb(scope, depth + 1), self.way(), True)

    def row(self, scope):
        rows = [s.alias for s in scope if s.row]
        return self.one(*[r for r in rows], *[f"ROW({r}.*)" for r in rows], "ROW(1, 'x')")

    def integer(self, scope, depth=0):
        ints = [c for s in scope for c in s.of("int")] or ["1"]
        if depth > 2:
            return self.one(*ints)
        kind = self.draws.below(7)
        if kind < 2:
            return self.one(*ints)
        if kind == 2:
            return f"length({self.text(scope, depth + 1)})"
        if kind == 3:
            value = self.jsonb(scope, depth + 1)
            if self.raising:
                return f"jsonb_array_length({value})"
            return f"CASE jsonb_typeof({value}) WHEN 'array' THEN jsonb_array_length({value}) END"
        if kind == 4:
            if self.raising:
                return self.one(lambda: f"({self.access(scope, True)})::int", lambda: f"({self.access(scope)})::int")
            return f"(SELECT count(*)::int FROM {self.elements(self.jsonb(scope, depth + 1))})"
        if kind == 5:
            return f"(SELECT count(*)::int FROM jsonb_path_query({self.jsonb(scope, depth + 1)}, {self.jsonpath()}, silent => true))"
        return f"pg_column_size({self.text(scope, depth + 1)}) * 0"

    def boolean(self, scope, depth=0):
        if depth > 2:
            return f"{self.access(scope)} IS NOT NULL"
        kind = self.draws.below(16)
        j = lambda: self.jsonb(scope, depth + 1)
        t = lambda: self.text(scope, depth + 1)
        if kind == 0:
            return f"{j()} IS {self.one('', 'NOT ')}NULL"
        if kind in (1, 2):
            return f"{t()} {self.one('=', '<>', '<', 'IS DISTINCT FROM')} {t()}"
        if kind == 3:
            return f"{j()} @> {self.one(lambda: self.constant(), j())}"
        if kind == 4:
            return self.one(lambda: f"{self.document(scope)} @> {self.one(lambda: self.part(), lambda: self.constant(), j())}",
                            lambda: f"{self.document(scope)} {self.one(lambda: f'@? {self.found_path()}', lambda: f'@@ {self.found_condition()}')}")
        if kind == 5:
            return f"{self.constant()} <@ {j()}"
        if kind in (6, 7):
            # Do not use the header's key: in a split document, these operators find it.
            keys = [step for step in self.way() if step != "$pgtoaster"] or ["a"]
            return f"{j()} ? {self.step(scope, self.one(*keys), False)}" if kind == 6 else f"{j()} {self.one('?|', '?&')} {self.array(scope, keys)}"
        if kind == 8:
            return f"{j()} {self.one('=', '<>', '<', '>=', 'IS NOT DISTINCT FROM')} {j()}"
        if kind == 9:
            return f"{j()} @? {self.one(lambda: self.jsonpath(), lambda: self.found_path())}"
        if kind == 10:
            return self.one(lambda: f"{j()} @@ {self.predicate_path()}", lambda: f"jsonb_path_exists({j()}, {self.jsonpath()}, silent => true)",
                            lambda: f"jsonb_path_match({j()}, {self.predicate_path()}, silent => true)")
        if kind == 11:
            return f"({self.boolean(scope, depth + 1)} {self.one('AND', 'OR')} {self.boolean(scope, depth + 1)})"
        if kind == 12:
            return f"(NOT {self.boolean(scope, depth + 1)})"
        if kind == 13:
            return f"{self.integer(scope, depth + 1)} {self.one('=', '<', '>')} {self.integer(scope, depth + 1)}"
        inner, source = self.table(self.one("person", "thing", "part", "side", "twin", "pinned"))
        if kind == 14:
            return f"EXISTS (SELECT FROM {inner} WHERE {self.boolean([source, *scope], depth + 2)})"
        return f"{j()} {self.one('IN', 'NOT IN', '= ANY', '<> ALL')} (SELECT {self.jsonb([source], depth + 2)} FROM {inner})"

    # Items of FROM

    def name(self):
        self.count += 1
        return f"q{self.count}"

    def table(self, table):
        alias = self.name()
        return f"{table} {alias}", Source(alias, columns_of(table), table)

    TABLES = ("person", "person", "thing", "part", "twin", "pinned", "hidden", "heir", "seen", "kinds", "safe", "side", "part_low", "part_high")

    def source(self, scope, depth, lateral=False):
        """An item of FROM and its source; a lateral item may refer to earlier ones."""
        kind = self.draws.below(14 if depth < 2 else 8)
        outer = scope if lateral else []
        if kind < 8:
            return self.table(self.one(*self.TABLES))
        alias = self.name()
        if kind < 10:
            query, columns = self.select(depth + 1, outer)
            return f"{'LATERAL ' if outer else ''}({query}) {alias}", Source(alias, columns, row=True)
        if kind == 10:
            return f"all_of({self.draws.below(ROWS)}) {alias}", Source(alias, columns_of("person"), "person")
        if kind == 11 and outer:
            return (f"LATERAL (SELECT * FROM {self.elements(self.jsonb(outer, 1))} {alias}_(value)) {alias}",
                    Source(alias, {"value": "jsonb"}))
        if kind == 12 and outer:
            value = self.jsonb(outer, 1)
            return (f"LATERAL jsonb_each(CASE jsonb_typeof({value}) WHEN 'object' THEN {value} END) {alias}", Source(alias, {"value": "jsonb", "key": "text"}))
        if kind == 13 and outer:
            return (f"LATERAL jsonb_path_query({self.jsonb(outer, 1)}, {self.jsonpath()}, silent => true) {alias}(value)",
                    Source(alias, {"value": "jsonb"}, row=False))
        return self.table(self.one(*self.TABLES))

    def sources(self, depth, outer):
        """A FROM list and its sources."""
        text, source = self.source(outer, depth, bool(outer))
        sources = [source]
        for _ in range(self.one(0, 0, 0, 1, 1, 2) if depth < 2 else 0):
            join = self.one("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN")
            lateral = join in ("JOIN", "LEFT JOIN", "CROSS JOIN")
            item, source = self.source([*sources, *outer], depth + 1, lateral)
            if join == "CROSS JOIN":
                text += f" CROSS JOIN {item}"
            else:
                left, right = [c for s in sources for c in s.of("int")], source.of("int")
                if join == "FULL JOIN" or not self.often(50):
                    if left and right:
                        on = f"{self.one(*left)} = {self.one(*right)}"
                    else:
                        on = f"{self.jsonb(sources, 2)} = {self.jsonb([source], 2)}" if source.of("jsonb") and join != "FULL JOIN" else "true"
                else:
                    on = self.boolean([*sources, source], 1)
                text += f" {join} {item} ON {on}"
            sources.append(source)
        return text, sources

    def output(self, scope, depth=0):
        """An expression and its type."""
        kind = self.draws.below(8)
        if kind < 4:
            return self.jsonb(scope, depth), "jsonb"
        if kind < 6:
            return self.text(scope, depth), "text"
        return (self.integer(scope, depth), "int") if kind == 6 else (f"({self.boolean(scope, depth)})::text", "text")

    def where(self, scope):
        return f" WHERE {self.boolean(scope)}" if self.often(50) else ""

    def select(self, depth=0, outer=()):
        """A query and its columns."""
        outer = list(outer)
        cte, extra = "", None
        if depth < 2 and self.often(12):
            name = self.name()
            query, columns = self.select(depth + 1)
            cte, extra = f"WITH {name} AS {self.one('', 'MATERIALIZED ', 'NOT MATERIALIZED ')}({query}) ", (name, columns)
        text, sources = self.sources(depth, outer)
        if extra:
            alias = self.name()
            text += f" CROSS JOIN {extra[0]} {alias}"
            sources.append(Source(alias, extra[1]))
        scope = [*sources, *outer]
        kind = self.draws.below(12)
        where = self.where(scope)
        names = [f"c{i}" for i in range(self.one(1, 1, 2, 3))]
        behind = ""
        if kind in (7, 8):
            group, type = self.output(scope, max(depth, 1))
            names, made = ["c0"], [(group, type)]
            for i in range(self.one(1, 2)):
                made.append(self.aggregate(scope))
                names.append(f"c{i + 1}")
            by = self.one(group, "1", f"ROLLUP ({group})") if self.often(80) else ""
            if by == "":
                made, names = made[1:], names[1:]
            having = f" HAVING count(*) > {self.one(0, 1)}" if by and self.often(20) else ""
            behind = f" GROUP BY {by}{having}" if by else ""
        elif kind == 9 and sources[0].table in TABLES:
            key = ", ".join(f"{s.alias}.{k}" for s in sources for k in (key_of(s.table) if s.table in TABLES or s.table == "side" else s.columns))
            window = f"OVER ({self.one('', lambda: f'PARTITION BY {self.text(scope, 2)} ')}ORDER BY {key})"
            made = [(f"{self.one('lag', 'first_value', 'last_value', 'lead')}({self.jsonb(scope, 2)}) {window}", "jsonb"), (f"(row_number() {window})::int", "int")]
            names = ["c0", "c1"]
        elif kind == 10 and depth < 2:
            made = [self.output(scope, 1)]
            names = ["c0"]
            second, others = self.sources(depth + 1, outer)
            other = {"jsonb": self.jsonb, "text": self.text, "int": self.integer}[made[0][1]]([*others, *outer], 1)
            behind = f" {self.one('UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT')} SELECT {other} FROM {second}"
        else:
            made = [self.output(scope, depth) for _ in names]
        body = f"SELECT {'DISTINCT ' if kind == 6 else ''}{', '.join(f'{e} AS {n}' for (e, _), n in zip(made, names))} FROM {text}{where}{behind}"
        columns = dict(zip(names, [t for _, t in made]))
        order = ", ".join(str(i + 1) for i in range(len(names)))
        if self.often(25):
            body += f" ORDER BY {order}{self.one('', lambda: f' LIMIT {self.one(1, 3)}', lambda: f' OFFSET {self.one(1, 2)}')}"
            self.sorted = True
        else:
            self.sorted = False
        return cte + body, columns

    def aggregate(self, scope):
        kind = self.draws.below(6)
        filter = f" FILTER (WHERE {self.boolean(scope, 2)})" if self.often(15) else ""
        if kind == 0:
            return f"count(*){filter}::int", "int"
        if kind == 1:
            j = self.jsonb(scope, 1)
            return f"jsonb_agg({j} ORDER BY {j}){filter}", "jsonb"
        if kind == 2:
            t = self.text(scope, 1)
            return f"{self.one('min', 'max')}({t}){filter}", "text"
        if kind == 3:
            t, j = self.text(scope, 1), self.jsonb(scope, 1)
            return f"jsonb_object_agg(coalesce({t}, ''), {j} ORDER BY {t}, {j}){filter}", "jsonb"
        if kind == 4:
            return f"count(DISTINCT {self.jsonb(scope, 1)}){filter}::int", "int"
        t = self.text(scope, 1)
        return f"string_agg({t}, ',' ORDER BY {t}){filter}", "text"
