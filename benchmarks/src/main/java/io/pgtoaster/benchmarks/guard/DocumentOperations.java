package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What is done with documents. */
final class DocumentOperations {
  private static final int ROLES = 1000;
  private static final DocumentSet ACTORS = DocumentSet.actors(2, ROLES);

  /** 130 KB, and one of a few roles that stays in its row. */
  private static final String LARGE = ACTORS.text(1);

  private static final String SMALL = ACTORS.text(0);

  private DocumentOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        large("get a short member", 20, (d, id, i) -> there(d.column.at(id, "height").text())),
        large("get a leaf", 20, (d, id, i) -> there(d.column.at(id, title(i)).text())),
        large(
            "slice of 20 elements",
            20,
            (d, id, i) -> there(d.column.at(id, "roles").slice(at(i), at(i) + 20))),
        large("load as text", 5, (d, id, i) -> there(d.column.text(id))),
        small(
            "set in a small one",
            20,
            (d, id, i) -> done(d.column.at(id, "height").set("1" + i + " cm"))),
        large(
            "set a short member",
            20,
            (d, id, i) -> done(d.column.at(id, "height").set("1" + i + " cm"))),
        large("set a leaf", 20, (d, id, i) -> done(d.column.at(id, title(i)).set(words(i)))),
        large(
            "insert an element",
            20,
            (d, id, i) -> done(d.column.at(id, element(i)).insert(ACTORS.element(random(i))))),
        large(
            "append an element",
            20,
            (d, id, i) -> done(d.column.at(id, "roles").append(ACTORS.element(random(i))))),
        large("remove an element", 20, (d, id, i) -> done(d.column.at(id, element(i)).remove())),
        large(
            "increment",
            20,
            (d, id, i) -> there(d.column.at(id, element(i) + ".year").increment(1))),
        large("merge two members", 20, (d, id, i) -> d.column.merge(id, patch(i))),
        large("put a changed one", 4, (d, id, i) -> d.column.put(id, changed(i))),
        eachItsOwn("first put", 4, (d, id, i) -> d.column.put(id, LARGE)),
        small(
            "put a small one", 20, (d, id, i) -> d.column.put(id, SMALL.replace(" cm", i + " cm"))),
        inSql("get a leaf in SQL", (d, id, i) -> d.query("pgtoaster.get_text(data, %s)", id, i)),
        inSql("set a leaf in SQL", (d, id, i) -> d.update("pgtoaster.set(data, %s, %s)", id, i)),
        transparent("get a leaf by operators", (d, id, i) -> d.query("data #>> %s", id, i)),
        transparent(
            "set a leaf by operators", (d, id, i) -> d.update("jsonb_set(data, %s, %s)", id, i)));
  }

  private static Operation large(String name, int times, Rows.Call<Documents> call) {
    return operation(
        name, times, false, false, (w, rounds) -> new Documents(w, rounds, 0, LARGE, call));
  }

  private static Operation inSql(String name, Rows.Call<Documents> call) {
    return operation(
        name, 20, false, true, (w, rounds) -> new Documents(w, rounds, 0, LARGE, call));
  }

  private static Operation small(String name, int times, Rows.Call<Documents> call) {
    return operation(
        name, times, false, false, (w, rounds) -> new Documents(w, rounds, 0, SMALL, call));
  }

  private static Operation eachItsOwn(String name, int times, Rows.Call<Documents> call) {
    return operation(
        name,
        times,
        false,
        false,
        (w, rounds) -> new Documents(w, rounds * times, times, "", call));
  }

  /** An operation by plain SQL that knows nothing of this library. */
  private static Operation transparent(String name, Rows.Call<Documents> call) {
    return operation(
        name,
        20,
        true,
        true,
        (w, rounds) -> {
          Documents documents = new Documents(w, rounds, 0, LARGE, call);
          Sql.run(w.session(), "SET pgtoaster.transparent = on");
          return documents;
        });
  }

  private static Operation operation(
      String name, int times, boolean extension, boolean alone, Operation.Opener opener) {
    return new Operation("document: " + name, times, extension, alone, opener);
  }

  private static int at(int i) {
    return i * 7919 % (ROLES - 100);
  }

  private static String element(int i) {
    return "roles[" + at(i) + "]";
  }

  private static String title(int i) {
    return element(i) + ".title";
  }

  private static Random random(int i) {
    return new Random(i);
  }

  private static String words(int i) {
    return DocumentSet.words(random(i), 4);
  }

  /** Makes the same patch in the same order in each run. */
  private static Map<String, Object> patch(int i) {
    return new TreeMap<>(Map.of("height", "1" + i + " cm", "born", i));
  }

  private static String changed(int i) {
    return LARGE.replace(" cm", i + " cm");
  }

  private static void there(Optional<?> value) {
    done(value.isPresent());
  }

  private static void done(boolean done) {
    if (!done) {
      throw new IllegalStateException("nothing was read or changed");
    }
  }

  /** Rows from 1 on, each with its document. */
  private static final class Documents extends Rows {
    private final DocumentColumn column;
    private final Call<Documents> call;

    Documents(Workplace workplace, int rows, int perRound, String text, Rows.Call<Documents> call)
        throws SQLException {
      super(workplace, "jsonb", "keyed", rows, perRound);
      this.call = call;
      this.column = workplace.toaster().documents("bench", table, "data");
      for (long id = 1; id <= rows && !text.isEmpty(); id++) {
        column.put(id, text);
      }
      workplace.vacuum(table);
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
}
