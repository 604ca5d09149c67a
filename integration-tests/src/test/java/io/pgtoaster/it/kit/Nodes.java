package io.pgtoaster.it.kit;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Inserts the rows of split documents directly, in the format of the toaster {@code keyed}. */
public record Nodes(Database database, int store) {
  /** Returns the name of one table of the store. */
  public String table(String part) {
    return "pgtoaster.store_" + store + "_" + part;
  }

  /** Inserts a head that the row with this key owns; returns its id. */
  public long head(Object... key) {
    return database.number(
        "INSERT INTO %s (%s) VALUES (%s) RETURNING id"
            .formatted(
                table("head"),
                IntStream.rangeClosed(1, key.length)
                    .mapToObj(i -> "owner_" + i)
                    .collect(Collectors.joining(", ")),
                Arrays.stream(key)
                    .map(k -> Sql.literal(k.toString()))
                    .collect(Collectors.joining(", "))));
  }

  /** Inserts a leaf with the branches that it marks. */
  public Nodes leaf(long document, long id, String json, long... marked) {
    database.run(
        "INSERT INTO %s (doc, id, kind, bytes, value, kids) SELECT %d, %d, left(jsonb_typeof(v), 1),"
                .formatted(table("node"), document, id)
            + " pg_column_size(v), v, %s FROM CAST(%s AS jsonb) v"
                .formatted(marked.length == 0 ? "NULL" : array(marked), Sql.literal(json)));
    return this;
  }

  /** Inserts an inner node of an array; {@code starts} ends with the number of all elements. */
  public Nodes array(long document, long id, long[] kids, long... starts) {
    return inner(document, id, "a", kids, array(starts), "NULL");
  }

  /** Inserts an inner node of an object, with the first key of each child except the first. */
  public Nodes object(long document, long id, long[] kids, String... firstKeys) {
    String lows =
        Arrays.stream(firstKeys)
            .map(k -> ", pgtoaster.key_code(" + Sql.literal(k) + ")")
            .collect(Collectors.joining());
    return inner(document, id, "o", kids, "NULL", "ARRAY[CAST('' AS bytea)" + lows + "]");
  }

  /** Inserts an inner node of a string. */
  public Nodes string(long document, long id, long... kids) {
    return inner(document, id, "s", kids, "NULL", "NULL");
  }

  private Nodes inner(
      long document, long id, String kind, long[] kids, String starts, String lows) {
    database.run(
        "INSERT INTO %s (doc, id, kind, bytes, kids, starts, lows) VALUES (%d, %d, '%s', 0, %s, %s, %s)"
            .formatted(table("node"), document, id, kind, array(kids), starts, lows));
    return this;
  }

  private static String array(long... values) {
    return "'"
        + Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(",", "{", "}"))
        + "'";
  }

  /** Returns the number of nodes of a document. */
  public long count(long document) {
    return database.number(
        "SELECT count(*) FROM %s WHERE doc = %d".formatted(table("node"), document));
  }

  /** Returns the number of all heads. */
  public long heads() {
    return database.number("SELECT count(*) FROM " + table("head"));
  }

  /**
   * Stores a document with nodes of all kinds in an existing row: an array of two leaves, one of
   * which marks a string of two pieces, and two members in the overflow branch of the root.
   *
   * @return the id of the document
   */
  public long sample(String table, String column, String where, Object... key) {
    long d = head(key);
    array(d, 1, new long[] {2, 3}, 0, 3, 5);
    leaf(d, 2, "[\"x\", {\"$$pgtoaster\": 7, \"k\": 1.00}, {\"$pgtoaster\": 4}]", 4);
    leaf(d, 3, "[{\"b\": 2}, 5]");
    string(d, 4, 5, 6);
    leaf(d, 5, "\"hello \"");
    leaf(d, 6, "\"wor\\\"ld\"");
    object(d, 7, new long[] {8, 9}, "cc");
    leaf(d, 8, "{\"z\": 1}");
    leaf(d, 9, "{\"cc\": 2, \"$$pgtoaster\": {\"q\": [1]}}");
    database.run("UPDATE %s SET %s = '%s' WHERE %s".formatted(table, column, stub(d), where));
    return d;
  }

  /** The stub in the row of {@link #sample}. */
  public static String stub(long document) {
    return ("{\"$pgtoaster\": [%d, 7], \"id\": 7, \"list\": {\"$pgtoaster\": 1},"
            + " \"in\": {\"x\": {\"$pgtoaster\": 4}, \"y\": 2}}")
        .formatted(document);
  }

  /** The whole document of {@link #sample}. */
  public static final String SAMPLE =
      "{\"id\": 7, \"list\": [\"x\", {\"$pgtoaster\": 7, \"k\": 1.00}, \"hello wor\\\"ld\","
          + " {\"b\": 2}, 5], \"in\": {\"x\": \"hello wor\\\"ld\", \"y\": 2}, \"z\": 1, \"cc\": 2,"
          + " \"$pgtoaster\": {\"q\": [1]}}";
}
