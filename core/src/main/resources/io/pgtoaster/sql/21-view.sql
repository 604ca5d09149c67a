-- Views that show the content of blobs by pgtoaster.bytes(column) AS column, beside columns of the table under their own
-- names: an INSTEAD OF trigger of pgtoaster.write_bytes('table') makes them writable. What an UPDATE adds behind the content is appended.

-- What the columns of such a view are: content, others, and the key of a row.
CREATE OR REPLACE FUNCTION pgtoaster.view_columns(view oid, tbl regclass, OUT blobs name[], OUT others name[], OUT keys name[])
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  strange name;
BEGIN
  IF tbl IS NULL THEN
    RAISE EXCEPTION 'the argument of the trigger names no table' USING ERRCODE = 'undefined_table',
      HINT = 'EXECUTE FUNCTION pgtoaster.write_bytes(''schema.table'').';
  END IF;
  SELECT coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE a.column_name IS NOT NULL AND v.atttypid = 'bytea'::regtype), '{}'),
         coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE (a.column_name IS NOT NULL AND v.atttypid = 'bytea'::regtype) IS NOT TRUE), '{}'),
         min(v.attname::text) FILTER (WHERE t.attname IS NULL)
    INTO blobs, others, strange
  FROM pg_attribute v
  LEFT JOIN pg_attribute t ON t.attrelid = tbl AND t.attname = v.attname AND t.attnum > 0 AND NOT t.attisdropped
  LEFT JOIN pgtoaster.attached_column a ON a.owner = tbl AND a.column_name = v.attname
  WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped;
  IF strange IS NOT NULL THEN
    RAISE EXCEPTION 'column "%" of the view is none of %', strange, tbl USING ERRCODE = 'undefined_column',
      HINT = 'A view that is written has columns of its table alone, under their own names.';
  ELSIF blobs = '{}' THEN
    RAISE EXCEPTION 'no column of the view is the content of one of %', tbl USING ERRCODE = 'undefined_column',
      HINT = 'CREATE VIEW .. AS SELECT .., pgtoaster.bytes(column) AS column FROM ..';
  END IF;
  SELECT array_agg(t.attname ORDER BY k.n) INTO keys
  FROM pgtoaster.store s JOIN pg_index i ON i.indrelid = s.owner CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, n)
  JOIN pg_attribute t ON t.attrelid = tbl AND t.attnum = k.attnum
  WHERE s.id = (SELECT a.store FROM pgtoaster.attached_column a WHERE a.owner = tbl AND a.column_name = blobs[1]) AND k.n <= i.indnkeyatts
    AND CASE WHEN s.key_index IS NULL THEN i.indisprimary ELSE (SELECT c.relname FROM pg_class c WHERE c.oid = i.indexrelid) = s.key_index END;
  IF NOT keys <@ others THEN
    RAISE EXCEPTION 'the view has not all columns of the key of %', tbl USING ERRCODE = 'undefined_column';
  END IF;
END $$;

-- How many bytes two values have in common from the beginning.
CREATE OR REPLACE FUNCTION pgtoaster.common_bytes(a bytea, b bytea) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  same integer := 0;
  other integer := least(length(a), length(b)) + 1;
  middle integer;
BEGIN
  -- The rest behind what is known to be the same is compared by halves.
  WHILE other - same > 1 LOOP
    middle := (same + other) / 2;
    IF substring(a FROM same + 1 FOR middle - same) = substring(b FROM same + 1 FOR middle - same) THEN
      same := middle;
    ELSE
      other := middle;
    END IF;
  END LOOP;
  RETURN same;
END $$;

-- The trigger. With the rights of whoever writes; what the statements name is qualified, for the path is his. Of content that has
-- changed since it was read nothing is written (40001).
CREATE OR REPLACE FUNCTION pgtoaster.write_bytes() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  tbl CONSTANT pg_catalog.regclass := pg_catalog.to_regclass(TG_ARGV[0]);
  c CONSTANT pg_catalog.record := pgtoaster.view_columns(TG_RELID, tbl);
  blob pg_catalog.name;
  row_key pg_catalog.text[];
  was pg_catalog.bytea;
  becomes pg_catalog.bytea;
  same pg_catalog.text;
  kept integer;
  differs boolean;
  written bigint;
BEGIN
  IF TG_OP OPERATOR(pg_catalog.<>) 'INSERT' THEN
    EXECUTE 'SELECT ARRAY[' OPERATOR(pg_catalog.||) (SELECT pg_catalog.string_agg(pg_catalog.format('CAST(($1).%I AS pg_catalog.text)', k), ', ')
                                                    FROM pg_catalog.unnest(c.keys) k) OPERATOR(pg_catalog.||) ']' INTO row_key USING OLD;
    SELECT b.same INTO same FROM pgtoaster.blob_call(tbl, c.blobs[1], row_key, 'blob_append') b;
  END IF;
  IF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
    EXECUTE pg_catalog.format('DELETE FROM %s o WHERE %s', tbl, same) USING OLD, row_key;
    GET DIAGNOSTICS written = ROW_COUNT;
    RETURN CASE WHEN written OPERATOR(pg_catalog.>) 0 THEN OLD END;
  ELSIF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
    EXECUTE pg_catalog.format('INSERT INTO %s (%s) SELECT %s', tbl,
                              (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(o), ', ') FROM pg_catalog.unnest(c.others) o),
                              (SELECT pg_catalog.string_agg(pg_catalog.format('($1).%I', o), ', ') FROM pg_catalog.unnest(c.others) o)) USING NEW;
  ELSE
    EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(%s), ROW(%s))',
                              (SELECT pg_catalog.string_agg(pg_catalog.format('($1).%I', o), ', ') FROM pg_catalog.unnest(c.others) o),
                              (SELECT pg_catalog.string_agg(pg_catalog.format('($2).%I', o), ', ') FROM pg_catalog.unnest(c.others) o))
      INTO differs USING OLD, NEW;
    IF differs THEN
      EXECUTE pg_catalog.format('UPDATE %s o SET (%s) = ROW(%s) WHERE %s', tbl,
                                (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(o), ', ') FROM pg_catalog.unnest(c.others) o),
                                (SELECT pg_catalog.string_agg(pg_catalog.format('($1).%I', o), ', ') FROM pg_catalog.unnest(c.others) o), same)
        USING NEW, row_key;
      GET DIAGNOSTICS written = ROW_COUNT;
      IF written OPERATOR(pg_catalog.=) 0 THEN
        RETURN NULL;
      END IF;
    END IF;
  END IF;
  EXECUTE 'SELECT ARRAY[' OPERATOR(pg_catalog.||) (SELECT pg_catalog.string_agg(pg_catalog.format('CAST(($1).%I AS pg_catalog.text)', k), ', ')
                                                  FROM pg_catalog.unnest(c.keys) k) OPERATOR(pg_catalog.||) ']' INTO row_key USING NEW;
  FOREACH blob IN ARRAY c.blobs LOOP
    EXECUTE pg_catalog.format('SELECT ($1).%I', blob) INTO becomes USING NEW;
    was := NULL;
    IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
      EXECUTE pg_catalog.format('SELECT ($1).%I', blob) INTO was USING OLD;
    END IF;
    CONTINUE WHEN was OPERATOR(pg_catalog.=) becomes OR was IS NULL AND becomes IS NULL;
    IF becomes IS NULL THEN
      SELECT b.same INTO same FROM pgtoaster.blob_call(tbl, blob, row_key, 'blob_append') b;
      EXECUTE pg_catalog.format('UPDATE %s o SET %I = NULL WHERE %s', tbl, blob, same) USING NEW, row_key;
      CONTINUE;
    END IF;
    kept := coalesce(pgtoaster.common_bytes(was, becomes), 0);
    -- An append of nothing tells whether the content still has the length that was read, and keeps it so.
    SELECT a.outcome OPERATOR(pg_catalog.=) 'conflict' INTO differs
    FROM pgtoaster.blob_append(tbl, blob, row_key, CASE WHEN kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN ''
                                                        ELSE pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1) END,
                               coalesce(pg_catalog.length(was), 0)::bigint) a;
    IF differs THEN
      RAISE EXCEPTION 'the content of column "%" of % has changed since it was read; nothing was changed', blob, tbl
        USING ERRCODE = 'serialization_failure', HINT = 'Run the transaction again.';
    ELSIF kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN
      PERFORM pgtoaster.blob_truncate(tbl, blob, row_key, kept::bigint);
      PERFORM pgtoaster.blob_append(tbl, blob, row_key, pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1));
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
