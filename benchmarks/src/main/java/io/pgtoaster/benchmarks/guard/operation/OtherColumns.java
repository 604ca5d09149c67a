package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Blobs.KB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.MB;

import io.pgtoaster.benchmarks.server.Kind;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Some operations on columns that use other code: blobs with checksums, which statements read and
 * write instead of the store's routines, and values that PostgreSQL stores itself, for which the
 * extension makes no difference.
 */
final class OtherColumns {
  private OtherColumns() {}

  static Stream<Operation> all() {
    return Stream.of(
        checksummed("append 1 KB", 20, 100 * KB, (b, id, i) -> b.append(id, i, KB)),
        checksummed("append 1 MB", 3, 100 * KB, (b, id, i) -> b.append(id, i, MB)),
        checksummed("read 4 KB", 20, MB, (b, id, i) -> b.read(id, i, 4 * KB)),
        checksummed(
            "write 4 KB", 10, MB, (b, id, i) -> b.column.write(id, b.at(i), b.bytes(i, 4 * KB))),
        checksummed(
            "truncate", 10, MB, (b, id, i) -> b.column.truncate(id, MB - 10_007L * (i + 1))),
        bytea("append 1 KB", (b, id, i) -> b.append(id, i, KB)),
        bytea(
            "read 4 KB",
            (b, id, i) -> Blobs.check(b.column.read(id, 9L * KB * i, 4 * KB).length, 4 * KB)),
        bytea("write 4 KB", (b, id, i) -> b.column.write(id, (long) KB * i, b.bytes(i, 4 * KB))),
        jsonb("get a leaf", DocumentOperations::getLeaf),
        jsonb("set a leaf", DocumentOperations::setLeaf),
        jsonb("merge two members", WholeDocumentOperations::merge));
  }

  private static Operation checksummed(String name, int times, int bytes, Rows.Call<Blobs> call) {
    return Blobs.oneForAll(Column.CHECKSUMMED, "checksums: " + name, times, bytes, call);
  }

  private static Operation bytea(String name, Rows.Call<Blobs> call) {
    return Blobs.oneForAll(Column.BYTEA, "bytea: " + name, 10, 100 * KB, call)
        .by(Set.of(Kind.PLAIN));
  }

  private static Operation jsonb(String name, Rows.Call<Documents> call) {
    return Documents.oneForAll(Column.JSONB, "jsonb: " + name, 10, Documents.LARGE, call)
        .by(Set.of(Kind.PLAIN));
  }
}
