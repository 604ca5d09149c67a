package io.pgtoaster;

import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ColumnLookup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;

/** Provides and runs the scripts, and checks whether a database has what they create. */
final class Installation {
  private static final String FOLDER = "/io/pgtoaster/sql/";
  static final List<String> SCRIPTS =
      List.of(
          "catalog/catalog.sql",
          "catalog/toaster.sql",
          "catalog/store.sql",
          "catalog/owner_rows.sql",
          "blob/tables.sql",
          "security/privileges.sql",
          "catalog/cleanup.sql",
          "blob/triggers.sql",
          "catalog/attach.sql",
          "blob/attach.sql",
          "operations/status.sql",
          "operations/gc.sql",
          "document/attach.sql",
          "document/tables.sql",
          "document/triggers.sql",
          "document/gc.sql",
          "document/uses.sql",
          "document/branches.sql",
          "document/read.sql",
          "catalog/create_toaster.sql",
          "blob/by_handle.sql",
          "security/policy.sql",
          "security/policy_functions.sql",
          "document/guard.sql",
          "operations/repair.sql",
          "document/read_template.sql",
          "document/parts.sql",
          "document/edit_template.sql",
          "blob/parts.sql",
          "blob/append_template.sql",
          "blob/batch_template.sql",
          "blob/write_template.sql",
          "document/fit.sql",
          "document/nodes.sql",
          "document/distributed_rows.sql",
          "search/indexes.sql",
          "search/paths.sql",
          "search/search.sql",
          "search/contains_template.sql",
          "search/words.sql",
          "search/ordered.sql",
          "search/matches.sql",
          "document/edits.sql",
          "document/apply_template.sql",
          "catalog/routine.sql",
          "blob/by_key.sql",
          "blob/appendable.sql",
          "blob/plain.sql",
          "catalog/view.sql",
          "operations/migrate.sql",
          "operations/migrate_copy.sql",
          "operations/migrate_step.sql",
          "operations/migrate_finish.sql",
          "operations/migrate_plan.sql",
          "operations/distribute.sql",
          "catalog/finish.sql");

  private static final String LAST = "catalog/finish.sql";
  private static final String HASH = hash();

  /**
   * Returns the comment that the last script wrote, provided that it matches the installed objects,
   * that no other role owns part of the catalog, and that the extension, if created, has the
   * version that the server offers. Does not use the catalog's own tables or functions, because
   * another role may have changed them.
   */
  private static final String CATALOG =
      """
      WITH installed AS MATERIALIZED (
        SELECT pg_catalog.obj_description(CAST(pg_catalog.to_regclass('pgtoaster.version') AS pg_catalog.oid), 'pg_class') AS comment)
      SELECT i.comment FROM installed i
      WHERE pg_catalog.split_part(i.comment, ' ', 1) OPERATOR(pg_catalog.=) CAST(? AS pg_catalog.text)
        AND pg_catalog.split_part(i.comment, ' ', 2) OPERATOR(pg_catalog.=) (
      %s)
        AND NOT EXISTS (
          SELECT FROM (
            SELECT n.nspowner AS owner, n.oid AS schema FROM pg_catalog.pg_namespace n
            UNION ALL
            SELECT p.proowner, p.pronamespace FROM pg_catalog.pg_proc p WHERE p.proname OPERATOR(pg_catalog.!~) '^store_[0-9]+_'
            UNION ALL
            SELECT c.relowner, c.relnamespace FROM pg_catalog.pg_class c WHERE c.relname OPERATOR(pg_catalog.!~) '^store_[0-9]+_'
            UNION ALL
            SELECT o.oprowner, o.oprnamespace FROM pg_catalog.pg_operator o
            UNION ALL
            SELECT t.typowner, t.typnamespace FROM pg_catalog.pg_type t
            WHERE t.typrelid OPERATOR(pg_catalog.=) CAST(0 AS pg_catalog.oid) AND t.typelem OPERATOR(pg_catalog.=) CAST(0 AS pg_catalog.oid)
          ) o JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=) o.owner
          WHERE o.schema OPERATOR(pg_catalog.=) CAST(pg_catalog.to_regnamespace('pgtoaster') AS pg_catalog.oid)
            AND r.rolname OPERATOR(pg_catalog.<>) current_user AND NOT r.rolsuper)
        AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_available_extensions a ON a.name OPERATOR(pg_catalog.=) e.extname
          WHERE e.extname OPERATOR(pg_catalog.=) CAST('pgtoaster' AS pg_catalog.name) AND pg_catalog.pg_has_role(e.extowner, 'USAGE')
            AND a.default_version OPERATOR(pg_catalog.<>) e.extversion)
      """
          .formatted(between(text(LAST), "-- made\n", "-- end of made\n"));

  /**
   * True if a store lacks one of its routines, or has one that was made from other templates or for
   * another schema (pgtoaster.routine_mark). Ignores the stores that pgtoaster.write_routines does
   * not change: stores of other roles, and of documents whose table or key no longer exists.
   */
  private static final String STALE_STORE =
      """
      SELECT EXISTS (
        SELECT FROM (
          -- Check the privileges store by store. For a check of all schemas, the planner would expect one match.
          SELECT s.*, h.relowner, n.oid AS schema, n.nspname FROM pgtoaster.store s
          JOIN pg_catalog.pg_class h ON h.oid OPERATOR(pg_catalog.=) CAST(s.head AS pg_catalog.oid)
          JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) h.relnamespace OFFSET 0) s
        JOIN pgtoaster.toaster t ON t.name OPERATOR(pg_catalog.=) s.toaster
        CROSS JOIN LATERAL pg_catalog.unnest(t.own) o(part)
        WHERE pg_catalog.pg_has_role(s.relowner, 'USAGE')
          AND pg_catalog.has_schema_privilege(s.schema, 'USAGE')
          AND pg_catalog.has_schema_privilege(s.schema, 'CREATE')
          AND (o.part OPERATOR(pg_catalog.<>) ALL (CAST('{change,hold}' AS pg_catalog.text[]))
               OR s.options OPERATOR(pg_catalog.->>) 'distributed' OPERATOR(pg_catalog.=) 'true')
          AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_proc p
            WHERE p.pronamespace OPERATOR(pg_catalog.=) s.schema
              AND p.proname OPERATOR(pg_catalog.=)
                CAST(pg_catalog.concat('store_', s.id, '_', o.part) AS pg_catalog.name)
              AND pg_catalog.starts_with(p.prosrc,
                pg_catalog.concat('-- ', pg_catalog.split_part(CAST(? AS pg_catalog.text), ' ', 3), ' ',
                  pg_catalog.hashtextextended(CAST(s.nspname AS pg_catalog.text), 0), pg_catalog.chr(10))))
          AND (NOT EXISTS (
                 SELECT FROM pg_catalog.pg_attribute k
                 WHERE k.attrelid OPERATOR(pg_catalog.=) CAST(s.head AS pg_catalog.oid)
                   AND k.attname OPERATOR(pg_catalog.=) CAST('owner_1' AS pg_catalog.name))
            -- Find the index that marks the table by the stored form of its predicate (pgtoaster.row_keys_source).
            OR EXISTS (
              SELECT FROM pg_catalog.pg_index i
              WHERE i.indrelid OPERATOR(pg_catalog.=) CAST(s.owner AS pg_catalog.oid)
                AND pg_catalog.strpos(CAST(i.indpred AS pg_catalog.text), (
                  SELECT pg_catalog.concat(pg_catalog.string_agg(CAST(pg_catalog.ascii(u.c) AS pg_catalog.text), ' '), ' ]')
                  FROM pg_catalog.string_to_table(pg_catalog.concat('pgtoaster_', s.id), NULL) u(c))) OPERATOR(pg_catalog.>) 0)))
      """;

  private Installation() {}

  /** Installs or upgrades the catalog and the extension, unless all is current. */
  static boolean install(Connection connection) throws SQLException {
    if (isCurrent(connection)) {
      return false;
    }
    ColumnLookup.upgradableVersion(connection);
    try (Statement s = connection.createStatement()) {
      s.setEscapeProcessing(false);
      for (String name : SCRIPTS) {
        s.execute(script(name));
      }
    }
    Extension.update(connection);
    return true;
  }

  static boolean isCurrent(Connection connection) throws SQLException {
    if (ColumnLookup.installedVersion(connection) != ColumnLookup.CATALOG_VERSION) {
      return false;
    }
    String comment = Query.first(connection, CATALOG, r -> r.getString(1), HASH);
    return comment != null && !Query.is(connection, STALE_STORE, comment);
  }

  /** Returns the text of a script; the last one contains the hash of all scripts. */
  static String script(String name) {
    if (!SCRIPTS.contains(name)) {
      throw new IllegalArgumentException("there is no script " + name + ", only " + SCRIPTS);
    }
    String text = text(name);
    return name.equals(LAST) ? text.replace("{scripts}", HASH) : text;
  }

  private static String text(String name) {
    try (InputStream in = Installation.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the script " + name + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the script " + name, e);
    }
  }

  private static String between(String text, String begin, String end) {
    return text.substring(text.indexOf(begin) + begin.length(), text.indexOf(end));
  }

  private static String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String name : SCRIPTS) {
        digest.update(text(name).getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
