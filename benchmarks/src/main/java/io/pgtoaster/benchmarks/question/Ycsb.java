package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.DocumentStore;
import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Question 9. Operation: one operation of a core workload of YCSB, on records that are documents
 * with ten members. A: half reads, half updates; C: only reads; E: scans and 5 % inserts. A read
 * returns one field, a scan one field of up to 50 records. The choice of records follows a Zipfian
 * distribution.
 */
final class Ycsb extends Trial {
  private static final int FIELDS = 10;
  private static final double THETA = 0.99;
  private static final int SCAN = 50;

  private final String workload;

  /** Percentage of operations that insert or update a record. */
  private final int percent;

  /** Bytes of a field. */
  private final int field;

  private final double[] cumulative;
  private final DocumentStore documents;
  private final AtomicLong records;
  private final AtomicLong turns = new AtomicLong();

  Ycsb(Cell cell) throws Exception {
    this(cell, DocumentStore.open(cell.contender()), percent(cell));
  }

  private Ycsb(Cell cell, DocumentStore documents, int percent) throws Exception {
    super(documents, documents.database(), percent > 0);
    this.documents = documents;
    this.percent = percent;
    workload = cell.get("workload");
    long bytes = cell.bytes("size");
    field = (int) (bytes / FIELDS);
    cumulative = new double[(int) Math.max(50, Math.min(1000, (16L << 20) / bytes))];
    double sum = 0;
    for (int i = 0; i < cumulative.length; i++) {
      sum += 1 / Math.pow(i + 1.0, THETA);
      cumulative[i] = sum;
    }
    records = new AtomicLong(cumulative.length);
    Random random = new Random(cumulative.length);
    try (DocumentStore.Session session = documents.loader()) {
      for (long id = 0; id < cumulative.length; id++) {
        session.insert(id, record(random));
      }
    }
    documents.addOthers();
    documents.settle();
  }

  private static int percent(Cell cell) {
    return switch (cell.get("workload")) {
      case "A" -> 50;
      case "C" -> 0;
      default -> 5;
    };
  }

  private String record(Random random) {
    return IntStream.range(0, FIELDS)
        .mapToObj(i -> "\"field" + i + "\": \"" + Subject.noise(random, field) + "\"")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  @Override
  void begin() throws Exception {
    documents.settle();
  }

  @Override
  Operation operation(int thread) throws Exception {
    DocumentStore.Session session = documents.session();
    Random random = new Random(thread);
    return () -> {
      // Every hundred operations contain the same number of writes, and the first operation is a
      // write.
      boolean write = turns.getAndIncrement() * 37 % 100 < percent;
      if (write && workload.equals("A")) {
        session.set(popular(random), field(random), Subject.noise(random, field));
      } else if (write) {
        session.insert(records.getAndIncrement(), record(random));
      } else if (workload.equals("E")) {
        scan(session, random);
      } else {
        read(session, random);
      }
    };
  }

  /** Returns a record by popularity, with the popular ones spread over all numbers. */
  private long popular(Random random) {
    double wanted = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, wanted);
    int rank = Math.min(found < 0 ? -found - 1 : found, cumulative.length - 1);
    return ((rank * 2_654_435_761L) >>> 3) % cumulative.length;
  }

  private static DocumentPath field(Random random) {
    return DocumentPath.of("field" + random.nextInt(FIELDS));
  }

  private void read(DocumentStore.Session session, Random random) throws SQLException {
    long id = popular(random);
    String found = session.get(id, field(random));
    if (found == null || found.length() != field) {
      throw new IllegalStateException("wrong field of record " + id);
    }
  }

  private void scan(DocumentStore.Session session, Random random) throws SQLException {
    long from = popular(random);
    long to = Math.min(from + 1 + random.nextInt(SCAN), cumulative.length);
    List<Long> ids = LongStream.range(from, to).boxed().toList();
    equal("records", ids.size(), session.getAll(ids, field(random)).size());
  }

  @Override
  void check() throws Exception {
    equal("records", records.get(), documents.count());
  }
}
