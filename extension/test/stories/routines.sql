-- The operations of the store's routines, on a server without the extension, called as the library's statements and the
-- functions for SQL call them.
DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pgtoaster'), 'the extension is there'; END $$;

-- Keys that look like the reserved key are stored with one more $ in a split document.
CREATE FUNCTION story.stored(path text[]) RETURNS text[] LANGUAGE sql
AS $$ SELECT coalesce(array_agg(pgtoaster.stored_key(s) ORDER BY o), '{}') FROM unnest(path) WITH ORDINALITY p(s, o) $$;
CREATE FUNCTION story.read(key bigint, path text[], what text) RETURNS text LANGUAGE sql
AS $$ SELECT pgtoaster.store_1_read(id, doc, story.stored(path), what) FROM story.film WHERE id = key AND doc ? '$pgtoaster' $$;

-- Moves values larger than half a leaf out of line, as writing the whole document does.
CREATE FUNCTION story.split(key bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
BEGIN
  INSERT INTO pgtoaster.store_1_head (owner_1) VALUES (key) RETURNING id INTO number;
  UPDATE story.film SET doc = jsonb_build_object('$pgtoaster', jsonb_build_array(number)) || coalesce(
    (SELECT jsonb_object_agg(m.key, pgtoaster.store_1_pack(number, m.value))
     FROM jsonb_each(regexp_replace(doc::text, '([{ ])"(\$+pgtoaster": )', '\1"$\2', 'g')::jsonb) m), '{}')
  WHERE id = split.key;
END $$;

CREATE FUNCTION story.get(key bigint, path text[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  -- Read with the routine first: it rejects a copied stub, because the value of a document does not name its row.
  text text := story.read(key, path, 'text');
  found jsonb := (SELECT pgtoaster.get(f.doc, path) FROM story.film f WHERE f.id = key);
BEGIN
  -- The routine returns a value in one row as text, with a tab before a string; the library joins values in several rows.
  IF text <> '' AND left(text, 1) <> E'\n'
     AND (CASE WHEN left(text, 1) = E'\t' THEN to_jsonb(substr(text, 2)) ELSE text::jsonb END) IS DISTINCT FROM found THEN
    RAISE EXCEPTION 'the routine reads %', text;
  END IF;
  RETURN found;
END $$;
CREATE FUNCTION story.type(key bigint, path text[]) RETURNS text LANGUAGE sql
AS $$ SELECT CASE WHEN doc ? '$pgtoaster' THEN story.read(key, path, 'type') ELSE jsonb_typeof(doc #> path) END FROM story.film WHERE id = key $$;
CREATE FUNCTION story.size(key bigint, path text[]) RETURNS bigint LANGUAGE sql
AS $$ SELECT CASE WHEN doc ? '$pgtoaster' THEN nullif(split_part(story.read(key, path, 'size'), ' ', 2), '')::bigint
                  WHEN jsonb_typeof(doc #> path) = 'array' THEN jsonb_array_length(doc #> path)
                  WHEN jsonb_typeof(doc #> path) = 'object' THEN (SELECT count(*) FROM jsonb_object_keys(doc #> path)) END
      FROM story.film WHERE id = key $$;
CREATE FUNCTION story.whole(key bigint) RETURNS jsonb LANGUAGE sql AS $$ SELECT story.get(key, '{}') $$;
CREATE FUNCTION story.set(key bigint, path text[], value jsonb, create_missing boolean DEFAULT true) RETURNS void LANGUAGE sql
AS $$ UPDATE story.film SET doc = pgtoaster.set(doc, path, value, create_missing) WHERE id = key $$;
CREATE FUNCTION story.insert(key bigint, path text[], value jsonb, insert_after boolean DEFAULT false) RETURNS void LANGUAGE sql
AS $$ UPDATE story.film SET doc = pgtoaster.insert(doc, path, value, insert_after) WHERE id = key $$;
CREATE FUNCTION story.append(key bigint, path text[], elements jsonb) RETURNS void LANGUAGE sql
AS $$ UPDATE story.film SET doc = pgtoaster.append(doc, path, elements) WHERE id = key $$;
CREATE FUNCTION story.remove(key bigint, path text[]) RETURNS void LANGUAGE sql
AS $$ UPDATE story.film SET doc = pgtoaster.remove(doc, path) WHERE id = key $$;
CREATE FUNCTION story.increment(key bigint, path text[], delta numeric) RETURNS void LANGUAGE sql
AS $$ UPDATE story.film SET doc = pgtoaster.increment(doc, path, delta) WHERE id = key $$;
