package io.pgtoaster;

import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.internal.Query;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;

/** The scripts, and whether a database has what they make. */
final class Installation {
  private static final String LAST = "99-path.sql";
  private static final String HASH = hash();

  /**
   * True if nobody else owns a part of the catalog, the comment of the last script says what is
   * there, the routines of the caller's stores are of these scripts, and the extension is of the
   * server's version. Calls no function of the catalog: another role may have written it.
   */
  private static final String CURRENT =
      """
      WITH installed AS MATERIALIZED (
        SELECT pg_catalog.obj_description(CAST(pg_catalog.to_regclass('pgtoaster.version') AS pg_catalog.oid), 'pg_class') AS comment)
      SELECT pg_catalog.split_part(i.comment, ' ', 1) OPERATOR(pg_catalog.=) CAST(? AS pg_catalog.text)
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
          SELECT FROM pg_catalog.pg_class h
          LEFT JOIN pg_catalog.pg_proc p ON p.pronamespace OPERATOR(pg_catalog.=) h.relnamespace
            AND p.proname OPERATOR(pg_catalog.~) pg_catalog.concat('^', pg_catalog.left(CAST(h.relname AS pg_catalog.text), -5), '_(append|write|range|read|pack|reshape|edit|apply|change|hold|placed)$')
          WHERE h.relname OPERATOR(pg_catalog.~) '^store_[0-9]+_head$' AND pg_catalog.pg_has_role(h.relowner, 'USAGE')
            AND (p.prosrc IS NULL OR NOT pg_catalog.starts_with(p.prosrc, pg_catalog.concat('-- ', pg_catalog.split_part(i.comment, ' ', 3), ' '))))
        AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_available_extensions a ON a.name OPERATOR(pg_catalog.=) e.extname
          WHERE e.extname OPERATOR(pg_catalog.=) CAST('pgtoaster' AS pg_catalog.name) AND pg_catalog.pg_has_role(e.extowner, 'USAGE')
            AND a.default_version OPERATOR(pg_catalog.<>) e.extversion)
      FROM installed i WHERE i.comment IS NOT NULL
      """
          .formatted(between(Catalog.text(LAST), "-- made\n", "-- end of made\n"));

  private Installation() {}

  static boolean isCurrent(Connection connection) throws SQLException {
    return ColumnLookup.installedVersion(connection) == ColumnLookup.CATALOG_VERSION
        && Query.read(connection, CURRENT, r -> r.next() && r.getBoolean(1), HASH);
  }

  /** Returns a script with the hash of all in its place. */
  static String script(String name) {
    String text = Catalog.text(name);
    return name.equals(LAST) ? text.replace("{scripts}", HASH) : text;
  }

  private static String between(String text, String begin, String end) {
    return text.substring(text.indexOf(begin) + begin.length(), text.indexOf(end));
  }

  private static String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String name : Catalog.scriptNames()) {
        digest.update(Catalog.text(name).getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
