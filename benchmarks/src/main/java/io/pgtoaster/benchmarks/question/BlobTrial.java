package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.BlobContender;
import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Meter;
import java.util.Arrays;
import java.util.Random;

/** The trials of questions 1 to 4, and that of values in question 7. */
abstract class BlobTrial extends Trial {
  final Cell cell;
  final Payload payload;
  final BlobContender blobs;

  /** Number of the first value. */
  int first;

  private BlobTrial(Cell cell, Payload payload, BlobContender blobs, boolean writes) {
    super(blobs, blobs.database(), writes);
    this.cell = cell;
    this.payload = payload;
    this.blobs = blobs;
  }

  static BlobTrial of(Cell cell) throws Exception {
    String compression = cell.get("compression");
    BlobContender blobs =
        BlobContender.open(cell.contender(), compression.isEmpty() ? "none" : compression);
    return switch (cell.type()) {
      case "Appends" -> new Appends(cell, blobs);
      case "Growth" -> new Growth(cell, blobs);
      case "Streams" -> new Streams(cell, blobs);
      case "Appenders" -> new Appenders(cell, blobs);
      default -> new Values(cell, blobs);
    };
  }

  /** Question 1. Operation: append bytes to an existing value and commit. */
  private static final class Appends extends BlobTrial {
    private static final long MOST_FILLED = 64 << 20;

    private final BlobContender.Session session = blobs.session();
    private final long bytes = cell.bytes("size");
    private final int piece = (int) cell.bytes("piece");
    private final long[] lengths;
    private int next;

    Appends(Cell cell, BlobContender blobs) throws Exception {
      super(cell, Payload.random(), blobs, true);
      long values = Math.min(Math.min(cell.operations(), 100), MOST_FILLED / bytes);
      lengths = new long[(int) Math.max(1, values)];
      fill();
    }

    private void fill() throws Exception {
      first = blobs.fill(lengths.length, bytes, payload);
      Arrays.fill(lengths, bytes);
    }

    /** Writes new values if the old ones have grown too much. */
    @Override
    void begin() throws Exception {
      next = 0;
      if (lengths[0] > 3 * bytes / 2 && lengths[0] > bytes + 4096) {
        fill();
      }
    }

    /** Appends to one value after the other. */
    @Override
    Operation operation(int thread) {
      return () -> {
        int n = next++ % lengths.length;
        session.append(first + n, payload.bytes(lengths[n], piece));
        lengths[n] += piece;
      };
    }

    @Override
    void check() throws Exception {
      equal(
          "the bytes of a value",
          Payload.checksum(payload.stream(0, lengths[0])),
          session.read(first));
      int last = lengths.length - 1;
      equal("the length", lengths[last], session.length(first + last));
    }
  }

  /**
   * Question 2. Operation: one append to a value that grows from empty, with its commit. The time
   * is the mean of all appends.
   */
  private static final class Growth extends BlobTrial {
    private final BlobContender.Session session = blobs.session();
    private final int step = (int) cell.bytes("step");
    private final long length = (long) cell.operations() * step;
    private long at;
    private double disk;

    Growth(Cell cell, BlobContender blobs) throws Exception {
      super(cell, Payload.random(), blobs, true);
      int warm = blobs.add(1);
      for (int i = 0; i < 20; i++) {
        session.append(warm, payload.bytes(0, step));
      }
    }

    @Override
    void begin() throws Exception {
      blobs.database().vacuum();
      first = blobs.add(1);
      at = 0;
      disk = blobs.database().diskBytes();
    }

    @Override
    Operation operation(int thread) {
      return () -> {
        session.append(first, payload.bytes(at, step));
        at += step;
      };
    }

    @Override
    void end() throws Exception {
      Meter.add("bytes", step);
      Meter.add("diskRatio", (blobs.database().diskBytes() - disk) / length);
      equal("the bytes", Payload.checksum(payload.stream(0, length)), session.read(first));
    }
  }

  /**
   * Question 3. Operation: write one value from a stream and commit, read all of it, or read 4 KiB
   * at a random offset. Each connection has its own value.
   */
  private static final class Streams extends BlobTrial {
    private static final int RANGE = 4096;

    private final long bytes = cell.bytes("size");
    private final long checksum = Payload.checksum(payload.stream(0, bytes));

    Streams(Cell cell, BlobContender blobs) throws Exception {
      super(cell, Payload.random(), blobs, cell.method().equals("write"));
      if (!writes) {
        first = blobs.fill(cell.threads(), bytes, payload);
      }
    }

    @Override
    void begin() throws Exception {
      if (writes) {
        first = blobs.add(cell.threads());
      }
    }

    @Override
    Operation operation(int thread) throws Exception {
      BlobContender.Session session = blobs.session();
      Random random = new Random(thread);
      return switch (cell.method()) {
        case "write" -> () -> session.write(first + thread, payload.stream(0, bytes), bytes);
        case "read" -> () -> equal("the bytes", checksum, session.read(first + thread));
        default -> () -> range(session, first + thread, random.nextLong(bytes - RANGE));
      };
    }

    private void range(BlobContender.Session session, long id, long offset) throws Exception {
      byte[] range = session.range(id, offset, RANGE);
      if (range.length != RANGE || range[RANGE - 1] != payload.at(offset + RANGE - 1)) {
        throw new IllegalStateException("wrong bytes at " + offset);
      }
    }

    @Override
    void end() {
      Meter.add("bytes", (double) bytes);
    }

    @Override
    void check() throws Exception {
      try (BlobContender.Session session = blobs.session()) {
        equal("the bytes of a value", checksum, session.read(first));
      }
    }
  }

  /**
   * Question 4. Operation: append 100 bytes and commit, while other threads append to the same
   * value or to values of their own.
   */
  private static final class Appenders extends BlobTrial {
    private static final int PIECE = 100;
    private static final long START = 1 << 20;

    private final byte[] piece = payload.bytes(0, PIECE);
    private final boolean one = cell.get("values").equals("one");
    private final int values = one ? 1 : cell.threads();

    Appenders(Cell cell, BlobContender blobs) throws Exception {
      super(cell, Payload.random(), blobs, true);
    }

    @Override
    void begin() throws Exception {
      first = blobs.fill(values, START, payload);
    }

    @Override
    Operation operation(int thread) throws Exception {
      BlobContender.Session session = blobs.session();
      return () -> session.append(first + thread % values, piece);
    }

    @Override
    void end() throws Exception {
      long appends = (long) cell.operations() * (one ? cell.threads() : 1);
      try (BlobContender.Session session = blobs.session()) {
        equal("the length", START + PIECE * appends, session.length(first));
      }
    }
  }

  /** Question 7. Operation: read a whole value of 1 MiB of compressed log lines. */
  private static final class Values extends BlobTrial {
    private static final int VALUE = 1 << 20;
    private static final int COUNT = 8;

    private final long checksum = Payload.checksum(payload.stream(0, VALUE));
    private final double diskRatio;

    Values(Cell cell, BlobContender blobs) throws Exception {
      super(cell, Payload.logLines(), blobs, false);
      blobs.database().vacuum();
      double before = blobs.database().diskBytes();
      blobs.fill(COUNT, VALUE, payload);
      diskRatio = (blobs.database().diskBytes() - before) / COUNT / VALUE;
    }

    @Override
    Operation operation(int thread) throws Exception {
      BlobContender.Session session = blobs.session();
      Random random = new Random(thread);
      return () -> equal("the bytes", checksum, session.read(1 + random.nextInt(COUNT)));
    }

    @Override
    void end() {
      Meter.add("bytes", VALUE);
      Meter.add("diskRatio", diskRatio);
    }
  }
}
