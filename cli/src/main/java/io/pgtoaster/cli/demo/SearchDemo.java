package io.pgtoaster.cli.demo;

import io.pgtoaster.PgToaster;
import io.pgtoaster.cli.terminal.TextTable;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Searches documents for words, in a keyed column and as plain jsonb, each with an index of its
 * words. Most of each document is out of line.
 */
final class SearchDemo {
  /** Size of each document, in bytes. */
  static final int SIZE = 20_000;

  private static final int DOCUMENTS = 300;
  private static final int EVERY = 75;
  private static final String SENTENCE = "The parcel waited in the harbour until the next morning.";
  private static final String WORDS = "harbour morning";
  private static final DocumentPath MEMBER = DocumentPath.of("events").index(50).key("open");

  private static final String VECTOR =
      "pg_catalog.jsonb_to_tsvector('english', doc, '[\"string\"]')";

  private static final String PLAIN_KEYS =
      """
      SELECT no FROM {table} WHERE {vector} @@ pg_catalog.websearch_to_tsquery('english', ?)
      ORDER BY no LIMIT 20
      """;

  /** Finds the best string of each document, as pgtoaster does. */
  private static final String PLAIN_RANKED =
      """
      SELECT no, (
          SELECT pg_catalog.ts_headline('english', string #>> '{}', best.words)
          FROM pg_catalog.jsonb_path_query(best.doc, 'strict $.** ? (@.type() == "string")') string
          ORDER BY pg_catalog.ts_rank(pg_catalog.to_tsvector('english', string #>> '{}'), best.words) DESC
          LIMIT 1)
      FROM (SELECT no, doc, words FROM {table}, pg_catalog.websearch_to_tsquery('english', ?) words
            WHERE {vector} @@ words
            ORDER BY pg_catalog.ts_rank({vector}, words) DESC, no
            LIMIT 20) best
      """;

  private final Workspace workspace;
  private final String plain;
  private final ColumnName column;
  private final DocumentColumn keyed;

  SearchDemo(Workspace workspace) throws SQLException {
    this.workspace = workspace;
    this.plain = workspace.table("search_jsonb");
    this.column = workspace.column("search_keyed", "doc");
    for (String table : List.of(plain, workspace.table("search_keyed"))) {
      workspace.execute("CREATE TABLE " + table + " (no integer PRIMARY KEY, doc jsonb)");
    }
    workspace.attach(column, JsonOptions.defaults());
    this.keyed = PgToaster.create(workspace.dataSource()).documents(column);
  }

  void run(PrintWriter out, Consumer<String> progress) throws SQLException, IOException {
    progress.accept(DOCUMENTS + " documents of " + Demo.label(SIZE) + ", with indexes of words");
    fill();
    index();
    progress.accept("documents: search");
    workspace.checkpoint();
    JsonSearch search = JsonSearch.text(WORDS).withLimit(20);
    List<SearchHit> hits = keyed.searchRanked(search);
    RoundRobin turns = new RoundRobin(workspace);
    compare(
        turns,
        "keys",
        i -> expect(keyed.search(search).size()),
        i -> expect(workspace.rows(sql(PLAIN_KEYS), WORDS)));
    compare(
        turns,
        "with snippets",
        i -> expect(keyed.searchRanked(search).size()),
        i -> expect(workspace.rows(sql(PLAIN_RANKED), WORDS)));
    DocumentColumn stock =
        PgToaster.create(workspace.dataSource()).documents(workspace.column("search_jsonb", "doc"));
    compare(
        turns,
        "set a member",
        i -> keyed.at(EVERY, MEMBER).set(i % 2 == 1),
        i -> stock.at(EVERY, MEMBER).set(i % 2 == 1));
    out.printf(
        Locale.ROOT,
        "%na search for \"%s\" in %d documents of %s, of which %d bytes are in the row%n",
        WORDS,
        DOCUMENTS,
        Demo.label(SIZE),
        keyed.stat(EVERY).orElseThrow().inlineBytes());
    out.print(table(hits) + "\n" + turns.millis() + turns.walBytes());
  }

  private void fill() throws SQLException {
    JsonMapper mapper = JsonMapper.shared();
    ObjectNode event = mapper.createObjectNode().put("text", SENTENCE);
    for (int no = 1; no <= DOCUMENTS; no++) {
      JsonNode document = mapper.readTree(new GeneratedDocument(SIZE + no).text());
      if (no % EVERY == 0) {
        document.withArray("events").insert(no / 4, event);
      }
      keyed.insert(no, document);
      workspace.update(
          "INSERT INTO " + plain + " VALUES (?, CAST(? AS jsonb))", no, document.toString());
    }
  }

  private void index() throws SQLException {
    PgToaster.create(workspace.dataSource())
        .catalog()
        .createIndex(column, JsonIndex.text("english"));
    workspace.execute(sql("CREATE INDEX ON {table} USING gin ({vector})"));
    workspace.execute("ANALYZE " + plain);
    workspace.vacuum();
  }

  private String sql(String statement) {
    return statement.replace("{table}", plain).replace("{vector}", VECTOR);
  }

  private static void compare(
      RoundRobin turns, String what, RoundRobin.Turn ours, RoundRobin.Turn theirs)
      throws SQLException, IOException {
    Map<String, RoundRobin.Turn> ways = new LinkedHashMap<>();
    ways.put("pgtoaster, keyed", ours);
    ways.put("plain jsonb", theirs);
    turns.take(what, ways);
  }

  private static void expect(int found) throws IOException {
    if (found != DOCUMENTS / EVERY) {
      throw new IOException("a search found " + found + " documents of " + DOCUMENTS / EVERY);
    }
  }

  private static TextTable table(List<SearchHit> hits) {
    TextTable table = new TextTable("ll");
    hits.forEach(hit -> table.row("document " + hit.key(), hit.snippet().replaceAll("</?b>", "*")));
    return table;
  }
}
