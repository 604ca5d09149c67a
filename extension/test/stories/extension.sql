-- The operations of the extension.
CREATE EXTENSION IF NOT EXISTS pgtoaster;

CREATE FUNCTION story.split(key bigint) RETURNS void LANGUAGE sql AS $$ SELECT toaster.json_shrink('story.film', 'doc', key) $$;
CREATE FUNCTION story.get(key bigint, path text[]) RETURNS jsonb LANGUAGE sql
AS $$ SELECT toaster.json_get('story.film', 'doc', key, path) $$;
CREATE FUNCTION story.type(key bigint, path text[]) RETURNS text LANGUAGE sql
AS $$ SELECT toaster.json_type('story.film', 'doc', key, path) $$;
CREATE FUNCTION story.size(key bigint, path text[]) RETURNS bigint LANGUAGE sql
AS $$ SELECT toaster.json_size('story.film', 'doc', key, path) $$;
CREATE FUNCTION story.whole(key bigint) RETURNS jsonb LANGUAGE sql AS $$ SELECT toaster.json_expand('story.film', 'doc', key) $$;
CREATE FUNCTION story.set(key bigint, path text[], value jsonb, create_missing boolean DEFAULT true) RETURNS void LANGUAGE sql
AS $$ SELECT toaster.json_set('story.film', 'doc', key, path, value, create_missing) $$;
CREATE FUNCTION story.insert(key bigint, path text[], value jsonb, insert_after boolean DEFAULT false) RETURNS void LANGUAGE sql
AS $$ SELECT toaster.json_insert('story.film', 'doc', key, path, value, insert_after) $$;
CREATE FUNCTION story.append(key bigint, path text[], elements jsonb) RETURNS void LANGUAGE sql
AS $$ SELECT toaster.json_append('story.film', 'doc', key, path, elements) $$;
CREATE FUNCTION story.remove(key bigint, path text[]) RETURNS void LANGUAGE sql
AS $$ SELECT toaster.json_remove('story.film', 'doc', key, path) $$;
CREATE FUNCTION story.increment(key bigint, path text[], delta numeric) RETURNS void LANGUAGE sql
AS $$ SELECT toaster.json_increment('story.film', 'doc', key, path, delta) $$;
