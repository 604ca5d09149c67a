#!/usr/bin/env bash
# Runs the SQL of docs/extension.md and compares the results: "statement; --> result".
set -euo pipefail
page=$(dirname "$0")/extension.md
export PGDATABASE=app
psql -Xqd postgres -c 'CREATE DATABASE app'
psql -Xq1 -v ON_ERROR_STOP=1 -f "$PGT_SQL" >/dev/null
psql -Xqc 'CREATE EXTENSION pgtoaster'
samples=0
wrong=0
inside=0
while IFS= read -r line; do
  case $line in
    '```sql') inside=1 ;;
    '```') inside=0 ;;
    *';'*) [ $inside -eq 1 ] || continue
      statement=${line%%-->*}
      got=$(psql -XqAt -v ON_ERROR_STOP=1 -c "$statement") || got="failed"
      samples=$((samples + 1))
      [ "$statement" != "$line" ] || continue
      wanted=${line#*-->}
      wanted=${wanted# }
      if [ "$got" != "$wanted" ]; then
        echo "$statement"
        echo "  the page says: $wanted"
        echo "  the server:    $got"
        wrong=$((wrong + 1))
      fi ;;
  esac
done <"$page"
echo "$samples samples, $wrong wrong"
[ "$samples" -gt 25 ] && [ "$wrong" -eq 0 ]
