-- The template of the routine that appends to a blob of the appendable toaster.

-- The routine for one append of bytes in memory. It handles the first append of a row, tokens, pieces, and chunks with
-- a remainder. blob: the handle in the row; NULL for the first append. owner, handle, same: the table, its column, and
-- a condition on a row o with the texts key, $2. crc: the checksum of data if rows have one. expected: the offset, or
-- NULL. author and number: the token, or NULL. outcome is
--   applied, already: at place; conflict: the blob ends at place
--   other: not done, except that a row without content may now have empty content. The general routine appends or raises
--          the error.
-- Locks the head, which serialises all changes of the blob. Locks the row only when it sets the handle.
-- A small append takes half the time that the general routine takes (0.1 of 0.2 ms).
CREATE OR REPLACE FUNCTION pgtoaster.template_append(
  lead_value text, blob bigint, owner text, handle text, same text, key text[], data bytea, crc integer, expected bigint,
  author uuid, number bigint, OUT outcome text, OUT place bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  size CONSTANT integer := pg_catalog.octet_length(data);
  run pg_catalog.bytea := data;
  h record;
  last record;
  room integer;
  piece integer;
  large boolean;
  whole integer;
  part integer;
BEGIN
  outcome := 'other';
  IF blob IS NULL THEN
    IF expected > 0 THEN
      outcome := 'conflict';
      place := 0;
      RETURN;
    ELSIF store.checksums AND (size >= store.chunk_size OR size > 0 AND crc IS NULL) THEN
      RETURN;
    END IF;
    INSERT INTO store.head AS n (lead_column, chunk_size) VALUES (lead_value, store.chunk_size) RETURNING n.id INTO blob;
    EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', handle, ' = $1 WHERE o.', handle, ' IS NULL AND ', same) USING blob, key;
    EXECUTE pg_catalog.concat('SELECT FROM ', owner, ' AS o WHERE o.', handle, ' = $1 AND ', same) INTO last USING blob, key;
    GET DIAGNOSTICS piece = ROW_COUNT;
    IF piece <> 1 THEN
      -- Another first append was faster, or a trigger prevents setting the handle, or resets it.
      DELETE FROM store.head x WHERE store.lead AND x.id = blob;
      -- Append to the blob of the other append. Without its lock, a batch would lock later rows first and could
      -- deadlock.
      EXECUTE pg_catalog.concat('SELECT o.', handle, ' FROM ', owner, ' AS o WHERE ', same) INTO blob USING blob, key;
      IF blob IS NULL THEN
        RETURN;
      END IF;
    END IF;
  END IF;
  SELECT store.head_columns INTO h FROM store.head x WHERE store.lead AND x.id = blob FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT store.head_columns INTO h FROM store.head x WHERE store.lead AND x.id = blob FOR NO KEY UPDATE;
    -- During the wait for the lock, the row may have got another blob, or another row may have got this blob.
    EXECUTE pg_catalog.concat('SELECT FROM ', owner, ' AS o WHERE o.', handle, ' = $1 AND ', same) INTO last USING blob, key;
    GET DIAGNOSTICS piece = ROW_COUNT;
    IF piece <> 1 THEN
      RETURN;
    END IF;
  END IF;
  place := h.base + pg_catalog.octet_length(h.tail);
  IF author IS NOT NULL THEN
    -- This is a separate statement, which starts after the wait for the lock, so that a retry sees the result of the
    -- first attempt.
    SELECT t.sequence, t.start, t.length INTO last FROM store.token t WHERE store.lead AND t.blob_id = blob AND t.writer = author;
    IF last.sequence = number AND last.length = size THEN
      outcome := 'already';
      place := last.start;
      RETURN;
    ELSIF last.sequence >= number OR last.sequence IS NULL AND h.tokens_since IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;
  -- The head may have been deleted during the wait for its lock.
  IF place IS NULL OR h.sealed OR place > 9223372036854775807 - size THEN
    RETURN;
  ELSIF place <> expected THEN
    outcome := 'conflict';
    RETURN;
  END IF;
  IF size > 0 THEN
    -- The blob's chunks are longer than the store's current setting.
    IF store.checksums AND crc IS NULL THEN
      RETURN;
    END IF;
    IF h.tail <> '' THEN
      run := h.tail || data;
    END IF;
    room := CASE WHEN pg_catalog.octet_length(run) < h.capacity THEN h.capacity ELSE store.room(pg_catalog.octet_length(run)) END;
    large := NOT store.checksums AND room = 0 AND pg_catalog.octet_length(run) >= h.chunk_size / 4;
    IF large OR place - h.piece_start + size >= h.chunk_size OR room = 0 AND h.piece_rows >= store.pieces THEN
      -- The client computes the checksums of chunks.
      IF store.checksums OR (place - h.piece_start + size) / h.chunk_size > store.chunks THEN
        RETURN;
      END IF;
      IF h.piece_rows > 0 THEN
        SELECT pg_catalog.string_agg(p.data, '' ORDER BY p.slot) || run INTO run
        FROM (SELECT p.slot, p.start, p.data, pg_catalog.sum(pg_catalog.octet_length(p.data)) OVER (ORDER BY p.slot) AS until
              FROM store.piece p WHERE store.lead AND p.blob_id = blob AND p.slot < h.piece_rows) p
        HAVING pg_catalog.count(*) = h.piece_rows AND pg_catalog.max(p.until) = h.base - h.piece_start
          AND pg_catalog.bool_and(p.start + pg_catalog.octet_length(p.data) = h.piece_start + p.until);
        IF run IS NULL THEN
          RETURN;
        END IF;
      END IF;
      -- The rest of a large append after its full chunks becomes one shorter chunk, or two if a single one would waste
      -- space on its page.
      whole := pg_catalog.octet_length(run) / h.chunk_size * h.chunk_size;
      part := pg_catalog.octet_length(run) - whole;
      room := store.room(part);
      part := CASE WHEN NOT large OR room > 0 THEN 0
                   WHEN part BETWEEN h.chunk_size / 2 - 49 AND h.chunk_size / 2 - 50 + h.chunk_size / 4 THEN h.chunk_size / 2 - 50
                   ELSE part END;
      -- A generate_series up to a parameter would make each call plan the statement again, with the bytes in the plan.
      INSERT INTO store.chunk AS n (lead_column, blob_id, start, data)
      SELECT lead_value, blob, h.piece_start + c.i, pg_catalog.substr(run, c.i + 1, CASE WHEN c.i < whole THEN h.chunk_size ELSE part END)
      FROM (SELECT g.g * h.chunk_size AS i FROM pg_catalog.generate_series(0, store.chunks) g(g)) c
      WHERE c.i < whole + part;
      h.base := h.piece_start + whole + part;
      run := pg_catalog.substr(run, whole + part + 1);
      h.piece_start := h.base;
      h.piece_rows := 0;
      -- A tail is useful only if it has room for the next append.
      room := CASE WHEN large AND run = '' THEN 0
                   ELSE store.room(greatest(pg_catalog.octet_length(run), CASE WHEN large THEN 0 ELSE size END)) END;
    END IF;
    IF room = 0 AND run <> '' THEN
      piece := h.piece_rows;
      INSERT INTO store.piece AS n (lead_column, blob_id, slot, start, crc, data) VALUES (lead_value, blob, piece, h.base, crc, run)
      ON CONFLICT (lead_column, blob_id, slot) DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data;
      h.base := h.base + pg_catalog.octet_length(run);
      h.piece_rows := piece + 1;
      run := '';
      room := CASE WHEN whole IS NULL THEN store.tail ELSE 0 END;
    END IF;
    UPDATE store.head AS x SET base = h.base, piece_start = h.piece_start, piece_rows = h.piece_rows,
           tail = store.stored_tail
    WHERE store.lead AND x.id = blob;
    IF store.notify THEN
      PERFORM store.notify_followers();
    END IF;
  END IF;
  PERFORM store.record_token();
  outcome := 'applied';
END $$;
