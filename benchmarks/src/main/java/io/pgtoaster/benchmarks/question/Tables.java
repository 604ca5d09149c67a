package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.COLUMN;

import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.contender.document.DocumentContender;
import io.pgtoaster.benchmarks.contender.document.DocumentSession;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Subject;
import io.pgtoaster.benchmarks.trial.Trial;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Question 5, for whole tables. Operation: one query over all rows that counts the documents with a
 * key, or sums four counters of each.
 */
final class Tables extends Trial {
  private static final List<String> COUNTERS = List.of("score", "views", "answers", "favorites");
  private static final String IDS = "SELECT count(data ->> 'id') FROM docs";

  private final DocumentContender documents;
  private final PreparedStatement query;
  private final long expected;

  Tables(Cell cell) throws Exception {
    documents = DocumentContender.open(cell.contender(), Storage.defaults());
    int size = (int) (Double.parseDouble(cell.get("body").replace("KB", "")) * 1000);
    long count = cell.number("rows");
    Random random = new Random(size);
    try (DocumentSession session = documents.loader()) {
      for (int id = 0; id < count; id++) {
        session.insert(id, post(id, Subject.noise(random, size)));
      }
    }
    boolean columns = cell.contender().equals(COLUMN);
    if (columns) {
      addColumns();
    }
    database().vacuum();
    boolean ids = cell.method().equals("ids");
    String each = columns ? "%s" : "(data ->> '%s')::bigint";
    String sum =
        COUNTERS.stream()
            .map(c -> "sum(" + each.formatted(c) + ")")
            .collect(Collectors.joining(" + ", "SELECT ", " FROM docs"));
    String sql = ids ? IDS : sum;
    Checks.plan(database().connection(), sql, "Seq Scan");
    query = database().connect().prepareStatement(sql);
    expected = ids ? count : 4 * count * (count - 1) / 2 + 6 * count;
  }

  private static String post(int id, String text) {
    return String.format(
        Locale.ROOT,
        """
        {"id": %d, "body": "%s", "score": %d, "views": %d, "answers": %d, "favorites": %d}""",
        id,
        text,
        id,
        id + 1,
        id + 2,
        id + 3);
  }

  /** Adds the counters as ordinary columns. */
  private void addColumns() throws SQLException {
    for (String counter : COUNTERS) {
      database().run("ALTER TABLE bench.docs ADD " + counter + " bigint");
    }
    database()
        .run(
            COUNTERS.stream()
                .map(c -> "%1$s = (data ->> '%1$s')::bigint".formatted(c))
                .collect(Collectors.joining(", ", "UPDATE bench.docs SET ", "")));
    database().run("VACUUM FULL bench.docs");
  }

  @Override
  public Database database() {
    return documents.database();
  }

  @Override
  public boolean scans() {
    return true;
  }

  @Override
  public Operation operation(int thread) {
    return () -> Checks.equal("the result", expected, Sql.number(query));
  }

  @Override
  public void end(Counters cost) throws Exception {
    Meter.add("disk", database().diskBytes(), "B");
  }
}
