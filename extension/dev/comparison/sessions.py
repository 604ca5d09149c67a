"""Runs cases in both schemas at the same time, in one session each, and collects the result of each statement."""
import os
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

try:
    from psycopg import OperationalError as Lost, pq
except ImportError:
    sys.exit(f"{sys.executable} does not have psycopg 3, which the comparison needs; on Debian, install python3-psycopg")

from .tables import RESERVED, TABLES

DATABASE = os.environ.get("PGT_COMPARE", "pgt_compare")
SCHEMAS = ("plain", "split")
ERROR = "@error@"  # begins an error
# Existing documents have longer numbers.
REFUSED = re.compile(ERROR + r' 23514 the document for column "\w+" of \w+ is refused: (its root key "\$pgtoaster" is reserved|document \d{1,9} belongs to another column)'
                     "|" + ERROR + r' 22023 .*root key "\$pgtoaster"')
# Errors for a value with the reserved key that is not a document of the column: RETURNING reads it before it is rejected, or another function changed it.
FOREIGN = re.compile(ERROR + r' (XX001 .*(contains the header of a document that belongs to another row|the root key "\$pgtoaster" does not refer to a document)'
                     "|23514 another function changed the document after an edit)")


class Case:
    """Statements that run in one transaction, which is rolled back. Rows without an order are compared as a set."""

    def __init__(self, statements, ordered=(), changes=(), thorough=False):
        self.statements = statements
        self.ordered = ordered      # numbers of statements
        self.changes = changes      # names of tables
        self.thorough = thorough    # whether the stored content is also checked

    def text(self):
        return "\n".join(self.statements)

    def without_key(self):
        """The same case with another key in place of the reserved one."""
        return Case([statement.replace(RESERVED, RESERVED[1:]) for statement in self.statements], self.ordered, self.changes, self.thorough)


class Session:
    """A connection that is opened on first use, and again after it was lost. A session with a schema runs cases. The tables are so small that
    the planner prefers indexes only if scans of whole tables are off."""

    scans = "on"

    def __init__(self, schema=None, database=DATABASE):
        self.schema, self.database, self.connection = schema, database, None

    def connect(self):
        # A crashed server restarts.
        for _ in range(300):
            self.connection = pq.PGconn.connect(f"dbname={self.database}".encode())
            if self.connection.status == pq.ConnStatus.OK:
                settings = f"; SET search_path = {self.schema}, public; SET pgtoaster.transparent = on; SET statement_timeout = '300s'; SET jit = off; SET enable_seqscan = {self.scans}"
                return self.send("SET client_min_messages = error" + (settings if self.schema else ""))
            time.sleep(0.2)
        sys.exit(self.connection.error_message.decode())

    def results(self, text):
        """The results of the statements of a text, up to the first error: rows, then the command tag."""
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
                # A pinned member is stored with one more $ in some keys, so the key of an index row may differ.
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
        """The results of all statements in one list."""
        return [line for lines in self.results(text) for line in lines]

    def do(self, *texts):
        """Runs the texts one by one and returns the rows of the last one."""
        for text in texts:
            lines = self.send(text)
            if is_error(lines):
                sys.exit(f"{text[:300]}:\n{lines[-1]}")
        return lines[:-1]

    def answers(self, case):
        """The results of each statement of a case and of the tables afterwards; None if the connection was lost. Round trips and transaction
        commands are combined: a server with assertions checks all memory after each, which takes more than half of its time."""
        given = []
        reading = all(statement.startswith("SELECT ") for statement in case.statements)
        before, back = ("", "") if reading else ("BEGIN;", "ROLLBACK; BEGIN")
        try:
            for i, statement in enumerate(case.statements):
                # A savepoint is needed only if an earlier statement changed something.
                if i and not is_error(given[-1]) and not reading:
                    before, back = "SAVEPOINT before;", "ROLLBACK TO before"
                lines = self.results(before + statement)[-1]
                given.append(lines if is_error(lines) or i in case.ordered else sorted(lines))
                failed = self.connection.transaction_status == pq.TransactionStatus.INERROR
                if failed:
                    self.send(back)
                # If the text cannot be parsed, nothing was run.
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
    """Creates the database with the extension, the catalog and the tables."""
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
    """Statements that read the tables with plain SQL and with the library, and check them."""
    # Without parallel workers: each takes a few milliseconds to start.
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
    """Returns the results of a case, plain and split."""
    pair = list(pool.map(lambda session: session.answers(case), both))
    if None in pair:
        # A crashed server soon ends all sessions.
        time.sleep(1)
        disconnect()
    return pair


def is_error(lines):
    return lines[-1].startswith(ERROR)


def errors(pair, case):
    """Returns how many statements of the case failed."""
    return sum(map(is_error, pair[0][:len(case.statements)]))


def differs(pair):
    if None in pair:
        return True
    for plain, split in zip(*pair):
        if REFUSED.match(split[-1]):
            # An attached column rejects the reserved key, so from here on the two transactions differ.
            return False
        if plain != split:
            return True
    return False


def is_foreign(pair):
    """Returns whether the first difference is an error for a value with the reserved key."""
    return None not in pair and any(FOREIGN.match(split[-1]) for split in [s for p, s in zip(*pair) if p != s][:1])
