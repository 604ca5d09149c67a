#!/usr/bin/env bash
# Dumps and logical replication copy documents as stored, even if pgtoaster.transparent is on for the database or
# the role. Tests dumps only if the server's own pg_dump is installed.
. "$(dirname "$0")/lib.bash"
stored="SET pgtoaster.transparent = off; SELECT md5(string_agg(id || coalesce(doc::text, '-'), ',' ORDER BY id)) FROM item"
nodes="SELECT count(*) || md5(string_agg(n::text, ',' ORDER BY doc, id)) FROM pgtoaster.store_2_node n"

# alike WHAT PORT DATABASE: compares a database with the publisher's database app: read by functions, by plain
# SQL, and as stored.
alike() {
  local statement here there
  for statement in "$contents" "SELECT md5(string_agg(doc::text, ',' ORDER BY id)) FROM item" "$stored" "$nodes"; do
    here=$(sql 5001 app "$statement")
    there=$(sql "$2" "$3" "$statement")
    same "$1: $statement" "$here" "$there"
  done
}

# switch_on PORT WHOM: turns the setting on for a database or a role.
switch_on() {
  sql "$1" postgres "ALTER $2 SET session_preload_libraries = 'pgtoaster'"
  sql "$1" postgres "ALTER $2 SET pgtoaster.transparent = on"
}

make_cluster "$PGT_TMP/publisher" "wal_level = logical" "fsync = off"
make_cluster "$PGT_TMP/subscriber" "fsync = off"
for port in 5001 5002; do
  start "$PGT_TMP/$([ $port = 5001 ] && echo publisher || echo subscriber)" $port
  sql $port postgres "CREATE DATABASE app"
  sql $port app "CREATE EXTENSION pgtoaster"
  install $port app
done
sql 5001 app "$tables" >/dev/null
sql 5002 app "${tables%%INSERT*}" >/dev/null
sql 5001 app "SELECT toaster.blob_append('item', 'content', 1, 'bytes')" >/dev/null
sql 5001 app "SELECT toaster.json_set('item', 'doc', i, '{list}', jsonb_agg(jsonb_build_object('n', n, 'text', repeat('x', n))))
  FROM generate_series(1, 2) i, generate_series(1, 60) n GROUP BY i" >/dev/null

dumps=0
for whom in "DATABASE app" "ROLE postgres"; do
  [ -x "$PGT_HOME/bin/pg_dump" ] || break
  switch_on 5001 "$whom"
  same "the setting of $whom" "59" "$(sql 5001 app "SELECT doc->'list'->58->>'n' FROM item WHERE id = 1")"
  for form in "-F custom" --inserts; do
    # shellcheck disable=SC2086
    "$PGT_HOME/bin/pg_dump" -h "$sockets" -p 5001 -U postgres $form -f "$PGT_TMP/dump" app
    sql 5001 postgres "CREATE DATABASE restored"
    [ "$whom" != "DATABASE app" ] || switch_on 5001 "DATABASE restored"
    if [ "$form" = --inserts ]; then
      psql -Xq -v ON_ERROR_STOP=1 -h "$sockets" -p 5001 -U postgres -d restored -f "$PGT_TMP/dump" >/dev/null
    else
      "$PGT_HOME/bin/pg_restore" -h "$sockets" -p 5001 -U postgres --exit-on-error -d restored "$PGT_TMP/dump"
    fi
    alike "$form with the setting of $whom" 5001 restored
    same "warnings" "{},{}" "$(sql 5001 restored "SELECT string_agg(warnings::text, ',') FROM pgtoaster.status()")"
    sql 5001 restored "UPDATE item SET doc = jsonb_set(doc, '{list,5,n}', '77') WHERE id = 2"
    same "an edit" "77" "$(sql 5001 restored "SELECT toaster.json_get('item', 'doc', 2, '{list,5,n}')")"
    sql 5001 postgres "DROP DATABASE restored"
    dumps=$((dumps + 1))
  done
  sql 5001 postgres "ALTER $whom RESET ALL"
done

# Walsenders do not load session_preload_libraries.
stop "$PGT_TMP/publisher"
echo "shared_preload_libraries = 'pgtoaster'" >>"$PGT_TMP/publisher/postgresql.conf"
start "$PGT_TMP/publisher" 5001
switch_on 5001 "DATABASE app"
switch_on 5002 "DATABASE app"
# With a row filter, the initial copy runs a query.
sql 5001 app "CREATE PUBLICATION p FOR TABLE item WHERE (id > 0), pgtoaster.store_1_head, pgtoaster.store_1_chunk, pgtoaster.store_1_piece,
  pgtoaster.store_1_token, pgtoaster.store_2_head, pgtoaster.store_2_node"
sql 5002 app "CREATE SUBSCRIPTION s CONNECTION 'host=$sockets port=5001 dbname=app user=postgres' PUBLICATION p" >/dev/null
for _ in $(seq 600); do
  [ "$(sql 5002 app "SELECT count(*) FROM pg_subscription_rel WHERE srsubstate <> 'r'")" != 0 ] || break
  sleep 0.1
done
alike "the first copy" 5002 app
steps=0
for statement in "UPDATE item SET doc = jsonb_set(doc, '{list,40,text}', '\"changed\"') WHERE doc->'list'->40->>'n' = '41'" \
  "UPDATE item SET doc = doc || jsonb_build_object('more', doc->'list') WHERE id = 1" \
  "INSERT INTO item (id, doc) SELECT id + 10, doc FROM item" \
  "UPDATE item SET doc = '{\"plain\": [1]}' WHERE id = 2" \
  "SELECT toaster.json_shrink('item', 'doc', 11)" \
  "DELETE FROM item WHERE id = 1"; do
  sql 5001 app "$statement" >/dev/null
  target=$(sql 5001 app "SELECT pg_current_wal_lsn()")
  for _ in $(seq 600); do
    [ "$(sql 5001 app "SELECT count(*) FROM pg_replication_slots WHERE confirmed_flush_lsn >= '$target'")" = 0 ] || break
    sleep 0.1
  done
  alike "$statement" 5002 app
  steps=$((steps + 1))
done
sql 5002 app "DROP SUBSCRIPTION s"
echo "$dumps dumps, $steps steps"
