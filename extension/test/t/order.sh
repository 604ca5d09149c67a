#!/usr/bin/env bash
# Installs, dumps and drops in different orders: no content is lost, and dropping the extension leaves the catalog
# unchanged.
. "$(dirname "$0")/lib.bash"
make_cluster "$PGT_TMP/c" "fsync = off"
start "$PGT_TMP/c" 5001

fill="SELECT count(toaster.blob_append('item', 'content', 1, decode(repeat('ab', 700), 'hex'))) FROM generate_series(1, 40);
  SELECT toaster.json_set('item', 'doc', 2, '{name}', to_jsonb(repeat('x', 3000)));
  SELECT count(toaster.json_append('item', 'doc', 2, '{list}', jsonb_build_array(i))) FROM generate_series(1, 400) i"

sql 5001 postgres "CREATE DATABASE extension_first"
sql 5001 extension_first "CREATE EXTENSION pgtoaster"
install 5001 extension_first
sql 5001 extension_first "$tables" >/dev/null
sql 5001 extension_first "$fill" >/dev/null
before=$(sql 5001 extension_first "$contents")
same "plain SQL reads what the extension wrote" "$before" "$(sql 5001 extension_first "$contents_by_sql")"

sql 5001 postgres "CREATE DATABASE catalog_first"
install 5001 catalog_first
sql 5001 catalog_first "$tables" >/dev/null
sql 5001 catalog_first "CREATE EXTENSION pgtoaster"
sql 5001 catalog_first "$fill" >/dev/null
same "the order of extension and install" "$before" "$(sql 5001 catalog_first "$contents")"

relations="SELECT count(*) FROM pg_class WHERE relnamespace = 'pgtoaster'::regnamespace"
count=$(sql 5001 catalog_first "$relations")
sql 5001 catalog_first "DROP EXTENSION pgtoaster CASCADE"
same "relations of the catalog without the extension" "$count" "$(sql 5001 catalog_first "$relations")"
same "contents without the extension" "$before" "$(sql 5001 catalog_first "$contents_by_sql")"
same "its schema is gone" "" "$(sql 5001 catalog_first "SELECT nspname FROM pg_namespace WHERE nspname = 'toaster'")"
install 5001 catalog_first
sql 5001 catalog_first "CREATE EXTENSION pgtoaster"
same "contents with the extension again" "$before" "$(sql 5001 catalog_first "$contents")"

# Installs again while the extension uses the catalog.
install 5001 catalog_first
same "contents after installing again" "$before" "$(sql 5001 catalog_first "$contents")"

# The extension rejects a catalog with another version.
sql 5001 catalog_first "UPDATE pgtoaster.version SET version = version + 1"
message=$(sql 5001 catalog_first "SELECT toaster.blob_length('item', 'content', 1)" 2>&1 || true)
case $message in
  *"catalog has version"*"extension works with version"*) ;;
  *) same "an error that names both versions" "" "$message" ;;
esac

if pg_dump --version | grep -q " $(sql 5001 postgres "SELECT current_setting('server_version_num')::int / 10000")\."; then
  pg_dump -h "$sockets" -p 5001 -U postgres -Fc -f "$PGT_TMP/dump" extension_first
  sql 5001 postgres "CREATE DATABASE restored"
  pg_restore -h "$sockets" -p 5001 -U postgres -d restored --exit-on-error "$PGT_TMP/dump"
  same "contents after dump and restore" "$before" "$(sql 5001 restored "$contents")"
  sql 5001 restored "SELECT toaster.blob_append('item', 'content', 1, 'x')" >/dev/null
  echo "dumped and restored"
fi
