package io.pgtoaster.cli.explain;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonCapability;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of explaining an operation.
 *
 * @param toaster toaster of the column
 * @param found whether there was a value at the path
 * @param steps the steps, one per statement
 * @param written descriptions of the document's stored rows that the operation wrote
 */
public record Explanation(String toaster, boolean found, List<Step> steps, List<String> written) {
  /**
   * Copies the lists.
   *
   * @param toaster see the record component
   * @param found see the record component
   * @param steps see the record component
   * @param written see the record component
   */
  public Explanation {
    steps = List.copyOf(steps);
    written = List.copyOf(written);
  }

  /** An operation on a document. */
  @FunctionalInterface
  public interface Operation {
    /**
     * Runs the operation.
     *
     * @param value document to read or change
     * @return true if there was a value at its path
     */
    boolean run(DocumentValue value);
  }

  /**
   * Runs an operation twice and measures the second run. The first run fills caches, and includes
   * the full-page images that PostgreSQL logs after a checkpoint. The caller must roll back.
   *
   * @param connection with an open transaction
   * @param column column of the document
   * @param key key of the row
   * @param path path into its document
   * @param operation operation to run
   * @return the result
   * @throws SQLException if the server reports an error
   */
  public static Explanation of(
      Connection connection,
      AttachedColumn column,
      Object key,
      DocumentPath path,
      Operation operation)
      throws SQLException {
    Recorder recorder = new Recorder(connection);
    DocumentColumn documents = PgToaster.on(recorder.connection()).documents(column.name());
    AttachedColumn found = ColumnAccess.column(documents);
    DocumentValue value = documents.at(key, path);
    Savepoint savepoint = connection.setSavepoint();
    if (!operation.run(value)) {
      return new Explanation(found.toaster(), false, List.of(), List.of());
    }
    connection.rollback(savepoint);
    Counters counters = new Counters(connection, found);
    recorder.start(counters);
    boolean done = operation.run(value);
    recorder.deferred(counters);
    List<String> written = holdsStubs(documents) ? written(connection, found, key) : List.of();
    return new Explanation(found.toaster(), done, recorder.stop(), written);
  }

  /** Returns the stored rows that this transaction wrote, without those that it removed. */
  private static List<String> written(Connection connection, AttachedColumn column, Object key)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    String sql =
        "SELECT n.id, n.kind, n.value IS NULL, n.bytes FROM "
            + column.quotedTable()
            + " o JOIN "
            + column.storeTable("node")
            + " n ON n.doc = pgtoaster.document_id(o."
            + column.quotedColumn()
            + ") WHERE "
            + column.rowCondition()
            + " AND pg_catalog.age(n.xmin) <= pg_catalog.age(CAST("
            + "pg_catalog.pg_current_xact_id_if_assigned() AS pg_catalog.xid)) ORDER BY n.id";
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      column.bind(s, 1, column.rowKey(key));
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          rows.add(inWords(r.getLong(1), r.getString(2), r.getBoolean(3), r.getLong(4)));
        }
      }
    }
    return rows;
  }

  private static boolean holdsStubs(DocumentColumn documents) {
    return documents.capabilities().contains(JsonCapability.STUBS);
  }

  private static String inWords(long id, String kind, boolean inner, long bytes) {
    String of =
        switch (kind) {
          case "a" -> "an array";
          case "o" -> "an object";
          default -> "a string";
        };
    return "node "
        + id
        + ", "
        + (inner ? "an inner node of " + of : "a leaf of " + of + ", " + bytes + " bytes");
  }

  /**
   * Copies a row's whole document into a new table of plain jsonb. The caller must roll back.
   *
   * @param connection with an open transaction
   * @param column column of the document
   * @param key key of the row
   * @return the new table's only document column, whose row has the key 1
   * @throws SQLException if the server reports an error
   */
  public static AttachedColumn plainCopy(Connection connection, AttachedColumn column, Object key)
      throws SQLException {
    String table = "pgtoaster_plain_" + ProcessHandle.current().pid();
    AttachedColumn plain =
        new AttachedColumn(
            column.schema(),
            table,
            "doc",
            "jsonb",
            Toaster.DEFAULT,
            0,
            null,
            java.util.Map.of(),
            List.of(),
            null,
            false,
            false,
            false);
    boolean split = holdsStubs(PgToaster.on(connection).documents(column.name()));
    String document = "o." + column.quotedColumn();
    try (Statement s = connection.createStatement()) {
      s.execute("CREATE TABLE " + plain.quotedTable() + " (id integer PRIMARY KEY, doc jsonb)");
    }
    try (PreparedStatement s =
        connection.prepareStatement(
            "INSERT INTO "
                + plain.quotedTable()
                + " SELECT 1, "
                + (split ? "pgtoaster.expand(" + document + ")" : document)
                + " FROM "
                + column.quotedTable()
                + " o WHERE "
                + column.rowCondition())) {
      column.bind(s, 1, column.rowKey(key));
      s.executeUpdate();
    }
    return plain;
  }
}
