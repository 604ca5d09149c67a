package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.internal.SqlTemplate;
import io.pgtoaster.internal.column.Permission;
import io.pgtoaster.internal.column.Routing;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statements over one store. Every statement on a known blob names it by {@code id = ?}, and by
 * the leading key if there is one, at every query level. Two writing statements always run in one
 * transaction.
 */
public final class StoreSql {
  /** The maximum number of full chunks that a read by row key covers. */
  public static final int READ_BY_KEY_CHUNKS = 3;

  /**
   * The maximum number of rows of a read. A limit makes a generic plan cheap enough for the planner
   * to choose it. An append of a quarter of a chunk makes at most two rows, so a range of three
   * chunks and the rows around it never have more rows than this.
   */
  private static final int READ_ROWS = 32;

  /** The approximate number of bytes that one statement inserts as chunks. */
  static final int INSERT_BYTES = 260_000;

  private final Map<BlobSql, String> statements = new EnumMap<>(BlobSql.class);

  StoreSql(AttachedColumn column) {
    SqlTemplate names = new SqlTemplate(names(column));
    for (BlobSql sql : BlobSql.values()) {
      statements.put(sql, names.fill(sql.template));
    }
  }

  String get(BlobSql statement) {
    return Objects.requireNonNull(statements.get(statement));
  }

  private static Map<String, String> names(AttachedColumn column) {
    KeyColumn lk = column.leadingKey();
    boolean leads = lk != null;
    String parameter = lk == null ? "" : lk.parameter();
    String ofRow = lk == null ? "" : "o." + lk.quoted();
    String handle = "o." + column.quotedColumn();
    String head = column.storeTable("head");
    String named = leading(lk, "h.leading_key", parameter) + "h.id = ?";
    Map<String, String> names = new HashMap<>();
    for (String part :
        List.of(
            "head", "chunk", "piece", "token", "follower", "append", "batch", "write", "range")) {
      names.put(part, column.storeTable(part));
    }
    names.put("owner", column.quotedTable());
    names.put("owner_literal", text(column.quotedTable()));
    names.put("column", column.quotedColumn());
    names.put("column_literal", text(column.quotedColumn()));
    names.put("handle", handle);
    names.put("row", column.rowCondition());
    names.put("on_path", column.onPath());
    names.put("append_list", AppendList.in(column));
    names.put("key_list", column.keyList());
    names.put("listed_row", column.listedRowCondition());
    names.put("row_by_texts", text(column.rowByTexts()));
    names.put("key_texts", column.keyTexts());
    names.put("may_update", Permission.mayUpdate(column));
    names.put("lead", leads ? "leading_key, " : "");
    names.put("lead_value", leads ? parameter + ", " : "");
    names.put("row_lead", leads ? ofRow + " AS lead, " : "");
    names.put("row_lead_text", leads ? ", " + ofRow + "::text" : "");
    names.put("head_lead", leads ? "h.leading_key, " : "");
    names.put("head_lead_text", leads ? ", h.leading_key::text" : "");
    names.put("s_lead", leads ? "s.lead, " : "");
    names.put("g_lead", leads ? "g.lead, " : "");
    names.put("group_by_lead", leads ? " GROUP BY s.lead ORDER BY s.lead" : "");
    String headEquals = (leads ? "(h.leading_key, h.id)" : "h.id") + equalRows(lk);
    names.put("head_equals", headEquals);
    names.put("head_key", (leads ? "h.leading_key, " : "") + "h.id");
    // A store that was attached with an older catalog has no such column until it gets its
    // routines.
    String first =
        column.routines()
            ? "coalesce(h.first, 0)"
            : "coalesce(CAST(pg_catalog.jsonb_extract_path_text(pg_catalog.to_jsonb(h), 'first') AS"
                + " bigint), 0)";
    names.put("first", first);
    names.put("head_columns", Head.COLUMNS + ", " + first + (leads ? ", h.leading_key::text" : ""));
    String used = "pg_catalog.octet_length(pg_catalog.rtrim(h.tail, E'\\\\x00'::bytea))";
    names.put("used", used);
    names.put("fill", "greatest(" + used + " - 1, 0)");
    names.put("head_named", named);
    names.put("blob", leading(lk, "c.leading_key", parameter) + "c.blob_id = ?");
    names.put("generation", "(SELECT h.generation FROM " + head + " h WHERE " + named + ")");
    Routing routing = Routing.of(column);
    names.put(
        "modifies",
        column.distributed() ? routing.modification(head, "sealed", "leading_key") : "");
    String ofHead = leading(lk, "c.leading_key", "h.leading_key");
    names.put("of_head", routing.condition("c.leading_key") + ofHead + "c.blob_id = h.id");
    names.put(
        "head_of_row",
        routing.condition("h.leading_key")
            + headEquals
            + (" (SELECT " + (leads ? ofRow + ", " : "") + handle)
            + (" FROM " + column.quotedTable() + " o WHERE " + column.rowCondition() + ")"));
    names.put(
        "head_left_join",
        ("LEFT JOIN " + head + " h ON ")
            + leading(lk, "h.leading_key", ofRow)
            + ("h.id = " + handle));
    names.put("max_pieces", String.valueOf(TailSegment.MAX_PIECES));
    names.put("read_rows", String.valueOf(READ_ROWS));
    return names;
  }

  /**
   * Returns the operator of a row comparison. It is qualified only if both columns use the server's
   * own operator.
   */
  private static String equalRows(@Nullable KeyColumn leadingKey) {
    return leadingKey != null && leadingKey.operatorSchema().equals("pg_catalog")
        ? " OPERATOR(pg_catalog.=)"
        : " =";
  }

  private static String text(String value) {
    return "CAST(" + Identifiers.literal(value) + " AS text)";
  }

  private static String leading(@Nullable KeyColumn leadingKey, String column, String value) {
    return leadingKey == null ? "" : leadingKey.compared(column, "=", value) + " AND ";
  }

  /** Returns the number of chunks that one statement inserts. */
  public static int chunksPerInsert(int chunkSize) {
    return Math.max(1, INSERT_BYTES / chunkSize);
  }

  /**
   * Returns the statement that inserts the chunks of one parameter. With checksums the parameter
   * begins with four bytes for each of {@link #chunksPerInsert}. Then all full chunks follow. The
   * bound of the series is a literal: with a parameter there, the planner would expect 1,000 rows
   * from a generic plan, never choose it, and copy the payload into each custom plan.
   */
  public String insertChunks(int chunkSize, boolean checksums) {
    int chunks = chunksPerInsert(chunkSize);
    int header = checksums ? 4 * chunks : 0;
    return get(BlobSql.INSERT_SLICES)
        + """
        %s, substring(d.data FROM n.i + %s FOR %s)
        FROM (SELECT CAST(? AS bytea) AS data) d, pg_catalog.generate_series(0, %s, %s) n(i)
        WHERE n.i + %s < pg_catalog.octet_length(d.data)\
        """
            .formatted(
                checksums ? checksum("n.i / " + chunkSize + " * 4") : "NULL",
                header + 1,
                chunkSize,
                (chunks - 1) * chunkSize,
                chunkSize,
                header);
  }

  /** Returns an expression that converts four bytes of the parameter to a signed integer. */
  private static String checksum(String at) {
    return """
    CAST((pg_catalog.get_byte(d.data, :at)::bigint * 16777216 + pg_catalog.get_byte(d.data, :at + 1) * 65536
      + pg_catalog.get_byte(d.data, :at + 2) * 256
      + pg_catalog.get_byte(d.data, :at + 3) + 2147483648) % 4294967296 - 2147483648 AS integer)\
    """
        .replace(":at", at);
  }
}
