-- Uploads by the tus protocol: the state that must survive a restart of the application.
SELECT pg_catalog.pg_advisory_xact_lock(
  pg_catalog.hashtextextended('pgtoaster_upload'::pg_catalog.text, 0::pg_catalog.int8));
CREATE TABLE IF NOT EXISTS pgtoaster_upload (
  id pg_catalog.uuid PRIMARY KEY,
  row_key pg_catalog.text[] NOT NULL,
  length bigint,
  metadata pg_catalog.text NOT NULL,
  owner pg_catalog.text,
  expires_at pg_catalog.timestamptz,
  finished_at pg_catalog.timestamptz
);
-- Triggers of the table run as the application, and the owner of the table determines who owns an upload. The server
-- ensures that the application owns the table, unless the application is a superuser.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
      JOIN pg_catalog.pg_database d ON d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
      JOIN pg_catalog.pg_roles o ON o.oid OPERATOR(pg_catalog.=) c.relowner
      JOIN pg_catalog.pg_roles me ON me.rolname OPERATOR(pg_catalog.=) current_user
    WHERE c.oid OPERATOR(pg_catalog.=) 'pgtoaster_upload'::pg_catalog.regclass::pg_catalog.oid
      AND me.rolsuper AND NOT o.rolsuper
      AND o.oid OPERATOR(pg_catalog.<>) n.nspowner AND o.oid OPERATOR(pg_catalog.<>) d.datdba
  ) THEN
    RAISE EXCEPTION 'the table % belongs to another role; drop it, or change its owner to %',
        'pgtoaster_upload'::pg_catalog.regclass, current_user
      USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS pgtoaster_upload_expires_at ON pgtoaster_upload (expires_at);
