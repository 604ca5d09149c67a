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
import io.pgtoaster.column.DocumentPath;
import java.sql.PreparedStatement;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Question 7: how much may stay in the row ({@code row_budget} of the library, {@code
 * toast_tuple_target} of a stock table). Documents have a short key and members of 150 bytes.
 * Operation: read the short key of all documents, or another member of one document.
 */
final class Budgets extends Trial {
  private static final String SCAN = "SELECT sum((data ->> 'id')::bigint) FROM docs";
  private static final int MEMBERS = 20;
  private static final int MEMBER = 150;

  private final Cell cell;
  private final DocumentContender documents;
  private final DocumentSession session;
  private final Random random = new Random(MEMBERS);
  private final int count;

  Budgets(Cell cell) throws Exception {
    this.cell = cell;
    count = cell.number("rows");
    documents = DocumentContender.open(cell.contender(), new Storage("", cell.number("budget")));
    try (DocumentSession loader = documents.loader()) {
      for (int id = 0; id < count; id++) {
        loader.insert(
            id,
            IntStream.range(0, MEMBERS)
                .mapToObj(i -> "\"m" + i + "\": \"" + Subject.noise(random, MEMBER) + "\"")
                .collect(Collectors.joining(", ", "{\"id\": " + id + ", ", "}")));
      }
    }
    session = documents.session();
    database().vacuum();
    Checks.plan(session.connection(), SCAN, "Seq Scan");
  }

  @Override
  public Database database() {
    return documents.database();
  }

  @Override
  public boolean scans() {
    return cell.method().equals("scan");
  }

  @Override
  public Operation operation(int thread) throws Exception {
    if (scans()) {
      PreparedStatement scan = session.connection().prepareStatement(SCAN);
      long sum = (long) count * (count - 1) / 2;
      return () -> Checks.equal("the sum", sum, Sql.number(scan));
    }
    return () -> {
      DocumentPath path = DocumentPath.of("m" + random.nextInt(MEMBERS));
      String found = session.get(random.nextInt(count), path);
      Checks.equal("the length", MEMBER, found == null ? 0 : found.length());
    };
  }

  @Override
  public void end(Counters cost) throws Exception {
    Meter.add("disk", database().diskBytes(), "B");
  }
}
