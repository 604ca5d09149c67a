#!/usr/bin/env bash
# A physical standby has the same content after each step, reads it with the same functions, and rejects writes.
# The standby compares its pages with those of the primary during replay.
. "$(dirname "$0")/lib.bash"
make_cluster "$PGT_TMP/primary" "wal_level = replica" "wal_consistency_checking = 'all'" "fsync = off"
start "$PGT_TMP/primary" 5001
sql 5001 postgres "CREATE EXTENSION pgtoaster"
install 5001 postgres
sql 5001 postgres "$tables" >/dev/null
stop "$PGT_TMP/primary"
cp -r "$PGT_TMP/primary" "$PGT_TMP/standby"
touch "$PGT_TMP/standby/standby.signal"
echo "primary_conninfo = 'host=$sockets port=5001 user=postgres'" >>"$PGT_TMP/standby/postgresql.conf"
start "$PGT_TMP/primary" 5001
start "$PGT_TMP/standby" 5002

steps=0
# step STATEMENT: runs the statement, waits for the standby, and compares the contents.
step() {
  sql 5001 postgres "$1" >/dev/null
  local target
  target=$(sql 5001 postgres "SELECT pg_current_wal_insert_lsn()")
  for _ in $(seq 600); do
    [ "$(sql 5002 postgres "SELECT pg_last_wal_replay_lsn() >= '$target'")" != t ] || break
    sleep 0.1
  done
  same "after $1" "$(sql 5001 postgres "$contents")" "$(sql 5002 postgres "$contents")"
  steps=$((steps + 1))
}

step "SELECT toaster.blob_append('item', 'content', 1, 'first')"
step "SELECT count(toaster.blob_append('item', 'content', 1, decode(repeat('ab', 500), 'hex'))) FROM generate_series(1, 60)"
step "SELECT toaster.blob_append('item', 'content', 2, decode(repeat('cd', 300000), 'hex'))"
step "SELECT toaster.blob_write('item', 'content', 2, 8000, 'overwritten')"
step "SELECT toaster.blob_truncate('item', 'content', 2, 8105)"
step "SELECT toaster.blob_append('item', 'content', 1, 'token', NULL, 'a0000000-0000-4000-8000-000000000001', 1)"
step "SELECT toaster.blob_copy('item', 'content', 1, 3)"
step "SELECT toaster.blob_compact('item', 'content', 1)"
step "SELECT toaster.blob_delete('item', 'content', 3)"
step "SELECT toaster.json_set('item', 'doc', 1, '{name}', to_jsonb(repeat('x', 5000)))"
step "SELECT count(toaster.json_append('item', 'doc', 1, '{list}', jsonb_build_array(i))) FROM generate_series(1, 900) i"
step "SELECT toaster.json_set('item', 'doc', 1, '{list,450}', '\"changed\"')"
step "SELECT count(toaster.json_insert('item', 'doc', 1, '{list,0}', to_jsonb(i))) FROM generate_series(1, 100) i"
step "SELECT count(toaster.json_remove('item', 'doc', 1, '{list,0}')) FROM generate_series(1, 500) i"
step "SELECT toaster.json_increment('item', 'doc', 1, '{visits}', 1.50)"
step "SELECT toaster.json_remove('item', 'doc', 1, '{name}')"
step "SELECT toaster.json_shrink('item', 'doc', 1)"
step "UPDATE item SET doc = NULL WHERE id = 1"
step "DELETE FROM item WHERE id = 2"

for call in "blob_append('item', 'content', 1, 'x')" "json_set('item', 'doc', 3, '{name}', '1')" \
  "blob_truncate('item', 'content', 1, 0)" "json_shrink('item', 'doc', 3)"; do
  message=$(sql 5002 postgres "SELECT toaster.$call" 2>&1 || true)
  case $message in
    *"read-only transaction"* | *"during recovery"*) ;;
    *) same "$call on the standby" "cannot execute .. in a read-only transaction" "$message" ;;
  esac
done
same "complaints of replay" "" "$(grep -E "PANIC|inconsistent page" "$PGT_TMP/standby/server.log" || true)"
echo "$steps steps"
