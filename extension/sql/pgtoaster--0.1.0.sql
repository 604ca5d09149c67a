-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION pgtoaster" to load this file. \quit

CREATE SCHEMA toaster;
GRANT USAGE ON SCHEMA toaster TO PUBLIC;

-- The version of the catalog that the loaded module works with.
CREATE FUNCTION toaster.catalog_version() RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME', 'pgt_catalog_version' LANGUAGE C STABLE STRICT PARALLEL SAFE;

-- The result type of a toaster's handler.
CREATE TYPE toaster.handler;
CREATE FUNCTION toaster.handler_in(cstring) RETURNS toaster.handler
AS 'MODULE_PATHNAME', 'pgt_handler_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION toaster.handler_out(toaster.handler) RETURNS cstring
AS 'MODULE_PATHNAME', 'pgt_handler_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE TYPE toaster.handler (INPUT = toaster.handler_in, OUTPUT = toaster.handler_out, LIKE = pg_catalog.int8);

CREATE FUNCTION toaster.appendable(internal) RETURNS toaster.handler
AS 'MODULE_PATHNAME', 'pgt_appendable_handler' LANGUAGE C;
CREATE FUNCTION toaster.keyed(internal) RETURNS toaster.handler AS 'MODULE_PATHNAME', 'pgt_keyed_handler' LANGUAGE C;

-- Used by pgtoaster.create_toaster, set_toaster and validate.
CREATE FUNCTION toaster.check_handler(handler pg_catalog.regprocedure) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_check_handler' LANGUAGE C STRICT;
CREATE FUNCTION toaster.attach_callback(
  handler pg_catalog.regprocedure, tbl pg_catalog.regclass, col pg_catalog.name, store pg_catalog.int4
) RETURNS pg_catalog.void
AS 'MODULE_PATHNAME', 'pgt_attach_callback' LANGUAGE C STRICT;
CREATE FUNCTION toaster.detach_callback(
  handler pg_catalog.regprocedure, tbl pg_catalog.regclass, col pg_catalog.name, store pg_catalog.int4
) RETURNS pg_catalog.void
AS 'MODULE_PATHNAME', 'pgt_detach_callback' LANGUAGE C STRICT;

-- Appends; the first append to a NULL column creates its content.
CREATE FUNCTION toaster.blob_append(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", data pg_catalog.bytea,
  expected_offset pg_catalog.int8 DEFAULT NULL, writer pg_catalog.uuid DEFAULT NULL,
  sequence pg_catalog.int8 DEFAULT NULL, OUT "offset" pg_catalog.int8, OUT length pg_catalog.int8,
  OUT outcome pg_catalog.text
)
AS 'MODULE_PATHNAME', 'pgt_blob_append' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_blob_append(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", data pg_catalog.bytea,
  expected_offset pg_catalog.int8 DEFAULT NULL, writer pg_catalog.uuid DEFAULT NULL,
  sequence pg_catalog.int8 DEFAULT NULL
) RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_try_blob_append' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Reads up to length bytes from an offset, which counts from 0; fewer only at the end. NULL if the column is NULL.
CREATE FUNCTION toaster.blob_read(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", "offset" pg_catalog.int8, length pg_catalog.int4
) RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'pgt_blob_read' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_blob_read(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", "offset" pg_catalog.int8, length pg_catalog.int4
) RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'pgt_try_blob_read' LANGUAGE C STABLE PARALLEL SAFE;

-- Overwrites bytes, and appends those that reach beyond the end.
CREATE FUNCTION toaster.blob_write(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", "offset" pg_catalog.int8, data pg_catalog.bytea
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_blob_write' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_blob_write(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", "offset" pg_catalog.int8, data pg_catalog.bytea
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_blob_write' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Truncates the content.
CREATE FUNCTION toaster.blob_truncate(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", length pg_catalog.int8
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_blob_truncate' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_blob_truncate(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", length pg_catalog.int8
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_blob_truncate' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Returns the length in bytes; NULL if the column is NULL.
CREATE FUNCTION toaster.blob_length(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_blob_length' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_blob_length(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_try_blob_length' LANGUAGE C STABLE PARALLEL SAFE;

-- Compacts the stored content; returns the number of rows rewritten.
CREATE FUNCTION toaster.blob_compact(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_blob_compact' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_blob_compact(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_try_blob_compact' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Copies content to another row whose column is NULL.
CREATE FUNCTION toaster.blob_copy(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", target_key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_blob_copy' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_blob_copy(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", target_key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_blob_copy' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Sets the column to NULL; its content is deleted at commit. Returns false if it was NULL.
CREATE FUNCTION toaster.blob_delete(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_blob_delete' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_blob_delete(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_blob_delete' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Returns the value at a path; NULL if the path finds nothing.
CREATE FUNCTION toaster.json_get(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_json_get' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_json_get(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_try_json_get' LANGUAGE C STABLE PARALLEL SAFE;

-- Whether there is a value at a path.
CREATE FUNCTION toaster.json_exists(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_json_exists' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_json_exists(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_json_exists' LANGUAGE C STABLE PARALLEL SAFE;

-- Returns the type of the value at a path, like jsonb_typeof.
CREATE FUNCTION toaster.json_type(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_json_type' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_json_type(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_try_json_type' LANGUAGE C STABLE PARALLEL SAFE;

-- Returns the number of its elements or members; try_json_size returns type and size.
CREATE FUNCTION toaster.json_size(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_json_size' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_json_size(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_try_json_size' LANGUAGE C STABLE PARALLEL SAFE;

-- Returns the elements of an array from one position up to, but not including, another. Positions count from 0.
CREATE FUNCTION toaster.json_slice(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], from_position pg_catalog.int8,
  to_position pg_catalog.int8
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_json_slice' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_json_slice(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], from_position pg_catalog.int8,
  to_position pg_catalog.int8
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_try_json_slice' LANGUAGE C STABLE PARALLEL SAFE;

-- Returns the whole document.
CREATE FUNCTION toaster.json_expand(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_json_expand' LANGUAGE C STABLE PARALLEL SAFE;
CREATE FUNCTION toaster.try_json_expand(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_try_json_expand' LANGUAGE C STABLE PARALLEL SAFE;

-- Like jsonb_set; returns false if nothing was changed.
CREATE FUNCTION toaster.json_set(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], value pg_catalog.jsonb,
  create_missing pg_catalog.bool DEFAULT true
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_json_set' LANGUAGE C VOLATILE PARALLEL UNSAFE;
-- With create_parents, a missing last step and missing parents are created.
CREATE FUNCTION toaster.try_json_set(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], value pg_catalog.jsonb,
  create_missing pg_catalog.bool DEFAULT true, create_parents pg_catalog.bool DEFAULT false
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_json_set' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Like jsonb_insert.
CREATE FUNCTION toaster.json_insert(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], value pg_catalog.jsonb,
  insert_after pg_catalog.bool DEFAULT false
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_json_insert' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_json_insert(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], value pg_catalog.jsonb,
  insert_after pg_catalog.bool DEFAULT false
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_json_insert' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Like the operator ||.
CREATE FUNCTION toaster.json_append(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], value pg_catalog.jsonb
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_json_append' LANGUAGE C VOLATILE PARALLEL UNSAFE;
-- With keep, value is an array, and elements are removed from the start, so that at most keep are left.
-- An object is not appended to an array: its members are set.
CREATE FUNCTION toaster.try_json_append(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], value pg_catalog.jsonb,
  keep pg_catalog.int4 DEFAULT NULL
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_json_append' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Like the operator #-.
CREATE FUNCTION toaster.json_remove(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_json_remove' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_json_remove(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[]
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_try_json_remove' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Adds to a number; returns the new number.
CREATE FUNCTION toaster.json_increment(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], delta pg_catalog.numeric
) RETURNS pg_catalog.numeric
AS 'MODULE_PATHNAME', 'pgt_json_increment' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_json_increment(
  tbl pg_catalog.regclass, col pg_catalog.name, key "any", path pg_catalog.text[], delta pg_catalog.numeric
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_try_json_increment' LANGUAGE C VOLATILE PARALLEL UNSAFE;

-- Compacts the stored content; returns the number of rows rewritten.
CREATE FUNCTION toaster.json_shrink(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_json_shrink' LANGUAGE C VOLATILE PARALLEL UNSAFE;
CREATE FUNCTION toaster.try_json_shrink(tbl pg_catalog.regclass, col pg_catalog.name, key "any") RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'pgt_try_json_shrink' LANGUAGE C VOLATILE PARALLEL UNSAFE;


-- The origin of a document, in calls that the planner creates for SET pgtoaster.transparent = on. It has no input: a role
-- that runs such a call may read the column it refers to.
CREATE TYPE toaster.origin;
CREATE FUNCTION toaster.origin_in(cstring) RETURNS toaster.origin
AS 'MODULE_PATHNAME', 'pgt_origin_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION toaster.origin_out(toaster.origin) RETURNS cstring
AS 'MODULE_PATHNAME', 'pgt_origin_out' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE TYPE toaster.origin (INPUT = toaster.origin_in, OUTPUT = toaster.origin_out, LIKE = pg_catalog.int8);

-- Gives the planner facts about the functions below: whether they return NULL, and which part of the rows they keep.
CREATE FUNCTION toaster.document_support(internal) RETURNS internal
AS 'MODULE_PATHNAME', 'pgt_document_support' LANGUAGE C STRICT;

-- Return the value at a path, and the whole document. steps has a character for each step: k for -> with text, i with an
-- integer, p for #>.
CREATE FUNCTION toaster.document_get(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_get' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_get_text(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  VARIADIC key "any"
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_document_get_text' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_whole(
  origin toaster.origin, document pg_catalog.jsonb, VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_whole' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION toaster.document_row(origin toaster.origin, stored anyelement) RETURNS anyelement
AS 'MODULE_PATHNAME', 'pgt_document_row' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 500;

-- Return the value at a path of the output of a view, a subquery or a join. The planner replaces the call with one of the
-- functions above if the value is a column, and otherwise with the operators that it stands for.
CREATE FUNCTION toaster.value_support(internal) RETURNS internal
AS 'MODULE_PATHNAME', 'pgt_value_support' LANGUAGE C STRICT;
CREATE FUNCTION toaster.value_get(value pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_value_get' LANGUAGE C STABLE STRICT PARALLEL SAFE SUPPORT toaster.value_support;
CREATE FUNCTION toaster.value_get_text(
  value pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_value_get_text' LANGUAGE C STABLE STRICT PARALLEL SAFE SUPPORT toaster.value_support;

-- The same for @>, @? and @@.
CREATE FUNCTION toaster.value_search_support(internal) RETURNS internal
AS 'MODULE_PATHNAME', 'pgt_value_search_support' LANGUAGE C STRICT;
CREATE FUNCTION toaster.value_contains(value pg_catalog.jsonb, probe pg_catalog.jsonb) RETURNS pg_catalog.bool
AS 'jsonb_contains' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT toaster.value_search_support;
CREATE FUNCTION toaster.value_path_exists(value pg_catalog.jsonb, jsonpath pg_catalog.jsonpath) RETURNS pg_catalog.bool
AS 'jsonb_path_exists_opr' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT toaster.value_search_support;
CREATE FUNCTION toaster.value_path_match(value pg_catalog.jsonb, jsonpath pg_catalog.jsonpath) RETURNS pg_catalog.bool
AS 'jsonb_path_match_opr' LANGUAGE internal STABLE STRICT PARALLEL SAFE SUPPORT toaster.value_search_support;

-- The same for length() and substring() of content from a view, a subquery or a join.
CREATE FUNCTION toaster.value_bytes_support(internal) RETURNS internal
AS 'MODULE_PATHNAME', 'pgt_value_bytes_support' LANGUAGE C STRICT;
CREATE FUNCTION toaster.value_length(content pg_catalog.bytea) RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME', 'pgt_value_length' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT toaster.value_bytes_support;
CREATE FUNCTION toaster.value_part(
  content pg_catalog.bytea, start pg_catalog.int4, count pg_catalog.int4
) RETURNS pg_catalog.bytea
AS 'MODULE_PATHNAME', 'pgt_value_part' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE SUPPORT toaster.value_bytes_support;

-- Functions of the value at a path, like jsonb_typeof, jsonb_array_length, ?, ?|, ?&, @>, @?, @@ and jsonb_array_elements.
CREATE FUNCTION toaster.document_typeof(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  VARIADIC key "any"
) RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_document_typeof' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_array_length(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  VARIADIC key "any"
) RETURNS pg_catalog.int4
AS 'MODULE_PATHNAME', 'pgt_document_array_length' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_exists(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  member pg_catalog.text, VARIADIC key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_document_exists' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_exists_any(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  keys pg_catalog.text[], VARIADIC key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_document_exists_any' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_exists_all(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  keys pg_catalog.text[], VARIADIC key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_document_exists_all' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 20 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_contains(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  probe pg_catalog.jsonb, VARIADIC key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_document_contains' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 SUPPORT toaster.document_support;
-- The operators @? and @@.
CREATE FUNCTION toaster.document_path_exists(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  jsonpath pg_catalog.jsonpath, VARIADIC key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_document_path_exists' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 SUPPORT toaster.document_support;
CREATE FUNCTION toaster.document_path_match(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  jsonpath pg_catalog.jsonpath, VARIADIC key "any"
) RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME', 'pgt_document_path_match' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 SUPPORT toaster.document_support;
-- The keys of rows for which an operator may be true at a path, for the index on the key.
CREATE FUNCTION toaster.document_candidates(
  origin toaster.origin, relation pg_catalog.regclass, path pg_catalog.text[], operator pg_catalog.text,
  probe "any", key_type anyelement
) RETURNS anyarray
AS 'MODULE_PATHNAME', 'pgt_document_candidates' LANGUAGE C STABLE PARALLEL SAFE COST 2000;
-- The keys of the rows that the user may see and whose documents contain a probe or, without a probe, may match text queries.
-- The indexes are of type tsvector, on the table and on its nodes.
CREATE FUNCTION toaster.search_visible(
  relation pg_catalog.regclass, column_name pg_catalog.name, contains pg_catalog.jsonb, words pg_catalog.tsquery[],
  row_index pg_catalog.regclass, node_index pg_catalog.regclass, key_type anyelement
) RETURNS anyarray
AS 'MODULE_PATHNAME', 'pgt_search_visible' LANGUAGE C STABLE PARALLEL UNSAFE COST 10000
SET pgtoaster.transparent = on SET client_min_messages = error SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION toaster.document_elements(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  VARIADIC key "any"
) RETURNS SETOF pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_elements' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 ROWS 100;
CREATE FUNCTION toaster.document_elements_text(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  VARIADIC key "any"
) RETURNS SETOF pg_catalog.text
AS 'MODULE_PATHNAME', 'pgt_document_elements_text' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100 ROWS 100;

-- Returns the document with only some members of its root, for a jsonpath that names no others.
CREATE FUNCTION toaster.document_members(
  origin toaster.origin, document pg_catalog.jsonb, members pg_catalog.text[], VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_members' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;

-- Edits of a document by an UPDATE: jsonb_set, jsonb_insert and #- become noted edits, strict like the originals; ||, -
-- and subscripts become noted edits, or the whole document.
CREATE FUNCTION toaster.document_set(
  document pg_catalog.jsonb, path pg_catalog.text[], value pg_catalog.jsonb, create_missing pg_catalog.bool
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_set' LANGUAGE C IMMUTABLE STRICT PARALLEL RESTRICTED COST 100;
CREATE FUNCTION toaster.document_insert(
  document pg_catalog.jsonb, path pg_catalog.text[], value pg_catalog.jsonb, insert_after pg_catalog.bool
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_insert' LANGUAGE C IMMUTABLE STRICT PARALLEL RESTRICTED COST 100;
CREATE FUNCTION toaster.document_remove(document pg_catalog.jsonb, path pg_catalog.text[]) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_remove' LANGUAGE C IMMUTABLE STRICT PARALLEL RESTRICTED COST 100;
CREATE FUNCTION toaster.edit_support(internal) RETURNS internal
AS 'MODULE_PATHNAME', 'pgt_edit_support' LANGUAGE C STRICT;
CREATE FUNCTION toaster.document_concat(
  origin toaster.origin, document pg_catalog.jsonb, value pg_catalog.jsonb, VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_concat' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 100 SUPPORT toaster.edit_support;
CREATE FUNCTION toaster.document_delete(
  origin toaster.origin, document pg_catalog.jsonb, member pg_catalog.text, VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_delete_key' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 100 SUPPORT toaster.edit_support;
CREATE FUNCTION toaster.document_delete(
  origin toaster.origin, document pg_catalog.jsonb, members pg_catalog.text[], VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_delete_keys' LANGUAGE C STABLE STRICT PARALLEL UNSAFE COST 100 SUPPORT toaster.edit_support;
CREATE FUNCTION toaster.document_assign(
  origin toaster.origin, document pg_catalog.jsonb, path pg_catalog.text[], steps pg_catalog.text,
  value pg_catalog.jsonb, VARIADIC key "any"
) RETURNS pg_catalog.jsonb
AS 'MODULE_PATHNAME', 'pgt_document_assign' LANGUAGE C STABLE PARALLEL UNSAFE COST 100;
