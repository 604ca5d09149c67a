-- The template of the routine that appends to several blobs of the appendable toaster.

-- Appends to each blob of a list, in the order of the list: locks the heads, writes into the tails that have room, or, if a
-- tail is full, a new piece after it, and calls the routine of append_template.sql for the other blobs. The elements of the
-- arrays correspond to each other, and are the arguments of that routine; keys: arrays of texts, as text; authors: as text. In a
-- store with a leading key, all rows have the same. n: the position in the list. A blob is left out if the call had
-- to wait for its head, because the row may have another blob by then. If a row has no blob yet, the routine appends to
-- all rows, one after the other: it locks the row, and the heads of later rows must not be locked before that.
CREATE OR REPLACE FUNCTION pgtoaster.template_batch(
  lead_value text, blobs bigint[], owner text, handle text, same text, keys text[], list bytea[], crcs integer[], expected bigint[],
  authors text[], numbers bigint[], OUT n bigint, OUT outcome text, OUT place bigint) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  creates CONSTANT boolean := pg_catalog.array_position(blobs, NULL) IS NOT NULL;
BEGIN
  RETURN QUERY
  WITH k AS MATERIALIZED (
    SELECT u.*, pg_catalog.octet_length(u.data) AS size
    -- The plan must not depend on the arrays, or each call would plan the statement again.
    FROM ROWS FROM (pg_catalog.unnest((SELECT blobs)), pg_catalog.unnest((SELECT keys)), pg_catalog.unnest((SELECT list)),
                    pg_catalog.unnest((SELECT crcs)), pg_catalog.unnest((SELECT expected)), pg_catalog.unnest((SELECT authors)),
                    pg_catalog.unnest((SELECT numbers)))
         WITH ORDINALITY u(blob, key, data, crc, at, author, number, n)),
  q AS MATERIALIZED (
    SELECT t.*, t.simple AND t.size <= t.room AS fits,
           t.simple AND t.size > t.room AND t.fill + t.size BETWEEN store.tail AND t.chunk_size / 4 - 1
           AND t.place - t.piece_start + t.size < t.chunk_size AND t.piece_rows < store.pieces AND NOT store.checksums AS adds
    FROM (
      SELECT k.*, l.*, w.waited,
             NOT l.sealed AND NOT store.notify AND k.author IS NULL AND k.size > 0 AND l.place = coalesce(k.at, l.place) AS simple
      FROM k
      LEFT JOIN LATERAL (
        SELECT h.id, h.sealed, h.base, h.piece_start, h.piece_rows, h.chunk_size, h.used, h.fill, h.base + h.fill AS place,
               h.room, CASE WHEN k.size > h.room THEN pg_catalog.substr(h.tail, 1, h.fill) || k.data END AS run
        FROM (
          SELECT h.*, pg_catalog.octet_length(h.tail) - h.used AS room, greatest(h.used - 1, 0) AS fill
          FROM (
            SELECT x.id, x.sealed, x.base, x.piece_start, x.piece_rows, x.chunk_size, x.tail,
                   pg_catalog.octet_length(pg_catalog.rtrim(x.tail, CAST(E'\\x00' AS pg_catalog.bytea))) AS used
            FROM store.head x WHERE store.lead AND x.id = k.blob AND NOT creates FOR NO KEY UPDATE SKIP LOCKED OFFSET 0) h) h) l
        ON true
      LEFT JOIN LATERAL (
        SELECT true AS waited FROM store.head x
        WHERE store.lead AND x.id = k.blob AND l.id IS NULL AND NOT creates FOR NO KEY UPDATE OFFSET 0) w ON true) t),
  u AS (
    UPDATE store.head AS x
    SET tail = CASE WHEN q.fits THEN overlay(x.tail PLACING q.data || CAST(E'\\x01' AS pg_catalog.bytea) FROM q.used)
                    ELSE store.empty_tail END,
        base = CASE WHEN q.fits THEN x.base ELSE x.base + pg_catalog.octet_length(q.run) END,
        piece_rows = CASE WHEN q.fits THEN x.piece_rows ELSE x.piece_rows + 1 END
    FROM q WHERE store.lead AND x.id = q.id AND (q.fits OR q.adds)
    RETURNING q.n, q.place, q.adds, q.id, q.piece_rows, q.base, q.run),
  p AS (
    INSERT INTO store.piece AS n (lead_column, blob_id, slot, start, data)
    SELECT lead_value, u.id, u.piece_rows, u.base, u.run FROM u WHERE u.adds
    ON CONFLICT (lead_column, blob_id, slot) DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data)
  SELECT u.n, 'applied', u.place FROM u
  UNION ALL
  SELECT q.n, r.outcome, r.place
  FROM q, store.append(lead_value, q.blob, owner, handle, same, CAST(q.key AS pg_catalog.text[]), q.data, q.crc, q.at,
                       CAST(q.author AS pg_catalog.uuid), q.number) r
  WHERE (q.fits OR q.adds) IS NOT TRUE AND q.waited IS NULL;
END $$;
