package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Blobs.KB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.MB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.own;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.shared;
import static io.pgtoaster.benchmarks.guard.operation.Rows.FIRST_20;
import static io.pgtoaster.benchmarks.guard.operation.Rows.check;

import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.BlobAppend;
import io.pgtoaster.column.AppendToken;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class BlobOperations {
  private BlobOperations() {}

  static Stream<Operation> all() {
    return Stream.of(
        own("first append of 100 B", 20, 0, b -> b.append(100)),
        shared("append 100 B", 40, 100 * KB, b -> b.append(100)),
        shared("append 1 KB", 40, 100 * KB, b -> b.append(KB)),
        shared("append 10 KB", 20, 100 * KB, b -> b.append(10 * KB)),
        shared("append 1 MB", 3, 100 * KB, b -> b.append(MB)),
        shared("append 100 B with a token", 20, 100 * KB, BlobOperations::appendOnce),
        own("append 100 B to 20 rows", 5, 0, BlobOperations::appendAll),
        own("append 100 B each to 20 rows", 5, 0, BlobOperations::appendEach),
        own("read 1 KB of 20 rows", 10, 10 * KB, BlobOperations::readRanges),
        own("lengths of 20 rows", 10, 10 * KB, b -> check(b.column.lengths(FIRST_20).size(), 20)),
        shared("append 100 B in SQL", 20, 100 * KB, BlobOperations::appendInSql).alone(),
        own("create and insert a row", 10, 0, b -> b.inTransaction(() -> create(b))),
        shared("length", 20, 100 * KB, b -> b.column.length(b.id)),
        shared("info", 20, 100 * KB, BlobOperations::info),
        own("keys of 20 rows", 10, 100, b -> check(b.column.keys(null, 20).size(), 20)),
        shared("read 4 KB", 20, MB, b -> b.read(4 * KB)),
        shared("read 100 KB", 10, MB, b -> b.read(100 * KB)),
        shared("read 4 KB in SQL", 20, MB, BlobOperations::readInSql).alone(),
        shared("write 4 KB", 20, MB, b -> b.column.write(b.id, b.at(), b.bytes(4 * KB))),
        shared("replace 10 KB", 20, 10 * KB, b -> b.column.replace(b.id, b.bytes(10 * KB))),
        shared("truncate", 20, MB, b -> b.column.truncate(b.id, MB - 10_007L * (b.i + 1))),
        shared("discard 10 KB", 20, MB, b -> b.column.discardBefore(b.id, 10_007L * (b.i + 1))),
        own("copy 100 KB", 5, 0, b -> b.column.copy(0, b.id)),
        own("seal", 10, 10 * KB, b -> b.column.seal(b.id)),
        own("compact 20 appends", 5, 0, BlobOperations::scatter, BlobOperations::compact),
        shared("verify 1 MB", 3, MB, b -> check(b.column.verify(b.id).size(), 0)),
        own("delete 100 KB", 5, 100 * KB, b -> b.column.delete(b.id)),
        own("delete a row with 100 KB", 5, 100 * KB, BlobOperations::deleteRow).alone());
  }

  private static void appendOnce(Blobs blobs) {
    UUID writer = new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE + blobs.id);
    AppendToken token = new AppendToken(writer, blobs.i + 1L);
    blobs.column.append(blobs.id, blobs.bytes(100), AppendOptions.defaults().withToken(token));
  }

  private static void appendAll(Blobs blobs) {
    check(blobs.column.appendAll(batch(blobs, bytes -> bytes)).size(), 20);
  }

  private static void appendEach(Blobs blobs) {
    blobs
        .column
        .appendEach(batch(blobs, bytes -> new BlobAppend(bytes, AppendOptions.defaults())))
        .values()
        .forEach(AppendOutcome::orElseThrow);
  }

  private static <V> Map<Long, V> batch(Blobs blobs, Function<byte[], V> append) {
    return FIRST_20.stream()
        .collect(Collectors.toMap(id -> id, id -> append.apply(blobs.bytes(100))));
  }

  private static void readRanges(Blobs blobs) {
    check(blobs.column.readRanges(FIRST_20, 5 * KB, KB).size(), 20);
  }

  private static void info(Blobs blobs) {
    check(blobs.column.info(blobs.id).orElseThrow().length(), 100 * KB);
  }

  private static void appendInSql(Blobs blobs) throws SQLException {
    String sql = "SELECT pgtoaster.blob_append('bench." + blobs.table + "', 'data', ?, ?)";
    Sql.execute(blobs.session, sql, blobs.id, blobs.bytes(100));
  }

  private static void readInSql(Blobs blobs) throws SQLException {
    String sql = "SELECT pgtoaster.blob_read('bench." + blobs.table + "', 'data', ?, ?, 4000)";
    check(Sql.bytes(blobs.session, sql, blobs.id, blobs.at()).length, 4000);
  }

  private static void create(Blobs blobs) throws SQLException {
    String sql = "INSERT INTO bench." + blobs.table + " (id, data) VALUES (?, ?)";
    Sql.update(blobs.session, sql, Rows.NEW + blobs.id, blobs.column.create());
  }

  /** Leaves a blob in many small pieces. */
  private static void scatter(Blobs blobs) {
    for (blobs.i = 0; blobs.i < 20; blobs.i++) {
      blobs.append(3 * KB);
    }
  }

  private static void compact(Blobs blobs) {
    if (blobs.column.compact(blobs.id) == 0) {
      throw new IllegalStateException("there was nothing to do");
    }
  }

  private static void deleteRow(Blobs blobs) throws SQLException {
    Sql.update(blobs.session, "DELETE FROM bench." + blobs.table + " WHERE id = ?", blobs.id);
  }
}
