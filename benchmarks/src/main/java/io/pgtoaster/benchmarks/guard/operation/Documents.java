package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

  final DocumentColumn column;
  private final Call<Documents> call;

  /**
   * Creates the documents.
   *
   * @param perRound rows per round; 0 if all calls of a round share a row
   * @param text text of each document; empty for none
   * @param prepare called for each row before counting starts
   */
  Documents(
      Workplace workplace,
      Column attached,
      int rows,
      int perRound,
      String text,
      Call<Documents> prepare,
      Call<Documents> call)
      throws Exception {
    super(workplace, attached, rows, perRound);
    this.call = call;
    this.column = workplace.toaster().documents(ColumnName.of("bench", table, "data"));
    for (long id = 1; id <= rows; id++) {
      if (!text.isEmpty()) {
        column.putJson(id, text);
      }
      prepare.run(this, id, 0);
    }
    workplace.vacuum(table);
  }

  /** Returns an operation whose calls in a round share a large document. */
  static Operation large(String name, int times, Call<Documents> call) {
    return oneForAll(Column.KEYED, "document: " + name, times, LARGE, call);
  }

  static Operation small(String name, int times, Call<Documents> call) {
    return oneForAll(Column.KEYED, "document: " + name, times, SMALL, call);
  }

  static Operation oneForAll(
      Column column, String name, int times, String text, Call<Documents> call) {
    return Operation.of(
        name, times, (w, rounds) -> new Documents(w, column, rounds, 0, text, Rows::nothing, call));
  }

  /** Returns an operation in which each call has its own row. */
  static Operation eachItsOwn(String name, int times, String text, Call<Documents> call) {
    return eachItsOwn(name, times, text, Rows::nothing, call);
  }

  static Operation eachItsOwn(
      String name, int times, String text, Call<Documents> prepare, Call<Documents> call) {
    return Operation.of(
        "document: " + name,
        times,
        (w, rounds) -> new Documents(w, Column.KEYED, rounds * times, times, text, prepare, call));
  }

  /** Returns the index of an element. */
  static int at(int i) {
    return i * 7919 % (ROLES - 100);
  }

  static String element(int i) {
    return "roles[" + at(i) + "]";
  }

  /** Returns a member of an element of the large document. */
  static JsonNode stored(int i, String member) {
    return TREE.get("roles").get(at(i)).get(member);
  }

  static Object newElement(int i) {
    return ACTOR.element(new Random(i));
  }

  static String words(int i) {
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
  public void close() throws SQLException {
    Sql.run(session, "SET pgtoaster.transparent = off");
  }

  @Override
  void call(long id, int i) throws Exception {
    call.run(this, id, i);
  }

  void query(String expression, long id, int i) throws SQLException {
    String text = expression.formatted("CAST(? AS text[])");
    try (PreparedStatement s =
        session.prepareStatement("SELECT " + text + " FROM bench." + table + " WHERE id = ?")) {
      s.setString(1, "{roles," + at(i) + ",title}");
      s.setLong(2, id);
      try (ResultSet r = s.executeQuery()) {
        done(r.next() && r.getString(1) != null);
      }
    }
  }

  void update(String expression, long id, int i) throws SQLException {
    String text = expression.formatted("CAST(? AS text[])", "CAST(? AS jsonb)");
    try (PreparedStatement s =
        session.prepareStatement(
            "UPDATE bench." + table + " SET data = " + text + " WHERE id = ?")) {
      s.setString(1, "{roles," + at(i) + ",title}");
      s.setString(2, '"' + words(i) + '"');
      s.setLong(3, id);
      done(s.executeUpdate() == 1);
    }
  }
}
