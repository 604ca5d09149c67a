package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonIndex;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * Searches and changes products with variants and reviews, and compares them with plain {@code
 * jsonb} that has the same GIN indexes. Prints the rows of a table: pgtoaster, plain, ratio.
 */
final class Searches {
  private static final String CONFIG = "english";
  private static final String VECTOR = "jsonb_to_tsvector('english', data, '[\"string\"]')";
  private static final String GIN_INDEXES =
      " FROM pg_class c JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'gin'";
  private static final int CHANGES = 1_000;
  private static final int FEW_CHANGES = 100;

  /** Number of rows with the same lot. */
  private static final int LOT = 200;

  /** A tenth as many documents are stored if they are larger than this, in kilobytes. */
  private static final int LARGE = 100;

  private final Workplace workplace;
  private final int kilobytes;
  private final int count;
  private final DocumentColumn ours;
  private final ColumnName column;

  private Searches(Workplace workplace, int kilobytes, int count) throws SQLException {
    this.workplace = workplace;
    this.kilobytes = kilobytes;
    this.count = count;
    this.column = ColumnName.of("bench", workplace.table("jsonb", "keyed", "{}", 0), "data");
    this.ours = workplace.toaster().documents(column);
    sql("SET synchronous_commit = off");
    sql("SET max_parallel_maintenance_workers = 0");
    sql("SET enable_seqscan = off"); // plain jsonb used sequential scans on few documents
    sql("DROP TABLE IF EXISTS bench.plain");
    sql("CREATE TABLE bench.plain (id bigint PRIMARY KEY, data jsonb)");
  }

  /** Measures {@code count} documents of 2 KB and of 20 KB, and a tenth as many of 200 KB. */
  static void run(Workplace workplace, int count) throws Exception {
    for (int kilobytes : new int[] {2, 20, 200}) {
      int documents = kilobytes > LARGE ? count / 10 : count;
      new Searches(workplace, kilobytes, Math.max(documents, 20)).measure();
    }
  }

  private void measure() throws Exception {
    load();
    System.out.printf(Locale.ROOT, "%,d documents of %d KB%n", count, kilobytes);
    ranges();
    build("containment", JsonIndex.containment(), "data jsonb_path_ops");
    build("text", JsonIndex.text(CONFIG), "(" + VECTOR + ")");
    workplace.vacuum(column.table());
    sql("VACUUM (ANALYZE) bench.plain");
    searches("");
    Random random = new Random(1);
    int changes = Math.min(CHANGES, 10 * count);
    change("first change of a document", LongStream.rangeClosed(1, Math.min(CHANGES, count)));
    change("further change", random.longs(changes, 1, count + 1L));
    searches(", after many changes");
    String indexes = "SELECT c.oid::regclass::text" + GIN_INDEXES;
    for (String index : Sql.list(workplace.session(), String.class, indexes)) {
      sql("ALTER INDEX " + index + " SET (fastupdate = off)");
      sql("SELECT gin_clean_pending_list('" + index + "')");
    }
    change(
        "further change, fastupdate off",
        random.longs(Math.min(FEW_CHANGES, count), 1, count + 1L));
    sql("DROP TABLE bench." + column.table());
  }

  private void sql(String statement) throws SQLException {
    Sql.run(workplace.session(), statement);
  }

  private void load() throws SQLException {
    Random random = new Random(kilobytes);
    for (long id = 1; id <= count; id++) {
      String json = document((int) id, random);
      ours.insertJson(id, json);
      Sql.update(workplace.session(), "INSERT INTO bench.plain VALUES (?, ?::jsonb)", id, json);
    }
  }

  /** Returns a document of which half is variants and half is reviews. */
  private String document(int id, Random random) {
    int bytes = kilobytes * 1000;
    StringBuilder json = new StringBuilder(bytes + 1000);
    json.append(
        "{\"brand\": \"B%d\", \"lot\": \"L%d\", \"variants\": [".formatted(id % 100, lot(id)));
    for (int i = 0; json.length() < bytes / 2 || i < 3; i++) {
      json.append(i == 0 ? "" : ", ")
          .append(
              "{\"sku\": \"S%d-%d\", \"lot\": \"L%d\", \"color\": \"c%d\", \"price\": %d, \"stock\": %d}"
                  .formatted(
                      id, i, lot(id), i % 20, random.nextInt(100_000), random.nextInt(1000)));
    }
    json.append("], \"reviews\": [");
    for (int i = 0; json.length() < bytes || i == 0; i++) {
      json.append(i == 0 ? "" : ", ").append("{\"stars\": %d, \"text\": \"".formatted(i % 5 + 1));
      json.append(i > 0 ? "" : "seldom" + id % (count / 5) + (id % 10 == 0 ? " often " : " "));
      for (int word = 0; word < 30; word++) {
        json.append('w').append((int) (5000 * Math.pow(random.nextDouble(), 3))).append(' ');
      }
      json.append("\"}");
    }
    return json.append("]}").toString();
  }

  private int lot(int id) {
    return id % Math.max(1, count / LOT);
  }

  private void build(String name, JsonIndex index, String expression) throws Exception {
    long before = indexBytes();
    double one = nanos(() -> workplace.toaster().catalog().createIndex(column, index));
    long between = indexBytes();
    double other = nanos(() -> sql("CREATE INDEX ON bench.plain USING gin (" + expression + ")"));
    long after = indexBytes();
    row(name + " index, MB", (between - before) / 1e6, (after - between) / 1e6);
    row(name + " index, build, s", one / 1e9, other / 1e9);
  }

  private double nanos(Backend.Work work) throws Exception {
    return workplace.backend().of(work).nanos();
  }

  private long indexBytes() throws SQLException {
    return Sql.number(
        workplace.session(),
        "SELECT coalesce(sum(pg_relation_size(c.oid)), 0)::bigint" + GIN_INDEXES);
  }

  private void searches(String when) throws Exception {
    String contains = "data @> ?::jsonb";
    String matches = VECTOR + " @@ websearch_to_tsquery('english', ?)";
    Random random = new Random(2);
    List<String> skus = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      skus.add("S" + (1 + random.nextInt(count)) + "-1");
    }
    search("sku" + when, contains, skus, "sku");
    search("200 rows" + when, contains, List.of("L0"), "lot");
    search("a word in 5 documents" + when, matches, List.of("seldom1", "seldom2", "seldom3"), "");
    search("a word in a tenth of the documents" + when, matches, List.of("often"), "");
  }

  /**
   * Searches for ranges of prices, for which plain jsonb has no index, and compares a change of one
   * leaf with and without the path index.
   */
  private void ranges() throws Exception {
    int times = Math.min(FEW_CHANGES, count);
    Random random = new Random(3);
    Backend.Cost without = changes(times, random);
    workplace.toaster().catalog().createIndex(column, JsonIndex.path("variants[*].price"));
    row("path index, MB; plain, table with TOAST, MB", indexBytes() / 1e6, plainBytes() / 1e6);
    Backend.Cost with = changes(times, random);
    row(
        "a changed price, us; without path index",
        with.nanos() / 1e3 / times,
        without.nanos() / 1e3 / times);
    row(
        "a changed price, WAL, kB; without path index",
        with.wal() / 1e3 / times,
        without.wal() / 1e3 / times);
    workplace.vacuum(column.table());
    for (int width : new int[] {0, 10, 1000}) {
      range(width, times / 5 + 1);
    }
    cheapest(times / 5 + 1);
    workplace.toaster().catalog().dropIndex(column, JsonIndex.Kind.PATH);
  }

  private long plainBytes() throws SQLException {
    return Sql.number(workplace.session(), "SELECT pg_table_size('bench.plain')");
  }

  private void range(int width, int times) throws Exception {
    List<List<?>> one = new ArrayList<>();
    List<List<?>> other = new ArrayList<>();
    IntFunction<Integer> low = i -> 50_000 + 997 * (i % 40);
    Backend.Cost cost =
        cost(
            times,
            i -> {
              int from = low.apply(i);
              JsonRange range = JsonRange.between("variants[*].price", from, from + width);
              one.add(ours.search(JsonSearch.range(range)));
            });
    String sql =
        "SELECT id FROM bench.plain WHERE jsonb_path_exists(data,"
            + " '$.variants[*].price ? (@ >= $low && @ <= $high)', ?::jsonb)"
            + " ORDER BY id LIMIT 1000";
    Backend.Cost plain =
        cost(
            times,
            i -> {
              int from = low.apply(i);
              String range = "{\"low\": %d, \"high\": %d}".formatted(from, from + width);
              other.add(Sql.list(workplace.session(), Long.class, sql, range));
            });
    Trial.equal("range", one, other);
    row(
        "prices within %d (%d rows), us".formatted(width, one.get(0).size()),
        cost.nanos() / 1e3 / times,
        plain.nanos() / 1e3 / times);
  }

  private void cheapest(int times) throws Exception {
    List<List<?>> one = new ArrayList<>();
    List<List<?>> other = new ArrayList<>();
    JsonSearch prices = JsonSearch.range(JsonRange.of("variants[*].price")).withLimit(20);
    JsonOrder order = JsonOrder.ascending("variants[*].price");
    Backend.Cost cost =
        cost(
            times,
            i ->
                one.add(
                    ours.searchOrdered(prices, order).stream().map(JsonOrder.Hit::key).toList()));
    String sql =
        "SELECT id FROM (SELECT id, (SELECT min((v.v ->> 'price')::numeric)"
            + " FROM jsonb_array_elements(data -> 'variants') v(v)) AS price FROM bench.plain) p"
            + " ORDER BY price, id LIMIT 20";
    Backend.Cost plain =
        cost(times, i -> other.add(Sql.list(workplace.session(), Long.class, sql)));
    Trial.equal("cheapest", one, other);
    row("20 lowest prices, us", cost.nanos() / 1e3 / times, plain.nanos() / 1e3 / times);
  }

  /**
   * Changes prices in our documents and in the plain ones, and returns the cost of the changes in
   * ours.
   */
  private Backend.Cost changes(int times, Random random) throws Exception {
    long[] ids = random.longs(times + 10L, 1, count + 1L).toArray();
    int[] prices = random.ints(times + 10L, 0, 100_000).toArray();
    for (int i = 0; i < times; i++) {
      Sql.execute(
          workplace.session(),
          "UPDATE bench.plain SET data = jsonb_set(data, '{variants,1,price}', to_jsonb(?::int))"
              + " WHERE id = ?",
          prices[i],
          ids[i]);
    }
    return cost(times, i -> ours.at(ids[i], "variants[1].price").set(prices[i]));
  }

  /** Searches for the values of a key of the variants, or for words if the key is empty. */
  private void search(String what, String condition, List<String> values, String key)
      throws Exception {
    int times = Math.min(kilobytes > LARGE ? 60 : 200, count);
    int some = values.size() > 5 ? times : times / 10;
    boolean words = key.isEmpty();
    // Without MATERIALIZED, the plan may read the primary key in order.
    String sql =
        "WITH m AS MATERIALIZED (SELECT id FROM bench.plain WHERE "
            + condition
            + ") SELECT id FROM m ORDER BY id LIMIT 1000";
    IntFunction<String> value = i -> values.get(i % values.size());
    List<List<?>> one = new ArrayList<>();
    List<List<?>> other = new ArrayList<>();
    Backend.Cost cost =
        cost(
            some,
            i ->
                one.add(
                    ours.search(
                        words
                            ? JsonSearch.text(value.apply(i))
                            : JsonSearch.containsJson(probe(key, value.apply(i))))));
    Backend.Cost plain =
        cost(
            some,
            i -> {
              String wanted = words ? value.apply(i) : probe(key, value.apply(i));
              other.add(Sql.list(workplace.session(), Long.class, sql, wanted));
            });
    Trial.equal(what, one, other);
    row(
        what + " (" + one.get(0).size() + "), us",
        cost.nanos() / 1e3 / some,
        plain.nanos() / 1e3 / some);
  }

  private static String probe(String key, String value) {
    return "{\"variants\": [{\"%s\": \"%s\"}]}".formatted(key, value);
  }

  private void change(String what, LongStream rows) throws Exception {
    String sql =
        "UPDATE bench.plain SET data = jsonb_set(data, '{variants,2,stock}', to_jsonb(?::int)) WHERE id = ?";
    long[] ids = rows.toArray();
    Backend.Cost one = cost(ids.length, i -> ours.at(ids[i], "variants[2].stock").set(1000 + i));
    Backend.Cost other =
        cost(ids.length, i -> Sql.update(workplace.session(), sql, 1000 + i, ids[i]));
    row(what + ", us", one.nanos() / 1e3 / ids.length, other.nanos() / 1e3 / ids.length);
    row(what + ", WAL, kB", one.wal() / 1e3 / ids.length, other.wal() / 1e3 / ids.length);
  }

  @FunctionalInterface
  private interface Step {
    void run(int i) throws Exception;
  }

  /** Returns the cost after ten warm-up steps, which prepare the statements. */
  private Backend.Cost cost(int times, Step step) throws Exception {
    for (int i = 0; i < 10; i++) {
      step.run(i);
    }
    return workplace
        .backend()
        .of(
            () -> {
              for (int i = 0; i < times; i++) {
                step.run(i);
              }
            });
  }

  private static void row(String what, double one, double other) {
    System.out.printf(
        Locale.ROOT, "| %s | %,.1f | %,.1f | %.2f |%n", what, one, other, one / other);
  }
}
