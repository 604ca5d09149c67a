package io.pgtoaster.benchmarks.question;

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
import java.util.Random;

/**
 * The part of question 5 about a whole table. Operation: one query over all rows, for the number of
 * documents that have a key.
 */
final class Tables extends Trial {
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
    database().vacuum();
    Checks.plan(database().connection(), IDS, "Seq Scan");
    query = database().connect().prepareStatement(IDS);
    expected = count;
  }

  private static String post(int id, String text) {
    return "{\"id\": " + id + ", \"body\": \"" + text + "\", \"score\": " + id + "}";
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
