package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.document.StoreSession;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Subject;
import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The core workloads of YCSB. A: half reads, half updates; B: mostly reads; C: only reads; D: reads
 * of the latest records, and inserts; E: scans and inserts; F: read-modify-write. A read returns
 * one field, a scan one field of up to 50 records. Safe for several threads.
 */
final class YcsbWorkload {
  static final int FIELDS = 10;
  private static final double THETA = 0.99;
  private static final int SCAN = 50;

  /** Percentage of operations that insert or update a record. */
  private static final Map<String, Integer> PERCENTS =
      Map.of("A", 50, "B", 5, "C", 0, "D", 5, "E", 5, "F", 50);

  private final String name;
  private final int percent;
  private final int field;
  private final double[] cumulative;
  private final AtomicLong records;
  private final AtomicLong inserted;
  private final AtomicLong turns = new AtomicLong();
  private final AtomicLong changed = new AtomicLong();

  YcsbWorkload(String name, int count, int field) {
    this.name = name;
    this.percent = Objects.requireNonNull(PERCENTS.get(name), name);
    this.field = field;
    this.records = new AtomicLong(count);
    this.inserted = new AtomicLong(count);
    this.cumulative = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += 1 / Math.pow(i + 1.0, THETA);
      cumulative[i] = sum;
    }
  }

  long inserted() {
    return inserted.get();
  }

  /** Returns the number of records inserted or updated so far. */
  long changed() {
    return changed.get();
  }

  /** Returns whether the workload has writes. */
  boolean mixed() {
    return percent > 0;
  }

  /**
   * Returns whether an operation is a write. Each hundred operations have the same number of
   * writes, and the first operation is one.
   */
  private boolean changes(long turn) {
    return turn * 37 % 100 < percent;
  }

  /** Returns how many writes there should have been so far. */
  long planned() {
    long all = turns.get();
    return all / 100 * percent
        + LongStream.range(all - all % 100, all).filter(this::changes).count();
  }

  void load(StoreSession session) throws SQLException {
    Random random = new Random(cumulative.length);
    for (long id = 0; id < cumulative.length; id++) {
      session.insert(id, record(random));
    }
  }

  private String record(Random random) {
    return IntStream.range(0, FIELDS)
        .mapToObj(i -> "\"field" + i + "\": \"" + Subject.noise(random, field) + "\"")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** Returns a rank by popularity, which is mostly small. */
  private int rank(Random random) {
    double wanted = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, wanted);
    return Math.min(found < 0 ? -found - 1 : found, cumulative.length - 1);
  }

  /** Spreads the popular records over all numbers. */
  private long popular(Random random) {
    return ((rank(random) * 2_654_435_761L) >>> 3) % cumulative.length;
  }

  private long latest(Random random) {
    return inserted.get() - 1 - rank(random);
  }

  private static DocumentPath field(Random random) {
    return DocumentPath.of("field" + random.nextInt(FIELDS));
  }

  void one(StoreSession session, Random random) throws SQLException {
    boolean change = changes(turns.getAndIncrement());
    switch (name) {
      case "A", "B", "C" -> {
        long id = popular(random);
        if (change) {
          update(session, random, id);
        } else {
          read(session, random, id);
        }
      }
      case "D", "E" -> {
        if (change) {
          insert(session, random);
        } else if (name.equals("D")) {
          read(session, random, Math.max(0, latest(random)));
        } else {
          scan(session, random);
        }
      }
      default -> {
        long id = popular(random);
        read(session, random, id);
        if (change) {
          update(session, random, id);
        }
      }
    }
  }

  private void read(StoreSession session, Random random, long id) throws SQLException {
    String found = session.get(id, field(random));
    // A record may be missing while another thread inserts it.
    if (found == null ? id < cumulative.length : found.length() != field) {
      throw new IllegalStateException("wrong field of record " + id);
    }
  }

  private void update(StoreSession session, Random random, long id) throws SQLException {
    session.set(id, field(random), Subject.noise(random, field));
    changed.incrementAndGet();
  }

  private void insert(StoreSession session, Random random) throws SQLException {
    long id = records.getAndIncrement();
    session.insert(id, record(random));
    inserted.incrementAndGet();
    changed.incrementAndGet();
  }

  private void scan(StoreSession session, Random random) throws SQLException {
    long from = popular(random);
    List<Long> ids =
        LongStream.range(from, Math.min(from + 1 + random.nextInt(SCAN), cumulative.length))
            .boxed()
            .toList();
    Checks.equal("records", ids.size(), session.getAll(ids, field(random)).size());
  }
}
