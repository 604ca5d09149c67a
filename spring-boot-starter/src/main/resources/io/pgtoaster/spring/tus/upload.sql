-- Uploads by the tus protocol: what is to outlive a restart of the application.
SELECT pg_advisory_xact_lock(hashtextextended('pgtoaster_upload', 0));
CREATE TABLE IF NOT EXISTS pgtoaster_upload (
  id uuid PRIMARY KEY,
  row_key text[] NOT NULL,
  length bigint,
  metadata text NOT NULL,
  owner text,
  expires_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX IF NOT EXISTS pgtoaster_upload_expires_at ON pgtoaster_upload (expires_at);
