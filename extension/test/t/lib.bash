# Functions for the shell tests, which run as an unprivileged user. See ../../dev/server for PGT_*.
# shellcheck shell=bash disable=SC2034
set -euo pipefail
sockets=$PGT_TMP/s
mkdir -p -m 700 "$sockets" # The servers do not ask for a password.

# make_cluster DIR SETTING...
make_cluster() {
  local dir=$1
  shift
  "$PGT_HOME/bin/initdb" -D "$dir" -A trust -U postgres -E UTF8 --locale=C --no-sync >/dev/null
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$sockets'" "$@" >>"$dir/postgresql.conf"
}

# start DIR PORT: starts a server with that directory, and stops it when the test ends.
start() {
  "$PGT_HOME/bin/pg_ctl" -D "$1" -o "-p $2" -l "$1/server.log" -s -w -t 120 start || {
    tail -n 25 "$1/server.log"
    return 1
  }
}

stop() { "$PGT_HOME/bin/pg_ctl" -D "$1" -m "${2:-fast}" -s -w stop; }

stop_all() {
  local pid
  for pid in "$PGT_TMP"/*/postmaster.pid; do
    [ ! -f "$pid" ] || stop "${pid%/*}" immediate || true
  done
}
trap stop_all EXIT

# sql PORT DATABASE STATEMENT: prints the rows of the statement, unaligned.
sql() { psql -XqAt -v ON_ERROR_STOP=1 -h "$sockets" -p "$1" -U postgres -d "$2" -c "$3"; }

# install PORT DATABASE: installs the library's catalog.
install() {
  psql -Xq1 -v ON_ERROR_STOP=1 -h "$sockets" -p "$1" -U postgres -d "$2" -f "$PGT_SQL" >/dev/null
}

# same WHAT EXPECTED GOT
same() {
  [ "$2" = "$3" ] || {
    echo "$1: expected"
    echo "  $2"
    echo "and got"
    echo "  $3"
    exit 1
  }
}

# Create a table with a column of each kind, and read their contents as one text.
tables="CREATE TABLE item (id bigint PRIMARY KEY, content bigint, doc jsonb);
  SELECT pgtoaster.attach('item', 'content', 'appendable');
  SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}');
  INSERT INTO item (id) SELECT i FROM generate_series(1, 3) i;
  UPDATE item SET doc = '{\"name\": \"a\", \"visits\": 0, \"list\": []}'"
contents="SELECT md5(string_agg(i.id || ':' || coalesce(md5(toaster.blob_read('item', 'content', i.id, 0, 100000000)), '-')
  || ':' || toaster.json_expand('item', 'doc', i.id), ',' ORDER BY i.id)) FROM item i"
# Read the same contents without the extension.
contents_by_sql="SELECT md5(string_agg(i.id || ':' || coalesce(md5(b.bytes), '-') || ':' || pgtoaster.expand(i.doc), ',' ORDER BY i.id))
  FROM item i LEFT JOIN LATERAL (
    SELECT coalesce((SELECT string_agg(c.data, '' ORDER BY c.start) FROM pgtoaster.store_1_chunk c WHERE c.blob_id = h.id), '')
        || coalesce((SELECT string_agg(p.data, '' ORDER BY p.start) FROM pgtoaster.store_1_piece p
                     WHERE p.blob_id = h.id AND p.slot < h.piece_rows), '')
        || CASE WHEN h.tail = '' THEN '' ELSE substring(h.tail FROM 1 FOR octet_length(rtrim(h.tail, '\x00'::bytea)) - 1) END AS bytes
    FROM pgtoaster.store_1_head h WHERE h.id = i.content) b ON true"
