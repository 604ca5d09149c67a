package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Blobs.KB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.MB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.check;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.eachItsOwn;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.oneForAll;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.column.AppendToken;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

final class BlobOperations {
  private BlobOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        eachItsOwn("first append of 100 B", 20, 0, (b, id, i) -> b.append(id, i, 100)),
        oneForAll("append 100 B", 40, 100 * KB, (b, id, i) -> b.append(id, i, 100)),
        oneForAll("append 1 KB", 40, 100 * KB, (b, id, i) -> b.append(id, i, KB)),
        oneForAll("append 10 KB", 20, 100 * KB, (b, id, i) -> b.append(id, i, 10 * KB)),
        oneForAll("append 1 MB", 3, 100 * KB, (b, id, i) -> b.append(id, i, MB)),
        oneForAll("append 100 B with a token", 20, 100 * KB, BlobOperations::appendOnce),
        eachItsOwn("append 100 B to 20 rows", 5, 0, BlobOperations::appendAll),
        eachItsOwn("append 100 B each to 20 rows", 5, 0, BlobOperations::appendEach),
        eachItsOwn("read 1 KB of 20 rows", 10, 10 * KB, BlobOperations::readAll),
        eachItsOwn("lengths of 20 rows", 10, 10 * KB, BlobOperations::lengths),
        inSql("append 100 B in SQL", 100 * KB, BlobOperations::appendInSql),
        eachItsOwn("create and insert a row", 10, 0, BlobOperations::create),
        oneForAll("length", 20, 100 * KB, (b, id, i) -> b.column.length(id)),
        oneForAll(
            "info",
            20,
            100 * KB,
            (b, id, i) -> check(b.column.info(id).orElseThrow().length(), 100 * KB)),
        eachItsOwn(
            "keys of 20 rows", 10, 100, (b, id, i) -> check(b.column.keys(null, 20).size(), 20)),
        oneForAll("read 4 KB", 20, MB, (b, id, i) -> b.read(id, i, 4 * KB)),
        oneForAll("read 100 KB", 10, MB, (b, id, i) -> b.read(id, i, 100 * KB)),
        inSql("read 4 KB in SQL", MB, BlobOperations::readInSql),
        oneForAll(
            "write 4 KB", 20, MB, (b, id, i) -> b.column.write(id, b.at(i), b.bytes(i, 4 * KB))),
        oneForAll(
            "replace 10 KB", 20, 10 * KB, (b, id, i) -> b.column.replace(id, b.bytes(i, 10 * KB))),
        oneForAll("truncate", 20, MB, (b, id, i) -> b.column.truncate(id, MB - 10_007L * (i + 1))),
        oneForAll(
            "discard 10 KB", 20, MB, (b, id, i) -> b.column.discardBefore(id, 10_007L * (i + 1))),
        eachItsOwn("copy 100 KB", 5, 0, (b, id, i) -> b.column.copy(0, id)),
        eachItsOwn("seal", 10, 10 * KB, (b, id, i) -> b.column.seal(id)),
        eachItsOwn("compact 20 appends", 5, 0, BlobOperations::scatter, BlobOperations::compact),
        oneForAll("verify 1 MB", 3, MB, (b, id, i) -> check(b.column.verify(id).size(), 0)),
        eachItsOwn("delete 100 KB", 5, 100 * KB, (b, id, i) -> b.column.delete(id)),
        eachItsOwn("delete a row with 100 KB", 5, 100 * KB, BlobOperations::deleteRow).byItself());
  }

  private static Operation inSql(String name, int bytes, Rows.Call<Blobs> call) {
    return oneForAll(name, 20, bytes, call).byItself();
  }

  private static void appendOnce(Blobs blobs, long id, int i) {
    UUID writer = new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE + id);
    AppendToken token = new AppendToken(writer, i + 1L);
    blobs.column.append(id, blobs.bytes(i, 100), AppendOptions.defaults().withToken(token));
  }

  private static void appendAll(Blobs blobs, long id, int i) {
    check(blobs.column.appendAll(batch(blobs, i, bytes -> bytes)).size(), 20);
  }

  private static void appendEach(Blobs blobs, long id, int i) {
    blobs
        .column
        .appendEach(batch(blobs, i, bytes -> new BlobAppend(bytes, AppendOptions.defaults())))
        .values()
        .forEach(AppendOutcome::orElseThrow);
  }

  private static void readAll(Blobs blobs, long id, int i) {
    check(blobs.column.readAll(first20(), 5 * KB, KB).size(), 20);
  }

  private static void lengths(Blobs blobs, long id, int i) {
    check(blobs.column.lengths(first20()).size(), 20);
  }

  private static List<Long> first20() {
    return LongStream.rangeClosed(1, 20).boxed().toList();
  }

  /** The first 20 rows: there are as many in each round trip of the guard. */
  private static <V> Map<Long, V> batch(Blobs blobs, int i, Function<byte[], V> append) {
    return LongStream.range(1, 21)
        .boxed()
        .collect(Collectors.toMap(id -> id, id -> append.apply(blobs.bytes(i, 100))));
  }

  private static void appendInSql(Blobs blobs, long id, int i) throws SQLException {
    try (PreparedStatement s =
        blobs.session.prepareStatement(
            "SELECT pgtoaster.blob_append('bench." + blobs.table + "', 'data', ?, ?)")) {
      s.setLong(1, id);
      s.setBytes(2, blobs.bytes(i, 100));
      s.executeQuery().close();
    }
  }

  private static void readInSql(Blobs blobs, long id, int i) throws SQLException {
    try (PreparedStatement s =
        blobs.session.prepareStatement(
            "SELECT pgtoaster.blob_read('bench." + blobs.table + "', 'data', ?, ?, 4000)")) {
      s.setLong(1, id);
      s.setLong(2, blobs.at(i));
      try (ResultSet r = s.executeQuery()) {
        r.next();
        check(r.getBytes(1).length, 4000);
      }
    }
  }

  private static void create(Blobs blobs, long id, int i) throws Exception {
    blobs.inTransaction(
        () -> {
          try (PreparedStatement s =
              blobs.session.prepareStatement(
                  "INSERT INTO bench." + blobs.table + " (id, data) VALUES (?, ?)")) {
            s.setLong(1, Rows.NEW + id);
            s.setLong(2, blobs.column.create());
            check(s.executeUpdate(), 1);
          }
        });
  }

  /** Leaves a blob in many small pieces. */
  private static void scatter(Blobs blobs, long id, int i) {
    for (int piece = 0; piece < 20; piece++) {
      blobs.append(id, piece, 3 * KB);
    }
  }

  private static void compact(Blobs blobs, long id, int i) {
    if (blobs.column.compact(id) == 0) {
      throw new IllegalStateException("there was nothing to do");
    }
  }

  private static void deleteRow(Blobs blobs, long id, int i) throws SQLException {
    try (PreparedStatement s =
        blobs.session.prepareStatement("DELETE FROM bench." + blobs.table + " WHERE id = ?")) {
      s.setLong(1, id);
      check(s.executeUpdate(), 1);
    }
  }
}
