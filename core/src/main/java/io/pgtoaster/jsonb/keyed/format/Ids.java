package io.pgtoaster.jsonb.keyed.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A growing list of node numbers. Also creates new numbers. Not thread-safe. */
public final class Ids {
  /** The empty list. Do not add to it. */
  public static final Ids NONE = new Ids(new long[0], 0);

  private static final long EPOCH_MILLIS = 1_767_225_600_000L;
  private static final int RANDOM_BITS = 20;
  private static final int BATCH = 5_000;
  private static final AtomicLong LAST =
      new AtomicLong(ThreadLocalRandom.current().nextLong(1L << (2 * RANDOM_BITS)));

  private long[] values;
  private int size;

  private Ids(long[] values, int size) {
    this.values = values;
    this.size = size;
  }

  public Ids() {
    this(new long[4], 0);
  }

  public static Ids of(long id) {
    return new Ids(new long[] {id}, 1);
  }

  /**
   * Returns a new number. Numbers increase with time, so that nodes written together are stored
   * together. Within a millisecond, 20 random bits make them unique. Numbers must be unique only
   * within a document: the primary key rejects duplicates, and such a transaction is retried. They
   * have at most 18 digits until 2056.
   */
  public static long next() {
    long millis = System.currentTimeMillis() - EPOCH_MILLIS;
    long candidate =
        (millis << RANDOM_BITS) | ThreadLocalRandom.current().nextLong(1L << RANDOM_BITS);
    return LAST.updateAndGet(last -> Math.max(last + 1, candidate));
  }

  public void add(long id) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = id;
  }

  public void addAll(Ids more) {
    for (int i = 0; i < more.size; i++) {
      add(more.values[i]);
    }
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public long get(int i) {
    return values[i];
  }

  /** Returns true if the list has the maximum length for one statement. */
  public boolean isFull() {
    return size == BATCH;
  }

  /** Returns the same numbers in lists of limited length. */
  public List<Ids> batches() {
    List<Ids> batches = new ArrayList<>();
    for (int from = 0; from < size; from += BATCH) {
      long[] some = Arrays.copyOfRange(values, from, Math.min(size, from + BATCH));
      batches.add(new Ids(some, some.length));
    }
    return batches;
  }

  /** Returns the numbers as PostgreSQL reads a {@code bigint[]}. */
  public String literal() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < size; i++) {
      text.append(i == 0 ? "" : ",").append(values[i]);
    }
    return text.append('}').toString();
  }
}
