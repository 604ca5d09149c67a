"""Random statements over tables with documents."""
from .queries import Queries, Source, columns_of, key_of, literal
from .sessions import Case
from .tables import quoted


class Statements(Queries):
    # Changes

    CHANGED = ("person", "person", "thing", "part", "twin", "pinned", "heir", "hidden", "part_low", "kinds", "side")

    def value(self, target, column, scope, guards):
        """A new value for a document; scope begins with the changed row."""
        kind = self.draws.below(12)
        own = f"{target.alias}.{column}"
        if kind < 7:
            value = own
            for _ in range(self.one(1, 1, 2, 3)):
                value = self.edit(scope, value, 2, own, guards)
                if self.often(15):
                    # For a constant that is not an object, the planner may raise an error that none of the rows causes.
                    value = self.one(f"coalesce({value}, '{{}}')",
                                     lambda: f"CASE WHEN {self.boolean(scope, 1)} THEN {value} ELSE {self.one(own, lambda: self.edit(scope, own, 2, own, guards))} END",
                                     f"coalesce({own}, {value})")
            return value
        if kind == 7:
            return self.jsonb(scope, 0)
        if kind == 8 and not self.raising:
            way = self.way() or ["a"]
            path = self.array(scope, way, False)
            guards.append(f"jsonb_typeof({own} #> {quoted(literal(way[:-1]))}) = {quoted('array' if isinstance(way[-1], int) else 'object')}")
            if self.often(20):
                guards.append(f"{own} #> {quoted(literal(way))} IS NULL")
                return f"pgtoaster.insert({own}, {path}, {self.constant()})"
            # A merge cannot change a root that is a split array.
            guards.append(f"jsonb_typeof({own}) = 'object'")
            return self.one(lambda: f"pgtoaster.set({own}, {path}, {self.constant()})", f"pgtoaster.remove({own}, {path})",
                            lambda: f"pgtoaster.append({own}, {path}, {self.constant()})",
                            lambda: f"pgtoaster.merge(pgtoaster.remove({own}, {path}), {self.constant()})")
        if kind == 9:
            return self.edit(scope, f"coalesce({own}, '{{}}')", 2, own, guards)
        if kind == 10:
            return self.one("DEFAULT", "NULL", "'{\"a\": 1}'", own)
        return self.document(scope)

    def set_list(self, target, scope):
        """A SET list, and the conditions under which it is not an error."""
        items = []
        guards = []
        for column, type in target.columns.items():
            if type != "jsonb" or (items and not self.often(50)):
                continue
            if self.often(25):
                for _ in range(self.one(1, 1, 2)):
                    way = self.way() or ["a"]
                    if not self.raising:
                        guards.append(f"jsonb_typeof({target.alias}.{column} #> {quoted(literal(way[:-1]))}) = {quoted('array' if isinstance(way[-1], int) else 'object')}")
                    subscripts = "".join(f"[{self.step(scope, s) if self.raising else s if isinstance(s, int) else quoted(s)}]" for s in way)
                    items.append(f"{column}{subscripts} = {self.one(lambda: self.constant(), lambda: self.jsonb(scope, 2))}")
            else:
                items.append(f"{column} = {self.value(target, column, scope, guards)}")
        if self.raising:
            return items[0], "true"
        if self.often(30):
            items.append(f"n = {self.one(f'{target.alias}.n + 1', lambda: f'length({self.text(scope, 2)})')}")
        if self.often(15):
            items.append(f"t = {self.text(scope, 1)}")
        if self.often(5) and target.table in ("person", "part", "twin", "heir", "pinned", "hidden"):
            # Do not use the key of another row: whether that row still has it depends on the order of the rows.
            items.append(f"id = {target.alias}.id + {self.one(100, -100)}")
        return ", ".join(items), " AND ".join(guards) or "true"

    def returning(self, scope):
        if not self.often(40):
            return ""
        extra = ""
        if self.version >= 18 and self.often(30):
            extra = self.one(", old.doc->'a'", ", new.doc->'kind', old.doc->'kind'", ", old, new", ", old.doc, new.doc")
        return f" RETURNING {', '.join(self.output(scope, 1)[0] for _ in range(self.one(1, 2)))}{extra}"

    def change(self, first=False):
        """A statement that changes a table, and that table."""
        kind = self.draws.below(15)
        table = self.one(*self.CHANGED)
        item, target = self.table(table)
        changed = {"kinds": "person", "part_low": "part"}.get(table, table)
        if kind < 6:
            items, guard = self.set_list(target, [target])
            where = self.one("", lambda: f" AND {self.same_row(target, [])}", lambda: f" AND {self.boolean([target])}")
            return f"UPDATE {item} SET {items} WHERE {guard}{where}{self.returning([target])}".replace(" WHERE true AND", " WHERE").replace(" WHERE true", ""), changed
        if kind in (6, 7):
            from_item, other = self.table(self.one("person", "side", "part", "twin"))
            scope = [target, other]
            items, guard = self.set_list(target, scope)
            condition = " AND ".join(f"{target.alias}.{k} = {quoted('north') if k == 'region' else other.alias + '.id'}" for k in key_of(table))
            more = f" AND {self.boolean(scope, 1)}" if self.often(40) else ""
            return f"UPDATE {item} SET {items} FROM {from_item} WHERE {condition} AND {guard}{more}{self.returning(scope)}", changed
        if kind == 8:
            return f"DELETE FROM {item} WHERE {self.boolean([target])}{self.returning([target])}", changed
        if kind in (9, 10):
            return self.insert(table, target), changed
        # With policies the error is that of the first rejected row, and the plan determines the order of the rows.
        if kind == 11 and table != "hidden":
            return self.merge(table, target, item), changed
        if kind == 12:
            # A query reads the returned rows.
            name = self.name()
            items, guard = self.set_list(target, [target])
            return (f"WITH {name} AS (UPDATE {item} SET {items} WHERE {guard} RETURNING {target.alias}.*) "
                    f"SELECT {', '.join(self.output([Source(name, columns_of(table))], 1)[0] for _ in range(2))} FROM {name}"), changed
        if kind == 13 and first:
            # Errors are also the same, as long as the rows are in the same order.
            self.raising = True
            items, _ = self.set_list(target, [target])
            self.raising = False
            return f"UPDATE {item} SET {items}", changed
        column = next(c for c, type in target.columns.items() if type == "jsonb")
        other_item, other = self.table(self.one("person", "side"))
        return (f"UPDATE {item} SET ({column}, t) = (SELECT {self.jsonb([other, target], 1)}, {self.text([other, target], 1)} FROM {other_item} "
                f"WHERE {other.alias}.id = {target.alias}.{key_of(table)[-1]}){self.returning([target])}"), changed

    def insert(self, table, target):
        from_item, other = self.table(self.one("person", "side", "part", "thing", "twin", "seen", "hidden"))
        # part_low accepts only numbers in its own range.
        new = self.one(50, 0) if table != "part_low" else 0
        number = f"{other.alias}.{key_of(other.table)[-1]} + {new}"
        documents = [c for c, type in target.columns.items() if type == "jsonb"]
        names = [*key_of(table), "n", *documents]
        values = [f"{quoted('east')}" if k == "region" else number for k in key_of(table)] + ["1"]
        values += [self.one(f"{other.alias}.doc", lambda: self.jsonb([other], 1)) for _ in documents]
        where = f" WHERE {other.alias}.{key_of(other.table)[-1]} < 5" + (f" AND {other.alias}.region = 'north'" if other.table == "thing" else "")
        target.alias = table
        conflict = ""
        if new == 0 or self.often(40):
            if self.often(80):
                scope = [target, Source("excluded", columns_of(table))]
                items, guard = self.set_list(target, scope)
                conflict = f" ON CONFLICT ({', '.join(key_of(table))}) DO UPDATE SET {items} WHERE {guard}" + (
                    f" AND {self.boolean(scope, 1)}" if self.often(30) else "")
            else:
                conflict = " ON CONFLICT DO NOTHING"
        return f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} FROM {from_item}{where}{conflict}{self.returning([target])}"

    def merge(self, table, target, item):
        from_item, other = self.table(self.one("person", "side", "part", "twin"))
        scope = [target, other]
        documents = [c for c, type in target.columns.items() if type == "jsonb"]
        on = " AND ".join(f"{target.alias}.{k} = " + ("'north'" if k == "region" else f"{other.alias}.id + {self.one(0, 5)}") for k in key_of(table))
        when = ""
        for _ in range(self.one(1, 2)):
            items, guard = self.set_list(target, scope)
            more = self.one("", lambda: f" AND {self.boolean(scope, 1)}")
            when += f" WHEN MATCHED AND {guard}{more} THEN {self.one(f'UPDATE SET {items}', f'UPDATE SET {items}', 'DELETE', 'DO NOTHING')}"
        if self.often(50):
            names = [*key_of(table), *documents]
            # Use keys that no row has, not even a hidden one: whether such a row has been deleted depends on the order of the rows.
            values = [quoted("west") if k == "region" else f"{other.alias}.id + 50" for k in key_of(table)]
            values += [self.one(f"{other.alias}.doc", lambda: self.jsonb([other], 1)) for _ in documents]
            when += f" WHEN NOT MATCHED THEN INSERT ({', '.join(names)}) VALUES ({', '.join(values)})"
        return f"MERGE INTO {item} USING {from_item} ON {on}{when}{self.returning(scope) if self.version >= 17 else ''}"

    # Cases

    def begin(self):
        """Settings of a transaction."""
        lines = []
        if self.often(10):
            lines.append(f"SET LOCAL {self.one('enable_hashjoin', 'enable_seqscan', 'enable_nestloop', 'enable_mergejoin', 'enable_material', 'enable_sort', 'enable_indexscan')} = off;")
        if self.often(2):
            lines += [f"SET LOCAL {'debug_parallel_query' if self.version >= 16 else 'force_parallel_mode'} = on;",
                      "SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL min_parallel_table_scan_size = 0;"]
        if self.often(15):
            lines.append("SET LOCAL ROLE pgt_compare;")
        return lines

    def prepared(self, statement, times):
        """A statement with parameters in place of some constants, executed repeatedly."""
        self.parameters = []
        text = statement()
        types, values = (f"({', '.join(p)})" if p else "" for p in ([t for t, _ in self.parameters], [v for _, v in self.parameters]))
        self.parameters = None
        return [f"SET LOCAL plan_cache_mode = {self.one('auto', 'force_generic_plan', 'force_custom_plan')};",
                f"PREPARE q{types} AS {text};", *[f"EXECUTE q{values};"] * times, "DEALLOCATE q;"]

    def changing(self, changes):
        """A statement that changes a table, which is added to changes."""
        statement, table = self.change(not changes)
        changes.append(table)
        return statement

    def case(self):
        lines = self.begin()
        changes = []
        ordered = []
        kind = self.draws.below(20)
        self.sorted = False
        if kind < 8:
            query, _ = self.select()
            if self.sorted:
                ordered.append(len(lines))
            lines.append(query + ";")
        elif kind == 8:
            # One expression over one table: errors must be the same.
            self.raising = True
            item, source = self.table(self.one(*self.TABLES))
            lines.append(f"SELECT {self.output([source])[0]} FROM {item};")
        elif kind == 9:
            lines += self.prepared(lambda: self.select()[0], 2)
        elif kind == 10:
            query, _ = self.select()
            lines += [f"DECLARE c {self.one('', 'SCROLL ')}CURSOR FOR {query};", "FETCH ALL FROM c;"]
        elif kind == 11:
            item, source = self.table(self.one("person", "thing", "part", "twin", "pinned", "kinds", "heir"))
            lines.append(f"SELECT {self.output([source])[0]}, {source.alias} FROM {item}{self.where([source])} FOR {self.one('UPDATE', 'SHARE', 'NO KEY UPDATE')};")
        else:
            for _ in range(self.one(1, 2, 3, 5, 8)):
                if self.often(10):
                    lines += self.prepared(lambda: self.changing(changes), 1)
                else:
                    lines.append(self.changing(changes) + ";")
                if self.often(10):
                    lines += ["SAVEPOINT s;", self.changing(changes) + ";", "ROLLBACK TO s;"]
                if self.often(20):
                    item, source = self.table(changes[-1])
                    lines.append(f"SELECT {self.output([source])[0]} FROM {item};")
        return Case(lines, ordered, sorted(set(changes)), self.often(1))
