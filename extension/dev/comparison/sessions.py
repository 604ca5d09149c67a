"""Runs cases in both schemas at once, in a session of each, and takes what each statement answered."""
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

try:
    from psycopg import OperationalError as Lost, pq
except ImportError:
    sys.exit(f"{sys.executable} has no psycopg 3, which the comparison needs: of Debian it is the package python3-psycopg")

from .tables import RESERVED, TABLES

DATABASE = os.environ.get("PGT_COMPARE", "pgt_compare")
SCHEMAS = ("plain", "split")
ERROR = "@error@"  # begins an error
# Documents that there are have longer numbers.
REFUSED = re.compile(ERROR + r' 23514 the document for column "\w+" of \w+ is refused: (its root key "\$pgtoaster" is reserved|document \d{1,9} belongs to another column)'
                     "|" + ERROR + r' 22023 .*root key "\$pgtoaster"')
# What calls say of a value with the reserved key that is no document of the column: one that RETURNING reads before it is refused, or one in between.
FOREIGN = re.compile(ERROR + r' (XX001 .*(contains the header of a document that belongs to another row|the root key "\$pgtoaster" does not refer to a document)'
                     "|23514 another function changed the document after an edit)")


class Case:
    """Statements that run in one transaction, which is rolled back. Those whose rows have no order are compared as a set."""

    def __init__(self, statements, ordered=(), changes=(), thorough=False):
        self.statements = statements
        self.ordered = ordered      # numbers of statements
        self.changes = changes      # names of tables
        self.thorough = thorough    # whether what is stored is looked at with care, too

    def text(self):
        return "\n".join(self.statements)

    def without_key(self):
        """The same with another key in place of the reserved one."""
        return Case([statement.replace(RESERVED, RESERVED[1:]) for statement in self.statements], self.ordered, self.changes, self.thorough)


class Session:
    """A connection that is made when it is needed: also anew, behind a loss. One with a schema is for cases."""

    def __init__(self, schema=None, database=DATABASE):
        self.schema, self.database, self.connection = schema, database, None

    def connect(self):
        # A server that crashed starts again.
        for _ in range(300):
            self.connection = pq.PGconn.connect(f"dbname={self.database}".encode())
            if self.connection.status == pq.ConnStatus.OK:
                settings = f"; SET search_path = {self.schema}, public; SET pgtoaster.transparent = on; SET statement_timeout = '300s'"
                return self.send("SET client_min_messages = error" + (settings if self.schema else ""))
            time.sleep(0.2)
        sys.exit(self.connection.error_message.decode())

    def results(self, text):
        """What each of the statements of a text answers, up to the first that is an error: rows, and the tag behind them."""
        if not self.connection:
            self.connect()
        self.connection.send_query(text.encode())
        answers = []
        lines = []
        while result := self.connection.get_result():
            if result.status == pq.ExecStatus.COPY_OUT:
                while (copied := self.connection.get_copy_data(0))[0] > 0:
                    lines.append(bytes(copied[1]).decode())
                continue
            if result.status == pq.ExecStatus.FATAL_ERROR:
                if self.connection.status != pq.ConnStatus.OK:
                    raise Lost
                state, message = (result.error_field(field).decode() for field in (pq.DiagnosticField.SQLSTATE, pq.DiagnosticField.MESSAGE_PRIMARY))
                # A pinned member is stored with one more $ in some keys.
                lines.append(f"{ERROR} {state} " + re.sub(r"\b(plain|split)\.|(?<=index row ).*", "", message))
            else:
                for row in range(result.ntuples):
                    values = (result.get_value(row, column) for column in range(result.nfields))
                    lines.append("|".join("NULL" if value is None else value.decode() for value in values))
                lines.append((result.command_status or b"").decode())
            answers.append(lines)
            lines = []
        return answers

    def send(self, text):
        """The same in one."""
        return [line for lines in self.results(text) for line in lines]

    def do(self, *texts):
        """Each by itself. The rows of the last one."""
        for text in texts:
            lines = self.send(text)
            if is_error(lines):
                sys.exit(f"{text[:300]}:\n{lines[-1]}")
        return lines[:-1]

    def answers(self, case):
        """For each statement of a case, and for the tables afterwards; None where the connection was lost. A server with assertions looks
        through all memory behind each round trip and each command about transactions, which takes more than half of its time."""
        given = []
        reading = all(statement.startswith("SELECT ") for statement in case.statements)
        before, back = ("", "") if reading else ("BEGIN;", "ROLLBACK; BEGIN")
        try:
            for i, statement in enumerate(case.statements):
                # Where there is something to lose only.
                if i and not is_error(given[-1]) and not reading:
                    before, back = "SAVEPOINT before;", "ROLLBACK TO before"
                lines = self.results(before + statement)[-1]
                given.append(lines if is_error(lines) or i in case.ordered else sorted(lines))
                failed = self.connection.transaction_status == pq.TransactionStatus.INERROR
                if failed:
                    self.send(back)
                # Of what cannot be parsed nothing was run.
                if failed or not is_error(lines):
                    before = ""
            if case.changes:
                given.append(self.send(before + states(case, self.schema) + "ROLLBACK"))
            if self.connection.transaction_status != pq.TransactionStatus.IDLE:
                self.send("ROLLBACK")
        except Lost:
            return None
        return given


database = Session()
both = [Session(schema) for schema in SCHEMAS]
pool = ThreadPoolExecutor(2)


def disconnect():
    for session in (database, *both):
        session.connection = None


def create_database(tables):
    """With the extension, the catalog, and what statements make."""
    with open(os.environ["PGT_SQL"], encoding="utf-8") as file:
        catalog = file.read()
    Session(database="postgres").do(f"DROP DATABASE IF EXISTS {DATABASE} (FORCE)", f"CREATE DATABASE {DATABASE}")
    database.do("BEGIN", "CREATE EXTENSION pgtoaster", catalog, "COMMIT",
                f"ALTER DATABASE {DATABASE} SET session_preload_libraries = 'pgtoaster'",
                "DO $$ BEGIN IF to_regrole('pgt_compare') IS NULL THEN CREATE ROLE pgt_compare; END IF; END $$",
                "GRANT USAGE ON SCHEMA pgtoaster TO pgt_compare", *tables)
    disconnect()


def drop_database():
    Session(database="postgres").do(f"DROP DATABASE {DATABASE} (FORCE)")


def states(case, schema):
    """What shows that the tables are the same, as plain SQL has them and as the library does, and whole."""
    # Without workers, of which each takes some milliseconds.
    lines = ["RESET ROLE;", "SET CONSTRAINTS ALL IMMEDIATE;", "SET LOCAL max_parallel_workers_per_gather = 0;"]
    for table in case.changes:
        key, attached = TABLES.get(table, (("id",), {"doc": None}))
        stored = schema == "split" and table in TABLES
        lines.append(select(table, key, [f"md5({c}::text)" for c in attached]))
        row = f"ROW({', '.join(key)})" if len(key) > 1 else key[0]
        lines.append(select(table, key, [f"md5(toaster.json_get('{table}', '{c}', {row}, '{{}}')::text)" if stored else f"md5({c}::text)" for c in attached]))
        if case.thorough:
            lines.append(select(table, key, [f"md5(pgtoaster.expand({c})::text)" if stored else f"md5({c}::text)" for c in attached]))
            for column in attached:
                lines.append(f"SELECT * FROM pgtoaster.repair('{table}', '{column}');" if stored else "SELECT WHERE false;")
    return "".join(lines)


def select(table, key, columns):
    names = ", ".join(key)
    return f"SELECT {names}, n, t, {', '.join(columns)} FROM {table} ORDER BY {names};"


def run(case):
    """Answers of a case, plain and split."""
    pair = list(pool.map(lambda session: session.answers(case), both))
    if None in pair:
        # A server that crashed ends all sessions, soon.
        time.sleep(1)
        disconnect()
    return pair


def is_error(lines):
    return lines[-1].startswith(ERROR)


def errors(pair, case):
    """How many of its statements are errors."""
    return sum(map(is_error, pair[0][:len(case.statements)]))


def differs(pair):
    if None in pair:
        return True
    for plain, split in zip(*pair):
        if REFUSED.match(split[-1]):
            # What is kept for the library has no place in an attached column: the transactions go apart here.
            return False
        if plain != split:
            return True
    return False


def is_foreign(pair):
    """Whether the first difference is about a value with the reserved key."""
    return None not in pair and any(FOREIGN.match(split[-1]) for split in [s for p, s in zip(*pair) if p != s][:1])
