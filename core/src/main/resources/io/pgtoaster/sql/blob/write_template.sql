-- The templates of the routines that read ranges of a blob of the appendable toaster, and that make changes other than a
-- small append.
-- Chunks follow one another up to the head's piece_start, each with at most chunk_size bytes. The chunks of a range
-- begin less than chunk_size before it. The first chunk begins at 0, or at or before the first offset that is left.

-- Reads up to a number of bytes from an offset. blob: the handle in the row. A STABLE routine has the snapshot of the
-- statement that calls it, so head, chunks and pieces are consistent. outcome is
--   applied: bytes; null: the column is NULL; offset: the content ends before it, at place; large: more than a value can contain
--   discarded: the bytes before place were discarded
--   damaged: the stored rows are inconsistent
CREATE OR REPLACE FUNCTION pgtoaster.template_range(
  lead_value text, blob bigint, at bigint, count integer,
  OUT outcome text, OUT place bigint, OUT bytes bytea)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  h record;
  part record;
  until bigint;
BEGIN
  IF blob IS NULL THEN
    outcome := 'null';
    RETURN;
  END IF;
  outcome := 'damaged';
  SELECT store.head_columns, coalesce(x.first, 0) AS first INTO h FROM store.head x WHERE store.lead AND x.id = blob;
  place := h.base + pg_catalog.octet_length(h.tail);
  IF place IS NULL THEN
    RETURN;
  ELSIF at > place THEN
    outcome := 'offset';
    RETURN;
  ELSIF at < h.first AND count > 0 THEN
    outcome := 'discarded';
    place := h.first;
    RETURN;
  END IF;
  until := least(place, at + least(count, place - at));
  IF until - at > 1073741819 THEN
    outcome := 'large';
    RETURN;
  END IF;
  bytes := '';
  IF at < least(until, h.piece_start) THEN
    SELECT pg_catalog.string_agg(
             pg_catalog.substr(r.data, CAST(r.first - r.start AS integer) + 1, CAST(r.last - r.first AS integer)), ''
             ORDER BY r.start) AS data,
           -- The parts must not overlap: duplicate bytes must not compensate for missing ones.
           pg_catalog.sum(CAST(r.last - r.first AS pg_catalog.numeric) * CAST(r.last + r.first AS pg_catalog.numeric))
             = CAST(least(until, h.piece_start) - at AS pg_catalog.numeric)
               * CAST(least(until, h.piece_start) + at AS pg_catalog.numeric) AS gapless,
           store.checksums AND pg_catalog.bool_or(r.crc <> pgtoaster.crc32c(r.data)) AS wrong INTO part
    FROM (SELECT c.start, c.data, c.crc, greatest(at, c.start) AS first, least(until, c.start + pg_catalog.octet_length(c.data)) AS last
          FROM store.chunk c
          WHERE store.lead AND c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < least(until, h.piece_start)) r
    WHERE r.first < r.last;
    IF part.gapless IS NOT TRUE OR part.wrong THEN
      bytes := NULL;
      RETURN;
    END IF;
    bytes := bytes || part.data;
  END IF;
  IF greatest(at, h.piece_start) < least(until, h.base) THEN
    SELECT pg_catalog.string_agg(
             pg_catalog.substr(r.data, CAST(r.first - r.start AS integer) + 1, CAST(r.last - r.first AS integer)), ''
             ORDER BY r.start) AS data,
           -- The parts must not overlap: duplicate bytes must not compensate for missing ones.
           pg_catalog.sum(CAST(r.last - r.first AS pg_catalog.numeric) * CAST(r.last + r.first AS pg_catalog.numeric))
             = CAST(least(until, h.base) - greatest(at, h.piece_start) AS pg_catalog.numeric)
               * CAST(least(until, h.base) + greatest(at, h.piece_start) AS pg_catalog.numeric) AS gapless,
           store.checksums AND pg_catalog.bool_or(r.crc <> pgtoaster.crc32c(r.data)) AS wrong INTO part
    FROM (SELECT c.start, c.data, c.crc, greatest(at, c.start) AS first, least(until, c.start + pg_catalog.octet_length(c.data)) AS last
          FROM store.piece c WHERE store.lead AND c.blob_id = blob AND c.slot < h.piece_rows) r WHERE r.first < r.last;
    IF part.gapless IS NOT TRUE OR part.wrong THEN
      bytes := NULL;
      RETURN;
    END IF;
    bytes := bytes || part.data;
  END IF;
  IF until > h.base THEN
    bytes := bytes
      || pg_catalog.substr(h.tail, CAST(greatest(at - h.base, 0) AS integer) + 1, CAST(until - greatest(at, h.base) AS integer));
  END IF;
  IF pg_catalog.octet_length(bytes) = until - at THEN
    outcome := 'applied';
  ELSE
    bytes := NULL;
  END IF;
END $$;

-- Makes one change, op: write (data at offset "at"), truncate (to length "at"), discard (the bytes before "at"), seal,
-- or append. It appends any number of bytes, like the routine of append_template.sql, but also supports checksums of
-- chunks, and returns a reason if it fails. The other arguments are the same. outcome is
--   applied, already: at place; conflict: the blob ends at place; discarded: the bytes before place were discarded
--   null, sealed, offset, mismatch (token), unknown (token), damaged: the reason why nothing was done
--   other: the row now has another blob, or the role may not change this blob
-- Locks the head, which serialises all changes of the blob.
CREATE OR REPLACE FUNCTION pgtoaster.template_write(
  lead_value text, blob bigint, owner text, handle text, same text, key text[], op text, at bigint, data bytea,
  author uuid, number bigint, OUT outcome text, OUT place bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  size CONSTANT integer := coalesce(pg_catalog.octet_length(data), 0);
  h record;
  last record;
  run pg_catalog.bytea;
  first bigint;
  cut bigint;
  inside integer := 0;
  done integer := 0;
  room integer;
  rows integer;
BEGIN
  IF blob IS NULL THEN
    outcome := 'null';
    RETURN;
  END IF;
  outcome := 'other';
  SELECT store.head_columns, x.generation, coalesce(x.first, 0) AS first INTO h
  FROM store.head x WHERE store.lead AND x.id = blob FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT store.head_columns, x.generation, coalesce(x.first, 0) AS first INTO h
    FROM store.head x WHERE store.lead AND x.id = blob FOR NO KEY UPDATE;
    -- During the wait for the lock, the row may have got another blob, or another row may have got this blob.
    EXECUTE pg_catalog.concat('SELECT FROM ', owner, ' AS o WHERE o.', handle, ' = $1 AND ', same) INTO last USING blob, key;
    GET DIAGNOSTICS rows = ROW_COUNT;
    IF rows <> 1 THEN
      RETURN;
    END IF;
  END IF;
  place := h.base + pg_catalog.octet_length(h.tail);
  IF place IS NULL THEN
    RETURN;
  END IF;
  IF author IS NOT NULL THEN
    -- This is a separate statement, which starts after the wait for the lock, so that a retry sees the result of the
    -- first attempt.
    SELECT t.sequence, t.start, t.length INTO last FROM store.token t WHERE store.lead AND t.blob_id = blob AND t.writer = author;
    IF last.sequence = number THEN
      outcome := CASE last.length WHEN size THEN 'already' ELSE 'mismatch' END;
      place := last.start;
      RETURN;
    -- Writer ids of UUID version 7 contain the time when the writer began; writers that gc has forgotten began earlier
    -- (Tokens.java).
    ELSIF last.sequence > number
       OR last.sequence IS NULL AND pg_catalog.substr(CAST(author AS pg_catalog.text), 15, 1) = '7'
          AND CAST(CAST(CAST('x' || pg_catalog.lpad(
                pg_catalog.replace(pg_catalog.substr(CAST(author AS pg_catalog.text), 1, 13), '-', ''), 16, '0')
                AS bit(64)) AS bigint) AS double precision)
              < pg_catalog.date_part('epoch', h.tokens_since) * CAST(1000 AS double precision) THEN
      outcome := 'unknown';
      RETURN;
    END IF;
  END IF;
  IF h.sealed THEN
    outcome := CASE op WHEN 'seal' THEN 'applied' ELSE 'sealed' END;
    RETURN;
  ELSIF op = 'append' AND at <> place THEN
    outcome := 'conflict';
    RETURN;
  ELSIF at > place OR coalesce(at, place) > 9223372036854775807 - size THEN
    outcome := 'offset';
    RETURN;
  END IF;
  at := coalesce(at, place);
  IF op = 'discard' THEN
    IF at > h.first THEN
      -- The chunk that contains the offset remains whole, so that its checksum stays valid. The lower bound keeps the
      -- index scan away from entries of deleted chunks that are not yet vacuumed.
      DELETE FROM store.chunk c
      WHERE store.lead AND c.blob_id = blob AND c.start > h.first - h.chunk_size AND c.start < at
        AND c.start + pg_catalog.octet_length(c.data) <= at;
      UPDATE store.head AS x SET first = at WHERE store.lead AND x.id = blob;
    END IF;
    outcome := 'applied';
    place := greatest(at, h.first);
    RETURN;
  ELSIF at < h.first AND (op <> 'truncate' OR at > 0) THEN
    outcome := 'discarded';
    place := h.first;
    RETURN;
  END IF;
  first := h.piece_start;
  outcome := 'damaged';
  IF op = 'truncate' AND at < h.first THEN
    -- Offsets count from 0 again.
    h.first := 0;
    first := 0;
    run := '';
    DELETE FROM store.chunk c WHERE store.lead AND c.blob_id = blob;
  ELSIF op = 'truncate' AND at < first THEN
    -- The rest of a chunk that is cut becomes the last run.
    SELECT c.start, c.data, store.checksums AND c.crc <> pgtoaster.crc32c(c.data) AS wrong INTO last
    FROM store.chunk c WHERE store.lead AND c.blob_id = blob AND c.start > at - h.chunk_size AND c.start <= at
    ORDER BY c.start DESC LIMIT 1;
    IF last.start IS NULL OR last.start + pg_catalog.octet_length(last.data) <= at OR last.wrong THEN
      RETURN;
    END IF;
    first := last.start;
    run := pg_catalog.substr(last.data, 1, CAST(at - first AS integer));
    DELETE FROM store.chunk c WHERE store.lead AND c.blob_id = blob AND c.start >= first;
  ELSIF op = 'write' AND at < first AND size > 0 THEN
    inside := least(size, first - at);
    cut := at + inside;
    SELECT pg_catalog.sum(CAST(r.last - r.first AS pg_catalog.numeric) * CAST(r.last + r.first AS pg_catalog.numeric))
             = CAST(inside AS pg_catalog.numeric) * CAST(at + cut AS pg_catalog.numeric) AS gapless,
           pg_catalog.count(*) AS chunks,
           -- A chunk that is overwritten as a whole need not be intact.
           store.checksums AND pg_catalog.bool_or(
             CASE WHEN r.last - r.first < pg_catalog.octet_length(r.data) THEN r.crc <> pgtoaster.crc32c(r.data) END) AS wrong INTO last
    FROM (SELECT c.data, c.crc, greatest(c.start, at) AS first, least(c.start + pg_catalog.octet_length(c.data), cut) AS last
          FROM store.chunk c WHERE store.lead AND c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < cut) r
    WHERE r.first < r.last;
    IF last.gapless IS NOT TRUE OR last.wrong THEN
      RETURN;
    END IF;
  END IF;
  IF run IS NULL AND (op = 'seal' OR size > inside OR op = 'truncate' AND at < place) THEN
    -- The pieces and the tail, after the change.
    run := h.tail;
    IF h.piece_rows > 0 THEN
      SELECT pg_catalog.string_agg(p.data, '' ORDER BY p.slot) || run INTO run
      FROM (SELECT p.slot, p.start, p.crc, p.data, pg_catalog.sum(pg_catalog.octet_length(p.data)) OVER (ORDER BY p.slot) AS until
            FROM store.piece p WHERE store.lead AND p.blob_id = blob AND p.slot < h.piece_rows) p
      HAVING pg_catalog.count(*) = h.piece_rows AND pg_catalog.max(p.until) = h.base - h.piece_start
        AND pg_catalog.bool_and(p.start + pg_catalog.octet_length(p.data) = h.piece_start + p.until)
        AND (store.checksums AND pg_catalog.bool_or(p.crc <> pgtoaster.crc32c(p.data))) IS NOT TRUE;
    END IF;
    IF run IS NULL OR h.base - first + pg_catalog.octet_length(h.tail) <> pg_catalog.octet_length(run) THEN
      RETURN;
    ELSIF op = 'truncate' THEN
      run := pg_catalog.substr(run, 1, CAST(at - first AS integer));
    ELSIF op <> 'seal' THEN
      run := pg_catalog.overlay(run, CASE inside WHEN 0 THEN data ELSE pg_catalog.substr(data, inside + 1) END,
                                CAST(at + inside - first AS integer) + 1, size - inside);
    END IF;
  END IF;
  IF inside > 0 THEN
    UPDATE store.chunk AS c
    SET data = store.overwritten, crc = CASE WHEN store.checksums THEN pgtoaster.crc32c(store.overwritten) END
    WHERE store.lead AND c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < cut
      AND c.start + pg_catalog.octet_length(c.data) > at;
    GET DIAGNOSTICS rows = ROW_COUNT;
    IF rows <> last.chunks THEN
      -- A trigger or a policy of the store prevented the change.
      RAISE EXCEPTION USING ERRCODE = 'data_corrupted',
        MESSAGE = 'a chunk of the blob could not be changed; nothing was changed; run verify';
    END IF;
  END IF;
  IF run IS NOT NULL THEN
    -- Write all full chunks, and one piece or the tail.
    WHILE pg_catalog.octet_length(run) - done >= h.chunk_size LOOP
      -- A series that ends at a parameter would make each call plan the statement again, with the bytes in the plan.
      INSERT INTO store.chunk AS n (lead_column, blob_id, start, crc, data)
      SELECT lead_value, blob, first + c.i, CASE WHEN store.checksums THEN pgtoaster.crc32c(c.data) END, c.data
      FROM (SELECT done + g.g * h.chunk_size AS i, pg_catalog.substr(run, done + g.g * h.chunk_size + 1, h.chunk_size) AS data
            FROM pg_catalog.generate_series(0, 31) g(g)
            WHERE done + (g.g + 1) * CAST(h.chunk_size AS bigint) <= pg_catalog.octet_length(run)) c;
      done := done + least((pg_catalog.octet_length(run) - done) / h.chunk_size, 32) * h.chunk_size;
    END LOOP;
    IF done > 0 THEN
      run := pg_catalog.substr(run, done + 1);
    END IF;
    -- A tail is useful only if it has room for the next append. A sealed blob needs no tail.
    room := CASE WHEN op = 'seal' THEN 0
                 ELSE store.room(greatest(pg_catalog.octet_length(run), CASE WHEN at = place THEN size ELSE 0 END)) END;
    rows := CASE WHEN room = 0 AND run <> '' THEN 1 ELSE 0 END;
    IF rows = 1 THEN
      INSERT INTO store.piece AS n (lead_column, blob_id, slot, start, crc, data)
      VALUES (lead_value, blob, 0, first + done, CASE WHEN store.checksums THEN pgtoaster.crc32c(run) END, run)
      ON CONFLICT (lead_column, blob_id, slot) DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data;
    END IF;
    IF op = 'seal' OR at < place THEN
      -- Delete rows that were kept for reuse: the blob no longer grows, or its old bytes must be erased.
      DELETE FROM store.piece p WHERE store.lead AND p.blob_id = blob AND p.slot >= rows;
    END IF;
    UPDATE store.head AS x SET base = first + done + CASE rows WHEN 1 THEN pg_catalog.octet_length(run) ELSE 0 END,
           piece_start = first + done, piece_rows = rows, sealed = (op = 'seal'),
           first = nullif(h.first, 0),
           generation = CASE WHEN at < place THEN (h.generation & 4611686018427387903) + 1 ELSE h.generation END,
           tail = store.stored_tail
    WHERE store.lead AND x.id = blob;
  ELSIF inside > 0 THEN
    UPDATE store.head AS x SET generation = (h.generation & 4611686018427387903) + 1 WHERE store.lead AND x.id = blob;
  END IF;
  IF store.notify AND (run IS NOT NULL OR inside > 0) THEN
    PERFORM store.notify_followers();
  END IF;
  PERFORM store.record_token();
  outcome := 'applied';
END $$;
