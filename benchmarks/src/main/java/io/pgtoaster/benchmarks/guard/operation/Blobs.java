package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.contender.Payload;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.blob.BlobColumn;
import java.util.List;

/** Rows from 1, each with a blob. The blob of row 0 is the source of copies. */
final class Blobs extends Rows {
  static final Payload PAYLOAD = Payload.logLines();
  static final int KB = 1000;
  static final int MB = 1000 * KB;
  private static final List<String> APPENDABLE = List.of("bigint", "appendable", "{}");

  final BlobColumn column;
  private final Call<Blobs> call;

  /**
   * Creates the blobs.
   *
   * @param perRound rows per round; 0 if all calls of a round share a row
   * @param bytes length of each blob; 0 for none
   * @param prepare called for each row before counting starts
   */
  private Blobs(
      Workplace workplace,
      List<String> attached,
      int rows,
      int perRound,
      int bytes,
      Call<Blobs> prepare,
      Call<Blobs> call)
      throws Exception {
    super(workplace, attached, rows, perRound);
    this.call = call;
    this.column = workplace.toaster().blobs(name);
    column.append(0, PAYLOAD.bytes(0, 100 * KB));
    for (id = 1; id <= rows; id++) {
      if (bytes > 0) {
        column.append(id, PAYLOAD.bytes(id, bytes));
      }
      prepare.run(this);
    }
    workplace.vacuum(table);
  }

  /** Returns an operation whose calls in a round share a blob. */
  static Operation shared(String name, int times, int bytes, Call<Blobs> call) {
    return shared(APPENDABLE, "blob: " + name, times, bytes, call);
  }

  static Operation shared(
      List<String> column, String name, int times, int bytes, Call<Blobs> call) {
    return new Operation(
        name, times, (w, rounds) -> new Blobs(w, column, rounds, 0, bytes, b -> {}, call));
  }

  /** Returns an operation in which each call has its own blob. */
  static Operation own(String name, int times, int bytes, Call<Blobs> call) {
    return own(name, times, bytes, b -> {}, call);
  }

  static Operation own(String name, int times, int bytes, Call<Blobs> prepare, Call<Blobs> call) {
    return new Operation(
        "blob: " + name,
        times,
        (w, rounds) -> new Blobs(w, APPENDABLE, rounds * times, times, bytes, prepare, call));
  }

  @Override
  void call() throws Exception {
    call.run(this);
  }

  /** Returns an offset in the first 900,000 bytes. */
  long at() {
    return at(i);
  }

  static long at(int i) {
    return i * 7_919_017L % 900_000;
  }

  byte[] bytes(int count) {
    return PAYLOAD.bytes(i * 7919L, count);
  }

  void append(int count) {
    column.append(id, bytes(count));
  }

  void read(int count) {
    check(column.read(id, at(), count).length, count);
  }
}
