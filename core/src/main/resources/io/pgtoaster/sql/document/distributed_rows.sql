-- Templates of the routines of a distributed store of documents that change the owner's row. This cannot be one statement,
-- because Citus rejects the functions that it needs; so these routines run on the node of the row. The row is identified
-- by its table, the column, and a condition on a row o with the texts key, $2.

-- Makes one edit, as EditSql.java does in one statement: reads the row, calls the routine that edits it, and writes the
-- new value of the row. locks: locks the row first; otherwise the row is written only if no other session has changed it.
-- touches: always writes the row. outcome is NULL if the row does not exist.
CREATE OR REPLACE FUNCTION pgtoaster.template_change(
  key_names text, owner text, handle text, same text, key text[], path text[], stored_path text[], value jsonb,
  stored_value jsonb, op text, flag boolean, conditional boolean, expected jsonb, stored_expected jsonb, special boolean, budget integer,
  locks boolean, touches boolean, OUT outcome text, OUT number text, OUT written boolean, OUT in_row boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  document pg_catalog.jsonb;
  becomes pg_catalog.jsonb;
  version pg_catalog.text;
  size integer;
  others integer;
  split boolean;
  generation bigint;
  done record;
  rows bigint;
BEGIN
  -- Both use one snapshot, so that the generation matches the document in the row.
  EXECUTE pg_catalog.concat(
    'SELECT s.document, s.version, s.size, s.others',
    CASE WHEN NOT locks THEN pg_catalog.concat(
      ', (SELECT h.generation FROM ', store.head_text, ' h CROSS JOIN (SELECT key_columns) k WHERE h.id = ',
      $number$ store.number(s.document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]))$number$, ' AND ', store.owned_text, ')') END,
    ' FROM (SELECT o.', handle, ' #> CAST(''{}'' AS pg_catalog.text[]) AS document, CAST(o.xmin AS pg_catalog.text) AS version, '
    'pg_catalog.pg_column_size(o.*) AS size, '
    'pg_catalog.pg_column_size(o.*) - coalesce(pg_catalog.pg_column_size(o.', handle, '), 0) AS others FROM ', owner,
    ' AS o WHERE ', same, CASE WHEN locks THEN ' FOR NO KEY UPDATE' END, ' OFFSET 0) s')
    INTO document, version, size, others, generation USING NULL, key, key_names;
  GET DIAGNOSTICS rows = ROW_COUNT;
  IF rows = 0 THEN
    RETURN;
  END IF;
  split := document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL;
  SELECT e.* INTO done
  FROM store.edit(key_names, document, generation, CASE WHEN split THEN stored_path ELSE path END, op,
              CASE WHEN split THEN coalesce(stored_value, value) ELSE value END, flag, conditional,
              CASE WHEN split THEN coalesce(stored_expected, expected) ELSE expected END,
              CASE WHEN locks THEN budget - others END, special) e;
  outcome := done.outcome;
  number := done.number;
  in_row := done.result IS NOT NULL;
  written := true;
  becomes := CASE WHEN touches AND outcome = 'applied' THEN coalesce(done.result, document) ELSE done.result END;
  IF becomes IS NULL THEN
    RETURN;
  ELSIF NOT locks AND done.grows > 0 AND size + done.grows > budget THEN
    written := false;
    RETURN;
  END IF;
  PERFORM pg_catalog.set_config('pgtoaster.write', CAST(pg_catalog.statement_timestamp() AS pg_catalog.text), true);
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', handle, ' = $1 WHERE ', same,
                            CASE WHEN NOT locks THEN ' AND o.xmin = CAST($3 AS pg_catalog.xid)' END)
    USING becomes, key, version;
  GET DIAGNOSTICS rows = ROW_COUNT;
  written := rows = 1;
END $$;

-- Writes a document, as the library has built it, to the row.
CREATE OR REPLACE FUNCTION pgtoaster.template_hold(key_names text, owner text, handle text, same text, key text[], document jsonb)
RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  rows bigint;
BEGIN
  PERFORM pg_catalog.set_config('pgtoaster.write', CAST(pg_catalog.statement_timestamp() AS pg_catalog.text), true);
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', handle, ' = $1 WHERE ', same) USING document, key;
  GET DIAGNOSTICS rows = ROW_COUNT;
  RETURN rows = 1;
END $$;
