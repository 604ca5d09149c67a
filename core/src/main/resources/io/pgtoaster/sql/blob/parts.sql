-- Texts that the routines of a store of blobs share.

-- Returns the texts that the templates of blobs share, each preceded by its name.
CREATE OR REPLACE FUNCTION pgtoaster.blob_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY[
    'head_columns', $p$x.base, x.piece_start, x.piece_rows, x.chunk_size, x.sealed, x.tokens_since,
         pg_catalog.octet_length(x.tail) AS capacity,
         pg_catalog.substr(x.tail, 1,
           greatest(pg_catalog.octet_length(pg_catalog.rtrim(x.tail, CAST(E'\\x00' AS pg_catalog.bytea))) - 1, 0)) AS tail$p$,
    -- The capacity of a tail with room for at least twice the bytes; 0 if a tail cannot hold that many (Tail.java).
    'room', $p$CASE WHEN \1 < store.tail THEN least(store.tail, greatest(64,
           2 << pg_catalog.length(pg_catalog.ltrim(CAST(CAST(greatest(\1, 1) AS bit(32)) AS pg_catalog.text), '0')))) ELSE 0 END$p$,
    -- The stored form of a tail: run, followed by its free space.
    'stored_tail', $p$CASE WHEN room > 0
           THEN run || E'\\x01' || pg_catalog.decode(pg_catalog.repeat('00', room - pg_catalog.octet_length(run) - 1), 'hex')
           ELSE '' END$p$,
    'empty_tail', $p$CASE WHEN store.tail > 0
           THEN CAST(E'\\x01' AS pg_catalog.bytea) || pg_catalog.decode(pg_catalog.repeat('00', store.tail - 1), 'hex')
           ELSE '' END$p$,
    -- A chunk c with the bytes from at to cut that data has for it.
    'overwritten', $p$pg_catalog.overlay(
      c.data,
      pg_catalog.substr(data, CAST(greatest(c.start, at) - at AS integer) + 1,
                        CAST(least(c.start + pg_catalog.octet_length(c.data), cut) - greatest(c.start, at) AS integer)),
      CAST(greatest(at - c.start, 0) AS integer) + 1)$p$,
    'record_token', $p$IF author IS NOT NULL THEN
    INSERT INTO store.token AS n (lead_column, blob_id, writer, sequence, start, length)
    VALUES (lead_value, blob, author, number, place, size)
    ON CONFLICT (lead_column, blob_id, writer) DO UPDATE
      SET sequence = excluded.sequence, start = excluded.start, length = excluded.length, at = excluded.at;
  END IF;$p$,
    -- Any role that may read may lock a row here, so the notification does not wait for it. Times in the future are
    -- ignored, because a role could use them to suppress notifications for others.
    'notify_followers', $p$UPDATE store.follower AS c SET notified_at = pg_catalog.clock_timestamp()
      WHERE store.lead AND c.blob_id = blob AND c.expires > pg_catalog.clock_timestamp()
        AND c.notified_at NOT BETWEEN pg_catalog.clock_timestamp() - interval '100 milliseconds' AND pg_catalog.clock_timestamp()
        AND EXISTS (SELECT FROM store.follower c WHERE store.lead AND c.blob_id = blob FOR UPDATE SKIP LOCKED)
      RETURNING pg_catalog.pg_notify('pgtoaster', CAST(c.blob_id AS pg_catalog.text)) INTO last;$p$
  ]
$$;
