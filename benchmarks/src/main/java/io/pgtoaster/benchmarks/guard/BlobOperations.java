package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.blob.BlobColumn;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.stream.Stream;

/** What is done with blobs. */
final class BlobOperations {
  private static final Payload PAYLOAD = Payload.logLines();
  private static final int KB = 1000;
  private static final int MB = 1000 * KB;

  private BlobOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        eachItsOwn("first append of 100 B", 20, 0, (b, id, i) -> b.append(id, i, 100)),
        oneForAll("append 100 B", 40, 100 * KB, (b, id, i) -> b.append(id, i, 100)),
        oneForAll("append 1 KB", 40, 100 * KB, (b, id, i) -> b.append(id, i, KB)),
        oneForAll("append 10 KB", 20, 100 * KB, (b, id, i) -> b.append(id, i, 10 * KB)),
        oneForAll("append 1 MB", 3, 100 * KB, (b, id, i) -> b.append(id, i, MB)),
        oneForAll("append 100 B with a token", 20, 100 * KB, Blobs::appendOnce),
        oneForAll("append a stream of 1 MB", 3, 100 * KB, Blobs::appendStream),
        inSql("append 100 B in SQL", 100 * KB, Blobs::appendInSql),
        oneForAll("length", 20, 100 * KB, (b, id, i) -> b.column.length(id)),
        oneForAll("read 4 KB", 20, MB, (b, id, i) -> b.read(id, i, 4 * KB)),
        oneForAll("read 100 KB", 10, MB, (b, id, i) -> b.read(id, i, 100 * KB)),
        inSql("read 4 KB in SQL", MB, Blobs::readInSql),
        oneForAll("read a stream of 1 MB", 5, MB, (b, id, i) -> b.stream(id, MB)),
        oneForAll(
            "write 4 KB", 20, MB, (b, id, i) -> b.column.write(id, b.at(i), b.bytes(i, 4 * KB))),
        oneForAll(
            "replace 10 KB", 20, 10 * KB, (b, id, i) -> b.column.replace(id, b.bytes(i, 10 * KB))),
        oneForAll("truncate", 20, MB, (b, id, i) -> b.column.truncate(id, MB - 10_007L * (i + 1))),
        eachItsOwn("copy 100 KB", 5, 0, (b, id, i) -> b.column.copy(0, id)),
        eachItsOwn("delete 100 KB", 5, 100 * KB, (b, id, i) -> b.column.delete(id)),
        eachItsOwn("delete a row with 100 KB", 5, 100 * KB, Blobs::deleteRow));
  }

  private static Operation oneForAll(String name, int times, int bytes, Rows.Call<Blobs> call) {
    return oneForAll(name, times, bytes, call, false);
  }

  private static Operation inSql(String name, int bytes, Rows.Call<Blobs> call) {
    return oneForAll(name, 20, bytes, call, true);
  }

  private static Operation oneForAll(
      String name, int times, int bytes, Rows.Call<Blobs> call, boolean alone) {
    return new Operation(
        "blob: " + name, times, false, alone, (w, rounds) -> new Blobs(w, rounds, 0, bytes, call));
  }

  private static Operation eachItsOwn(String name, int times, int bytes, Rows.Call<Blobs> call) {
    return new Operation(
        "blob: " + name,
        times,
        false,
        false,
        (w, rounds) -> new Blobs(w, rounds * times, times, bytes, call));
  }

  /** Rows from 1 on, each with its blob; that of row 0 is to be copied. */
  private static final class Blobs extends Rows {
    private final BlobColumn column;
    private final Call<Blobs> call;

    Blobs(Workplace workplace, int rows, int perRound, int bytes, Rows.Call<Blobs> call)
        throws SQLException {
      super(workplace, "bigint", "appendable", rows, perRound);
      this.call = call;
      this.column = workplace.toaster().blobs("bench", table, "data");
      column.append(0, PAYLOAD.bytes(0, 100 * KB));
      for (long id = 1; id <= rows && bytes > 0; id++) {
        column.append(id, PAYLOAD.bytes(id, bytes));
      }
      workplace.vacuum(table);
    }

    @Override
    void call(long id, int i) throws Exception {
      call.run(this, id, i);
    }

    /** Somewhere in the first 900,000 bytes. */
    long at(int i) {
      return i * 7_919_017L % 900_000;
    }

    byte[] bytes(int i, int count) {
      return PAYLOAD.bytes(i * 7919L, count);
    }

    void append(long id, int i, int count) {
      column.append(id, bytes(i, count));
    }

    void appendOnce(long id, int i) {
      UUID writer = new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE + id);
      AppendToken token = new AppendToken(writer, i + 1L);
      column.append(id, bytes(i, 100), AppendOptions.defaults().withToken(token));
    }

    void appendStream(long id, int i) {
      column.append(id, PAYLOAD.stream(i, i + MB));
    }

    void appendInSql(long id, int i) throws SQLException {
      try (PreparedStatement s =
          session.prepareStatement(
              "SELECT pgtoaster.blob_append('bench." + table + "', 'data', ?, ?)")) {
        s.setLong(1, id);
        s.setBytes(2, bytes(i, 100));
        s.executeQuery().close();
      }
    }

    void read(long id, int i, int count) {
      check(column.read(id, at(i), count).length, count);
    }

    void readInSql(long id, int i) throws SQLException {
      try (PreparedStatement s =
          session.prepareStatement(
              "SELECT pgtoaster.blob_read('bench." + table + "', 'data', ?, ?, 4000)")) {
        s.setLong(1, id);
        s.setLong(2, at(i));
        try (ResultSet r = s.executeQuery()) {
          r.next();
          check(r.getBytes(1).length, 4000);
        }
      }
    }

    void stream(long id, int count) throws IOException {
      try (InputStream in = column.inputStream(id)) {
        check(Math.toIntExact(in.transferTo(OutputStream.nullOutputStream())), count);
      }
    }

    void deleteRow(long id, int i) throws SQLException {
      try (PreparedStatement s =
          session.prepareStatement("DELETE FROM bench." + table + " WHERE id = ?")) {
        s.setLong(1, id);
        check(s.executeUpdate(), 1);
      }
    }

    private static void check(int found, int expected) {
      if (found != expected) {
        throw new IllegalStateException(found + " instead of " + expected);
      }
    }
  }
}
