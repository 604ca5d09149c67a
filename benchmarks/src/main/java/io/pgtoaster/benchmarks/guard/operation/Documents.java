package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.contender.DocumentSet;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rows from 1, each with a document. */
final class Documents extends Rows {
  private static final int ROLES = 1000;
  private static final DocumentSet ACTOR = DocumentSet.actor(1, ROLES);

  /** A document of 130 KB, stored in several rows. */
  static final String LARGE = ACTOR.text();

  /** A document of 13 KB, stored in a few nodes. */
  static final String MEDIUM = DocumentSet.actor(1, 100).text();

  static final String SMALL = DocumentSet.actor(0, 1).text();

  /** {@link #LARGE}, parsed. */
  static final JsonNode TREE = JsonMapper.shared().readTree(LARGE);

  private static final List<String> KEYED = List.of("jsonb", "keyed", "{}");

  final DocumentColumn column;
  private final Call<Documents> call;

  /**
   * Creates the documents.
   *
   * @param perRound rows per round; 0 if all calls of a round share a row
   * @param text text of each document; empty for none
   * @param prepare called for each row before counting starts
   */
  private Documents(
      Workplace workplace,
      List<String> attached,
      int rows,
      int perRound,
      String text,
      Call<Documents> prepare,
      Call<Documents> call)
      throws Exception {
    super(workplace, attached, rows, perRound);
    this.call = call;
    this.column = workplace.toaster().documents(name);
    for (id = 1; id <= rows; id++) {
      if (!text.isEmpty()) {
        column.putJson(id, text);
      }
      prepare.run(this);
    }
    workplace.vacuum(table);
  }

  /** Returns an operation whose calls in a round share a large document. */
  static Operation large(String name, int times, Call<Documents> call) {
    return shared(KEYED, "document: " + name, times, LARGE, call);
  }

  static Operation small(String name, Call<Documents> call) {
    return shared(KEYED, "document: " + name, 20, SMALL, call);
  }

  static Operation shared(
      List<String> column, String name, int times, String text, Call<Documents> call) {
    return new Operation(
        name, times, (w, rounds) -> new Documents(w, column, rounds, 0, text, d -> {}, call));
  }

  /** Returns an operation in which each call has its own row. */
  static Operation own(String name, int times, String text, Call<Documents> call) {
    return own(name, times, text, d -> {}, call);
  }

  static Operation own(
      String name, int times, String text, Call<Documents> prepare, Call<Documents> call) {
    return new Operation(
        "document: " + name,
        times,
        (w, rounds) -> new Documents(w, KEYED, rounds * times, times, text, prepare, call));
  }

  /**
   * Returns an operation on 20 rows at once, with medium documents: with large ones, calls in one
   * of eight databases would read two more nodes than in the others. With this size, all databases
   * read the same number of pages.
   */
  static Operation many(String name, Call<Documents> prepare, Call<Documents> call) {
    return new Operation(
        "document: " + name,
        5,
        (w, rounds) -> new Documents(w, KEYED, FIRST_20.size(), 0, MEDIUM, prepare, call));
  }

  /** Returns the index of an element. */
  static int at(int i) {
    return i * 7919 % (ROLES - 100);
  }

  static String element(int i) {
    return "roles[" + at(i) + "]";
  }

  /** Returns the current call's value below an element. */
  DocumentValue element(String rest) {
    return column.at(id, element(i) + rest);
  }

  DocumentValue value(String path) {
    return column.at(id, path);
  }

  DocumentValue roles() {
    return value("roles");
  }

  DocumentValue title() {
    return element(".title");
  }

  /** Returns a member of the current call's element of the large document. */
  JsonNode stored(String member) {
    return TREE.get("roles").get(at(i)).get(member);
  }

  Object newElement() {
    return ACTOR.element(new Random(i));
  }

  String height() {
    return "1" + i + " cm";
  }

  String words() {
    return DocumentSet.words(new Random(i), 4);
  }

  static void there(Optional<?> value) {
    done(value.isPresent());
  }

  static void done(boolean done) {
    if (!done) {
      throw new IllegalStateException("nothing was read or changed");
    }
  }

  @Override
  void call() throws Exception {
    call.run(this);
  }

  void query(String expression) throws SQLException {
    String text = expression.formatted("CAST(? AS text[])");
    String sql = "SELECT " + text + " FROM bench." + table + " WHERE id = ?";
    done(Sql.get(session, String.class, sql, steps(), id) != null);
  }

  void update(String expression) throws SQLException {
    String text = expression.formatted("CAST(? AS text[])", "CAST(? AS jsonb)");
    String sql = "UPDATE bench." + table + " SET data = " + text + " WHERE id = ?";
    Sql.update(session, sql, steps(), '"' + words() + '"', id);
  }

  private String steps() {
    return "{roles," + at(i) + ",title}";
  }
}
