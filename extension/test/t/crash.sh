#!/usr/bin/env bash
# Crashes the server while sessions append and set: no acknowledged change is lost, at most one more is applied, and
# nothing is damaged. PGT_CYCLES is the number of crashes (default 3).
. "$(dirname "$0")/lib.bash"
make_cluster "$PGT_TMP/c" "checkpoint_timeout = 30s" "autovacuum_naptime = 1s"
start "$PGT_TMP/c" 5001
sql 5001 postgres "CREATE EXTENSION pgtoaster"
install 5001 postgres
sql 5001 postgres "$tables" >/dev/null

# appender ID LAST: appends the lines LAST + 1, LAST + 2 and so on to row ID, and prints each number after its commit.
appender() {
  local n=$2
  while :; do
    n=$((n + 1))
    printf "SELECT toaster.blob_append('item', 'content', %d, format(E'%%s%%s\\\\n', repeat('.', %d), %d)::bytea) IS NOT NULL;\n" \
      "$1" $((n * 37 % 600)) "$n"
    printf "SELECT toaster.json_set('item', 'doc', %d, '{visits}', '%d');\n" "$1" "$n"
    printf "SELECT toaster.json_append('item', 'doc', %d, '{list}', '[%d]');\n" "$1" "$n"
    # If SIGPIPE is ignored, only this ends the loop after psql has ended.
    printf '\\echo %d\n' "$n" || break
  done 2>/dev/null | psql -XqAt -v ON_ERROR_STOP=1 -h "$sockets" -p 5001 -U postgres -d postgres 2>/dev/null |
    grep -v '^t$' >"$PGT_TMP/done.$1" || true
}

for _ in $(seq "${PGT_CYCLES:-3}"); do
  pids=()
  for id in 1 2 3; do
    last=$(sql 5001 postgres "SELECT doc->'visits' FROM item WHERE id = $id")
    first[id]=$last
    appender "$id" "$last" &
    pids+=($!)
  done
  sleep "$((RANDOM % 2)).$((RANDOM % 9 + 1))"
  stop "$PGT_TMP/c" immediate
  wait "${pids[@]}" || true
  start "$PGT_TMP/c" 5001
  for id in 1 2 3; do
    acknowledged=$(tail -n 1 "$PGT_TMP/done.$id" 2>/dev/null || true)
    acknowledged=${acknowledged:-${first[id]}}
    sql 5001 postgres "DO \$\$
      DECLARE
        id bigint := $id;
        least bigint := $acknowledged;
        lines text[] := coalesce(string_to_array(rtrim(translate(convert_from(
          toaster.blob_read('item', 'content', id, 0, 100000000), 'UTF8'), '.', ''), E'\n'), E'\n'), '{}');
        list bigint[] := ARRAY(SELECT e::bigint FROM jsonb_array_elements_text(toaster.json_get('item', 'doc', id, '{list}')) e);
        visits bigint := toaster.json_get('item', 'doc', id, '{visits}')::text::bigint;
      BEGIN
        IF cardinality(lines) < least OR visits < least OR cardinality(list) < least THEN
          RAISE EXCEPTION 'lost: % lines, visits %, % elements, and % were acknowledged', cardinality(lines), visits, cardinality(list), least;
        END IF;
        IF cardinality(lines) > least + 1 OR visits > least + 1 OR cardinality(list) > least + 1 THEN
          RAISE EXCEPTION 'too many: % lines, visits %, % elements, and % were acknowledged', cardinality(lines), visits, cardinality(list), least;
        END IF;
        IF lines <> (SELECT array_agg(n::text) FROM generate_series(1, cardinality(lines)) n)
           OR list <> (SELECT array_agg(n::bigint) FROM generate_series(1, cardinality(list)) n) THEN
          RAISE EXCEPTION 'lines or elements are not in order';
        END IF;
        -- The next cycle needs the same number in all three.
        FOR n IN visits + 1 .. greatest(cardinality(lines), 0) LOOP
          PERFORM toaster.json_set('item', 'doc', id, '{visits}', to_jsonb(n));
        END LOOP;
        FOR n IN cardinality(list) + 1 .. cardinality(lines) LOOP
          PERFORM toaster.json_append('item', 'doc', id, '{list}', jsonb_build_array(n));
        END LOOP;
      END \$\$"
  done
done
sql 5001 postgres "DO \$\$
  DECLARE r record;
  BEGIN
    IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'amcheck') THEN
      CREATE EXTENSION amcheck;
      FOR r IN SELECT c.oid, c.relkind FROM pg_class c WHERE c.relnamespace = 'pgtoaster'::regnamespace AND c.relkind IN ('r', 'i') LOOP
        IF r.relkind = 'i' THEN
          PERFORM bt_index_check(r.oid, true);
        ELSIF EXISTS (SELECT FROM verify_heapam(r.oid)) THEN
          RAISE EXCEPTION 'table % is damaged', r.oid::regclass;
        END IF;
      END LOOP;
    END IF;
  END \$\$"
echo "${PGT_CYCLES:-3} crashes, $(sql 5001 postgres "SELECT sum((doc->'visits')::int) FROM item") rounds"
