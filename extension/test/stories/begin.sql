-- Creates a table of documents with low limits for splitting, which also has each document as plain jsonb, and the functions
-- of the schema "story", which call the operations of the executor under test.
\set ECHO none
\set SHOW_CONTEXT never
SET client_min_messages = warning;
\i ../install.sql
\set ECHO none
\set executor `echo "$EXECUTOR"`
DROP SCHEMA IF EXISTS story CASCADE;
CREATE SCHEMA story;
SET search_path = story, public;
CREATE TABLE film (id bigint PRIMARY KEY, doc jsonb, plain jsonb);
SELECT pgtoaster.attach('film', 'doc', 'keyed', '{"row_budget": 512, "leaf_size": 2048, "fan_out": 4}') AS store \gset
SELECT pgtoaster.store_table(:store, 'head') AS head, pgtoaster.store_table(:store, 'node') AS node \gset
\i :executor.sql

-- True for documents that are the same as the plain ones, which PostgreSQL's own functions have edited.
CREATE FUNCTION story.state() RETURNS TABLE (id bigint, same boolean) LANGUAGE sql
AS $$ SELECT f.id, story.whole(f.id)::text IS NOT DISTINCT FROM f.plain::text FROM story.film f ORDER BY f.id $$;

-- Edits one document.
CREATE FUNCTION story.edit_one(key bigint, op text, path text[], value jsonb, flag boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CASE op
    WHEN 'set' THEN PERFORM story.set(key, path, value, coalesce(flag, true));
    WHEN 'insert' THEN PERFORM story.insert(key, path, value, coalesce(flag, false));
    WHEN 'append' THEN PERFORM story.append(key, path, value);
    WHEN 'remove' THEN PERFORM story.remove(key, path);
    WHEN 'increment' THEN PERFORM story.increment(key, path, value::numeric);
  END CASE;
END $$;

-- Does the same with PostgreSQL's functions.
CREATE FUNCTION story.edit_plain(plain jsonb, op text, path text[], value jsonb, flag boolean) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE op
    WHEN 'set' THEN jsonb_set(plain, path, value, coalesce(flag, true))
    WHEN 'insert' THEN jsonb_insert(plain, path, value, coalesce(flag, false))
    WHEN 'append' THEN CASE WHEN plain #> path IS NULL THEN plain WHEN path = '{}' THEN plain || value ELSE jsonb_set(plain, path, (plain #> path) || value, false) END
    WHEN 'remove' THEN plain #- path
    WHEN 'increment' THEN CASE WHEN plain #> path IS NULL AND jsonb_typeof(plain #> path[:cardinality(path) - 1]) <> 'object' THEN plain
                               ELSE jsonb_set(plain, path, to_jsonb(coalesce((plain #>> path)::numeric, 0) + value::numeric)) END
  END $$;

-- Edits the document of each row, and the plain ones.
CREATE FUNCTION story.change(op text, path text[], value jsonb DEFAULT NULL, flag boolean DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM story.edit_one(f.id, op, path, value, flag) FROM story.film f;
  UPDATE story.film f SET plain = story.edit_plain(f.plain, op, path, value, flag);
END $$;

-- Does the same, and returns the new value at the path and whether all documents are the same as the plain ones.
CREATE FUNCTION story.edit(op text, path text[], value jsonb DEFAULT NULL, flag boolean DEFAULT NULL, OUT now jsonb, OUT same boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM story.change(op, path, value, flag);
  now := (SELECT story.get(f.id, path) FROM story.film f ORDER BY f.id LIMIT 1);
  same := (SELECT bool_and(s.same) FROM story.state() s);
END $$;

-- Returns the SQLSTATE of a rejected edit for each document, and PostgreSQL's SQLSTATE for the plain one.
CREATE FUNCTION story.refused(op text, path text[], value jsonb DEFAULT NULL, flag boolean DEFAULT NULL)
RETURNS TABLE (id bigint, state text, postgresql text, same boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  FOR id IN SELECT f.id FROM story.film f ORDER BY f.id LOOP
    state := '-';
    postgresql := '-';
    BEGIN
      PERFORM story.edit_one(id, op, path, value, flag);
    EXCEPTION WHEN OTHERS THEN
      state := SQLSTATE;
    END;
    BEGIN
      PERFORM story.edit_plain(f.plain, op, path, value, flag) FROM story.film f WHERE f.id = id;
    EXCEPTION WHEN OTHERS THEN
      postgresql := SQLSTATE;
    END;
    same := (SELECT s.same FROM story.state() s WHERE s.id = id);
    RETURN NEXT;
  END LOOP;
END $$;
RESET client_min_messages;
\set ECHO all
