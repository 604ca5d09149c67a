package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;

/** Rows from 1, each with a blob. The blob of row 0 is the source of copies. */
final class Blobs extends Rows {
  static final Payload PAYLOAD = Payload.logLines();
  static final int KB = 1000;
  static final int MB = 1000 * KB;

  final BlobColumn column;
  private final Call<Blobs> call;

  /**
   * Creates the blobs.
   *
   * @param perRound rows per round; 0 if all calls of a round share a row
   * @param bytes length of each blob; 0 for none
   * @param prepare called for each row before counting starts
   */
  Blobs(
      Workplace workplace,
      Column attached,
      int rows,
      int perRound,
      int bytes,
      Call<Blobs> prepare,
      Call<Blobs> call)
      throws Exception {
    super(workplace, attached, rows, perRound);
    this.call = call;
    this.column = workplace.toaster().blobs(ColumnName.of("bench", table, "data"));
    column.append(0, PAYLOAD.bytes(0, 100 * KB));
    for (int id = 1; id <= rows; id++) {
      if (bytes > 0) {
        column.append(id, PAYLOAD.bytes(id, bytes));
      }
      prepare.run(this, id, 0);
    }
    workplace.vacuum(table);
  }

  /** Returns an operation whose calls in a round share a blob. */
  static Operation oneForAll(String name, int times, int bytes, Call<Blobs> call) {
    return oneForAll(Column.APPENDABLE, "blob: " + name, times, bytes, call);
  }

  static Operation oneForAll(Column column, String name, int times, int bytes, Call<Blobs> call) {
    return Operation.of(
        name, times, (w, rounds) -> new Blobs(w, column, rounds, 0, bytes, Rows::nothing, call));
  }

  /** Returns an operation in which each call has its own blob. */
  static Operation eachItsOwn(String name, int times, int bytes, Call<Blobs> call) {
    return eachItsOwn(name, times, bytes, Rows::nothing, call);
  }

  static Operation eachItsOwn(
      String name, int times, int bytes, Call<Blobs> prepare, Call<Blobs> call) {
    return Operation.of(
        "blob: " + name,
        times,
        (w, rounds) ->
            new Blobs(w, Column.APPENDABLE, rounds * times, times, bytes, prepare, call));
  }

  @Override
  void call(long id, int i) throws Exception {
    call.run(this, id, i);
  }

  /** Returns an offset in the first 900,000 bytes. */
  long at(int i) {
    return i * 7_919_017L % 900_000;
  }

  byte[] bytes(int i, int count) {
    return PAYLOAD.bytes(i * 7919L, count);
  }

  void append(long id, int i, int count) {
    column.append(id, bytes(i, count));
  }

  void read(long id, int i, int count) {
    check(column.read(id, at(i), count).length, count);
  }

  static void check(long found, long expected) {
    if (found != expected) {
      throw new IllegalStateException(found + " instead of " + expected);
    }
  }
}
