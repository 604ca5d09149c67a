"""Runs cases in both schemas at once, by psql, and takes what each statement answered."""
import os
import re
import subprocess
import tempfile
import time

from .tables import TABLES

DATABASE = os.environ.get("PGT_COMPARE", "pgt_compare")
SCHEMAS = ("plain", "split")
# Of a case: its end, a statement's end, and the beginning of its error.
CASE, END, ERROR = "@case@", "@end@", "@error@"
REFUSED = re.compile(ERROR + r' 23514 the document for column "\w+" of \w+ is refused: its root key "\$pgtoaster" is reserved'
                     "|" + ERROR + r' 22023 .*root key "\$pgtoaster"')


class Case:
    """Statements that run in one transaction, which is rolled back. Those whose rows have no order are compared as a set."""

    def __init__(self, statements, ordered=(), changes=(), thorough=False):
        self.statements = statements
        self.ordered = ordered      # numbers of statements
        self.changes = changes      # names of tables
        self.thorough = thorough    # whether what is stored is looked at with care, too
        self.good = []

    def text(self):
        return "\n".join(self.statements)


def psql(*arguments, database=DATABASE, check=True):
    result = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, *arguments], capture_output=True, text=True)
    if check and result.returncode:
        raise SystemExit(f"psql {' '.join(arguments)[:300]}:\n{result.stderr}")
    return result.stdout.strip()


def load(statements, check=True):
    with tempfile.NamedTemporaryFile("w", suffix=".sql", encoding="utf-8") as file:
        file.write("SET client_min_messages = warning;\n" + "\n".join(statements))
        file.flush()
        os.chmod(file.name, 0o644)
        return psql("-f", file.name, check=check)


def create_database():
    psql("-c", f"DROP DATABASE IF EXISTS {DATABASE} (FORCE)", "-c", f"CREATE DATABASE {DATABASE}", database="postgres")
    folder = os.environ["PGT_SQL"]
    files = sorted((f for f in os.listdir(folder) if f[0].isdigit()), key=lambda f: int(f.split("-")[0]))
    psql("-1", "-c", "SET client_min_messages = warning", "-c", "CREATE EXTENSION pgtoaster",
         *[a for f in files for a in ("-f", os.path.join(folder, f))])
    psql("-c", f"ALTER DATABASE {DATABASE} SET session_preload_libraries = 'pgtoaster'",
         "-c", "DO $$ BEGIN IF to_regrole('pgt_compare') IS NULL THEN CREATE ROLE pgt_compare; END IF; END $$",
         "-c", "GRANT USAGE ON SCHEMA pgtoaster TO pgt_compare")


def drop_database():
    psql("-c", f"DROP DATABASE {DATABASE} (FORCE)", database="postgres")


def states(case, schema):
    """What shows that the tables are the same, as plain SQL has them and as the library does, and whole."""
    if not case.changes:
        return []
    lines = ["RESET ROLE;", "SET CONSTRAINTS ALL IMMEDIATE;"]
    for table in case.changes:
        key, attached = TABLES.get(table, (("id",), {"doc": None}))
        stored = schema == "split" and table in TABLES
        lines.append(select(table, key, [f"md5({c}::text)" for c in attached]))
        row = f"ROW({', '.join(key)})" if len(key) > 1 else key[0]
        lines.append(select(table, key, [f"md5(toaster.json_get('{table}', '{c}', {row}, '{{}}')::text)" if stored else f"md5({c}::text)" for c in attached]))
        if case.thorough:
            lines.append(select(table, key, [f"md5(pgtoaster.expand({c})::text)" for c in attached]))
            for column in attached:
                lines.append(f"SELECT * FROM pgtoaster.repair('{table}', '{column}');" if stored else "SELECT WHERE false;")
    return lines


def select(table, key, columns):
    names = ", ".join(key)
    return f"SELECT {names}, n, t, {', '.join(columns)} FROM {table} ORDER BY {names};"


def script(cases, schema):
    lines = ["\\set ON_ERROR_ROLLBACK on", f"SET search_path = {schema}, public;", "SET pgtoaster.transparent = on;",
             "SET statement_timeout = '60s'; SET client_min_messages = error;"]
    for case in cases:
        lines += ["BEGIN;"]
        for statement in case.statements + states(case, schema):
            lines += [statement, "\\if :ERROR", f"\\echo {ERROR} :SQLSTATE :LAST_ERROR_MESSAGE", "\\endif", f"\\echo {END}"]
        lines += ["ROLLBACK;", "DEALLOCATE ALL;", f"\\echo {CASE}"]
    return "\n".join(lines) + "\n"


def answers(cases, output):
    """For each case a list of the answers of its statements; None where the connection was lost before."""
    parts = output.split(CASE + "\n")
    result = []
    for number, case in enumerate(cases):
        if number >= len(parts) - 1:
            result.append(None)
            continue
        given = parts[number].split(END + "\n")[:-1]
        for i, answer in enumerate(given):
            # Sessions differ in what begins a transaction.
            lines = answer.removeprefix("BEGIN\n").split("\n") if i == 0 else answer.split("\n")
            lines = [re.sub(r"\b(plain|split)\.", "", line) if line.startswith(ERROR) else line for line in lines]
            given[i] = lines if i in case.ordered or any(line.startswith(ERROR) for line in lines) else sorted(lines)
        result.append(given)
    return result


def run(cases):
    """Answers of each case, plain and split."""
    started = []
    with tempfile.TemporaryDirectory() as folder:
        for schema in SCHEMAS:
            path = os.path.join(folder, schema)
            with open(path + ".sql", "w", encoding="utf-8") as file:
                file.write("\\set QUIET on\n" + script(cases, schema).replace("BEGIN;", "\\set QUIET off\nBEGIN;", 1))
            output = open(path + ".out", "w", encoding="utf-8")
            started.append((path, output, subprocess.Popen(
                ["psql", "-XAt", "-d", DATABASE, "-f", path + ".sql"], stdout=output, stderr=subprocess.DEVNULL)))
        both = []
        for path, output, process in started:
            process.wait()
            output.close()
            with open(path + ".out", encoding="utf-8") as file:
                text = file.read().replace(f"ROLLBACK\nDEALLOCATE ALL\n{CASE}\n", f"{CASE}\n")
            both.append(answers(cases, text))
    pairs = list(zip(*both))
    if all(None not in pair for pair in pairs):
        return pairs
    # Both are lost where one is: those that are left run again, each by itself.
    wait()
    if len(cases) == 1:
        return pairs
    lost = next(i for i, pair in enumerate(pairs) if None in pair)
    return pairs[:lost] + [run([case])[0] for case in cases[lost:lost + 1]] + (run(cases[lost + 1:]) if cases[lost + 1:] else [])


def wait():
    """For a server that starts again."""
    for _ in range(300):
        if subprocess.run(["psql", "-XqAt", "-d", DATABASE, "-c", ""], capture_output=True).returncode == 0:
            return
        time.sleep(0.2)
    raise SystemExit("the server does not come back")


def failed(pair, number):
    """Whether a statement is an error in the plain schema."""
    return any(line.startswith(ERROR) for line in pair[0][number])


def differs(pair):
    plain, split = pair
    if plain is None or split is None:
        return True
    for first, second in zip(plain, split):
        if any(REFUSED.match(line) for line in second):
            # What is kept for the library has no place in an attached column: the transactions go apart here.
            return False
        if first != second:
            return True
    return False
