package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;

import io.pgtoaster.benchmarks.contender.DocumentContender;
import io.pgtoaster.benchmarks.contender.DocumentSession;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** A table with a document in several rows, and somebody who works on it. */
@State(Scope.Benchmark)
public class Documents {
  @Param(CHUNK_TABLES)
  public String contender;

  @Param(Subject.ACTORS)
  public String set;

  @Param("46")
  public String elements;

  @Param(Subject.SHORT)
  public String key;

  Subject subject;
  DocumentContender documents;
  DocumentSession session;
  Random random;
  int rows;
  int operations;
  private boolean growing;
  private int next;
  private long writtenRow = -1;
  private DocumentPath writtenPath = DocumentPath.root();
  private Object writtenValue = "";
  private PreparedStatement column;

  /**
   * Writes the documents.
   *
   * @param params of JMH
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void open(BenchmarkParams params) throws Exception {
    operations = params.getOpsPerInvocation();
    growing = params.getBenchmark().endsWith("append");
    subject = Subject.of(set, Integer.parseInt(elements), key);
    rows = subject.rows();
    random = new Random(rows);
    documents = DocumentContender.open(contender, Storage.defaults());
    try (DocumentSession loader = documents.loader()) {
      for (int id = 0; id < rows; id++) {
        loader.insert(id, subject.text());
      }
    }
    documents.addOthers();
    session = documents.session();
    documents.database().vacuum();
    Checks.plan(
        documents.database().connection(), "SELECT data FROM docs WHERE id = 0", "Index Scan");
    column = session.connection().prepareStatement("SELECT number FROM docs WHERE id = ?");
    for (DocumentPath path : subject.paths()) {
      Checks.equal(
          path.toString(),
          subject.expected(path),
          Subject.withoutBlanks(session.get(rows - 1L, path)));
    }
  }

  /**
   * Writes again what has grown, and reads the counters.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Iteration)
  public void begin() throws Exception {
    if (growing) {
      try (DocumentSession loader = documents.loader()) {
        for (int id = 0; id < rows; id++) {
          loader.put(id, subject.text());
        }
      }
    }
    documents.database().vacuum();
    Meter.begin(documents.database());
  }

  /**
   * Reads them again.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Iteration)
  public void end() throws Exception {
    Counters cost = Meter.end(documents.database());
    if (writtenRow >= 0) {
      Checks.written(cost);
    }
    Meter.add("document", subject.text().length(), "B");
  }

  /**
   * Compares what was written last with what is there, and drops everything.
   *
   * @throws Exception if it differs
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    DocumentContender closed = documents;
    try (closed) {
      if (writtenRow >= 0) {
        Checks.equal(
            writtenPath.toString(), writtenValue.toString(), session.get(writtenRow, writtenPath));
      }
    }
  }

  /** What should be there now. */
  void written(long row, DocumentPath path, Object value) {
    writtenRow = row;
    writtenPath = path;
    writtenValue = value;
  }

  /** The next row. */
  long row() {
    next++;
    return next % rows;
  }

  /** A place of it. */
  DocumentPath place() {
    return subject.paths().get(next % subject.paths().size());
  }

  /** The ordinary column of a row. */
  long number(long row) throws SQLException {
    column.setLong(1, row);
    try (ResultSet r = column.executeQuery()) {
      r.next();
      return r.getLong(1);
    }
  }
}
