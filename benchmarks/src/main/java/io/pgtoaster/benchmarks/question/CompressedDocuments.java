package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.contender.document.DocumentContender;
import io.pgtoaster.benchmarks.contender.document.DocumentSession;
import io.pgtoaster.benchmarks.data.DocumentKinds;
import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Space;
import io.pgtoaster.benchmarks.trial.Trial;
import io.pgtoaster.column.DocumentPath;
import java.sql.PreparedStatement;
import java.util.Random;

/**
 * Question 7. Operation: read one short string of a document, or a short key of all documents, with
 * several readers at the same time.
 */
final class CompressedDocuments extends Trial {
  private static final String SCAN = "SELECT count(data ->> 'height') FROM docs";
  private static final int SCANNED = 500;

  private final DocumentSet set;
  private final DocumentContender documents;
  private final Space space;
  private final boolean scans;
  private final int count;

  CompressedDocuments(Cell cell) throws Exception {
    set = DocumentKinds.of(cell.get("data"));
    scans = cell.method().equals("scan");
    count = scans ? SCANNED : Math.max(8, cell.batch().threads());
    documents = DocumentContender.open(cell.contender(), new Storage(cell.get("compression"), 0));
    if (!scans) {
      documents.addOthers();
    }
    space = new Space(database(), (double) count * set.text(0).length());
    try (DocumentSession session = documents.loader()) {
      for (int id = 1; id <= count; id++) {
        session.insert(id, set.text(0));
      }
    }
    database().vacuum();
    if (scans) {
      Checks.plan(database().connection(), SCAN, "Seq Scan");
    }
  }

  @Override
  public Database database() {
    return documents.database();
  }

  @Override
  public boolean scans() {
    return scans;
  }

  @Override
  public Operation operation(int thread) throws Exception {
    DocumentSession session = documents.session();
    if (scans) {
      PreparedStatement scan = session.connection().prepareStatement(SCAN);
      return () -> Checks.equal("the documents with a height", (long) count, Sql.number(scan));
    }
    Random random = new Random(thread);
    return () -> {
      DocumentPath path = set.place(0, random);
      if (session.get(1 + random.nextInt(count), path) == null) {
        throw new IllegalStateException("there is nothing at " + path);
      }
    };
  }

  @Override
  public void end(Counters cost) throws Exception {
    space.add();
  }
}
