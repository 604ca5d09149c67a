package io.pgtoaster.internal.column;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds a column and, if it is attached, its row in the catalog. */
public final class ColumnLookup {
  /** Version of the catalog that this library reads and writes. */
  public static final int CATALOG_VERSION = 14;

  /**
   * The oldest version that install can upgrade: stores of older versions have different tables.
   */
  private static final int OLDEST_UPGRADABLE = 13;

  private static final String TABLE =
      """
      SELECT c.oid, n.nspname, a.attname, t.typname
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_attribute a
        ON a.attrelid = c.oid AND a.attname = CAST(? AS text) AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE c.relname = CAST(? AS text) AND c.relkind IN ('r', 'p')
        AND CASE WHEN CAST(? AS text) IS NULL THEN pg_catalog.pg_table_is_visible(c.oid)
                 ELSE n.nspname = CAST(? AS text) END
      """;

  private static final String ATTACHED =
      """
      WITH a AS MATERIALIZED (
        SELECT c.*, EXISTS (
          SELECT FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_proc f ON f.pronamespace = n.oid
          WHERE n.nspname = c.store_schema
            AND f.proname IN (CAST(pg_catalog.concat('store_', c.store, '_append') AS name),
                             CAST(pg_catalog.concat('store_', c.store, '_read') AS name))
            AND pg_catalog.starts_with(f.prosrc, pgtoaster.routine_mark(n.nspname))) AS routines
        FROM pgtoaster.attached_column c WHERE CAST(c.owner AS oid) = CAST(? AS oid) AND c.column_name = CAST(? AS text))
      SELECT a.store, a.toaster, a.key_index, o.key, o.value, a.store_schema, a.routines
      FROM a LEFT JOIN LATERAL pg_catalog.jsonb_each_text(a.options) o ON true
      """;

  private static final String KEY =
      """
      SELECT a.attname, n.nspname, t.typname, e.nspname
      FROM pg_catalog.pg_index i
      JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
      CROSS JOIN LATERAL pg_catalog.unnest(i.indkey) WITH ORDINALITY k(attnum, position)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
      JOIN pg_catalog.pg_opclass w ON w.oid = i.indclass[k.position - 1]
      JOIN pg_catalog.pg_amop m ON m.amopfamily = w.opcfamily AND m.amopstrategy = 3
        AND m.amoplefttype = w.opcintype AND m.amoprighttype = w.opcintype
      JOIN pg_catalog.pg_operator o ON o.oid = m.amopopr
      JOIN pg_catalog.pg_namespace e ON e.oid = o.oprnamespace
      WHERE i.indrelid = CAST(? AS oid) AND k.position <= i.indnkeyatts
        AND CASE WHEN CAST(? AS name) IS NULL THEN i.indisprimary ELSE c.relname = CAST(? AS name) END
      ORDER BY k.position
      """;

  private static final String COLUMN_TYPE =
      """
      SELECT a.attname, n.nspname, t.typname, coalesce((
        SELECT e.nspname
        FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_opclass c ON c.oid = i.indclass[0]
        JOIN pg_catalog.pg_amop m ON m.amopfamily = c.opcfamily AND m.amopstrategy = 3
          AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype
        JOIN pg_catalog.pg_operator o ON o.oid = m.amopopr
        JOIN pg_catalog.pg_namespace e ON e.oid = o.oprnamespace
        WHERE i.indrelid = CAST(pg_catalog.to_regclass(CAST(? AS text)) AS oid) AND i.indisprimary), 'pg_catalog')
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
      WHERE a.attrelid = CAST(? AS oid) AND a.attname = CAST(? AS text) AND NOT a.attisdropped
      """;

  private static final String CITUS =
      """
      SELECT pg_catalog.to_regnamespace('pgtoaster') IS NOT NULL
        AND pg_catalog.to_regclass('pg_catalog.pg_dist_local_group') IS NOT NULL
      """;

  private ColumnLookup() {}

  /**
   * An attached column in the catalog.
   *
   * @param store its number
   * @param toaster name of the toaster
   */
  public record Attached(int store, String toaster) {}

  /**
   * Looks up an attached column, even if its row key no longer exists.
   *
   * @param connection to a database with a catalog
   * @param table oid of its table
   * @return its store and toaster; empty if the column is not attached
   */
  public static Optional<Attached> attached(Connection connection, long table, String column)
      throws SQLException {
    return Optional.ofNullable(
        Query.first(
            connection, ATTACHED, r -> new Attached(r.getInt(1), r.getString(2)), table, column));
  }

  /**
   * Finds a column. Its toaster may use the server extension.
   *
   * @return the column; an unattached column has the toaster {@code default} and store 0
   * @throws ColumnNotFoundException if the table or column does not exist, or its rows have no key
   * @throws CatalogException if this library does not support the catalog's version
   * @throws AccessDeniedException if row security of the table applies to the role, but its store
   *     does not have it
   */
  public static AttachedColumn find(Connection connection, ColumnName column) throws SQLException {
    return find(connection, column, true);
  }

  /**
   * Finds a column.
   *
   * @param extension whether the server extension may be used, if it is installed
   * @return the column; an unattached column has the toaster {@code default} and store 0
   * @throws ColumnNotFoundException if the table or column does not exist, or its rows have no key
   * @throws CatalogException if this library does not support the catalog's version
   * @throws AccessDeniedException if row security of the table applies to the role, but its store
   *     does not have it
   */
  public static AttachedColumn find(Connection connection, ColumnName name, boolean extension)
      throws SQLException {
    String table = name.table();
    String column = name.column();
    Table found = table(connection, name.schema(), table, column);
    if (found.typeName == null) {
      throw new ColumnNotFoundException(
          "table " + found.schema + "." + table + " has no column \"" + column + "\"");
    }
    String toaster = Toaster.DEFAULT;
    int store = 0;
    @Nullable String storeSchema = null;
    @Nullable String keyIndex = null;
    boolean routines = false;
    Map<String, String> options = new HashMap<>();
    if (isInstalled(connection)) {
      try (PreparedStatement s = connection.prepareStatement(ATTACHED)) {
        s.setLong(1, found.oid);
        s.setString(2, column);
        try (ResultSet r = s.executeQuery()) {
          while (r.next()) {
            store = r.getInt(1);
            toaster = r.getString(2);
            keyIndex = r.getString(3);
            storeSchema = r.getString(6);
            routines = r.getBoolean(7);
            if (r.getString(5) != null) {
              options.put(r.getString(4), r.getString(5));
            }
          }
        }
      }
    }
    List<KeyColumn> key = key(connection, found.oid, keyIndex);
    if (key.isEmpty() && keyIndex != null) {
      throw new CatalogException(
          "the key index \"%s\" of %s does not exist; see pgtoaster.status()"
              .formatted(keyIndex, table));
    }
    if (key.isEmpty()) {
      throw new ColumnNotFoundException(
          ("the table %s.%s has no primary key; attach the column and name a unique"
                  + " index as its key")
              .formatted(found.schema, table));
    }
    @Nullable KeyColumn leading = null;
    @Nullable String leadingKey = options.get("leading_key");
    if (leadingKey != null) {
      leading = key.stream().filter(k -> k.name().equals(leadingKey)).findFirst().orElse(null);
      if (leading == null) {
        leading = columnType(connection, found, table, leadingKey, storeSchema, store);
      }
    }
    AttachedColumn attached =
        new AttachedColumn(
            found.schema,
            table,
            column,
            found.typeName,
            toaster,
            store,
            storeSchema,
            options,
            key,
            leading,
            // For distributed tables, the extension would read the empty tables of the same names
            // on the coordinator.
            extension
                && store > 0
                && !Boolean.parseBoolean(options.get("distributed"))
                && ServerExtension.serves(connection, store),
            routines,
            name.schema() == null);
    if (store > 0) {
      Permission.requireFollowed(connection, found.oid, attached);
    }
    return attached;
  }

  /**
   * A column of a table that was found; the column may be missing.
   *
   * @param table oid of its table
   * @param name its name, with the schema
   */
  public record Place(long table, ColumnName name) {}

  /**
   * Finds the table of a column.
   *
   * @throws ColumnNotFoundException if the table does not exist
   */
  public static Place locate(Connection connection, ColumnName column) throws SQLException {
    Table found = table(connection, column.schema(), column.table(), "");
    return new Place(found.oid, ColumnName.of(found.schema, column.table(), column.column()));
  }

  /**
   * Finds the oid of a table.
   *
   * @param schema exact schema name, or null for the search path
   * @throws ColumnNotFoundException if the table does not exist
   */
  public static long tableOid(Connection connection, @Nullable String schema, String table)
      throws SQLException {
    return table(connection, schema, Identifiers.check(table), "").oid;
  }

  /**
   * Returns whether the catalog exists in the version that this library supports.
   *
   * @throws CatalogException if it has another version
   */
  public static boolean isInstalled(Connection connection) throws SQLException {
    int version = upgradableVersion(connection);
    if (version > 0 && version < CATALOG_VERSION) {
      throw otherVersion(version);
    }
    return version > 0;
  }

  /**
   * Returns the version of a catalog that install can upgrade; 0 if the catalog does not exist.
   *
   * @throws CatalogException if it is newer than this library, or too old
   */
  public static int upgradableVersion(Connection connection) throws SQLException {
    int version = installedVersion(connection);
    if (version > CATALOG_VERSION || (version > 0 && version < OLDEST_UPGRADABLE)) {
      throw otherVersion(version);
    }
    return version;
  }

  private static CatalogException otherVersion(int version) {
    return new CatalogException(
        "the catalog has version %s, but this library needs version %s; %s"
            .formatted(version, CATALOG_VERSION, remedy(version)));
  }

  /** Returns what to do about a catalog with an unsupported version. */
  public static String remedy(int version) {
    if (version > CATALOG_VERSION) {
      return "use a newer pgtoaster";
    }
    return version < OLDEST_UPGRADABLE
        ? "export the content with the pgtoaster version that created it, DROP SCHEMA pgtoaster"
            + " CASCADE, install, attach, and import the content"
        : "call Catalog.install(), or run pgtoaster install, to upgrade it";
  }

  /** Returns the version of the catalog; 0 if the catalog does not exist. */
  public static int installedVersion(Connection connection) throws SQLException {
    if (!Query.is(connection, "SELECT pg_catalog.to_regclass('pgtoaster.version') IS NOT NULL")) {
      refuseWorker(connection);
      return 0;
    }
    Integer version =
        Query.first(connection, "SELECT version FROM pgtoaster.version", r -> r.getInt(1));
    return version == null ? 0 : version;
  }

  /**
   * Throws an exception on a worker of Citus, which has the catalog's functions but not the list of
   * attached columns.
   */
  private static void refuseWorker(Connection connection) throws SQLException {
    if (Query.is(connection, CITUS)
        && Query.is(connection, "SELECT groupid <> 0 FROM pg_catalog.pg_dist_local_group")) {
      throw new CatalogException(
          "this server is a worker of Citus, without the list of attached columns; connect to"
              + " the coordinator");
    }
  }

  private record Table(long oid, String schema, @Nullable String typeName) {}

  private static Table table(
      Connection connection, @Nullable String schema, String table, String column)
      throws SQLException {
    Table found =
        Query.first(
            connection,
            TABLE,
            r -> new Table(r.getLong(1), r.getString(2), r.getString(4)),
            column,
            table,
            schema,
            schema);
    if (found == null) {
      throw new ColumnNotFoundException(
          "there is no table \"%s\" %s; names are exact: pass the schema as a separate argument"
              .formatted(
                  table, schema == null ? "on the search path" : "in schema \"" + schema + "\""));
    }
    return found;
  }

  private static List<KeyColumn> key(Connection connection, long table, @Nullable String keyIndex)
      throws SQLException {
    return Query.list(connection, KEY, ColumnLookup::keyColumn, table, keyIndex, keyIndex);
  }

  private static KeyColumn keyColumn(ResultSet r) throws SQLException {
    return new KeyColumn(r.getString(1), r.getString(2), r.getString(3), r.getString(4));
  }

  private static KeyColumn columnType(
      Connection connection,
      Table table,
      String tableName,
      String column,
      @Nullable String storeSchema,
      int store)
      throws SQLException {
    String head =
        Identifiers.quote(storeSchema == null ? "pgtoaster" : storeSchema)
            + ".store_"
            + store
            + "_head";
    KeyColumn found =
        Query.first(connection, COLUMN_TYPE, ColumnLookup::keyColumn, head, table.oid, column);
    if (found == null) {
      throw new CatalogException(
          "the leading key column \"%s\" of %s does not exist".formatted(column, tableName));
    }
    return found;
  }
}
