package io.pgtoaster.benchmarks.guard.operation;

import static io.pgtoaster.benchmarks.guard.operation.Blobs.KB;
import static io.pgtoaster.benchmarks.guard.operation.Blobs.MB;
import static io.pgtoaster.benchmarks.guard.operation.Rows.check;

import io.pgtoaster.benchmarks.server.Kind;
import java.util.List;
import java.util.stream.Stream;

/**
 * Some operations on columns that use other code: blobs with checksums, which statements read and
 * write instead of the store's routines, and values that PostgreSQL stores itself, for which the
 * extension makes no difference.
 */
final class OtherColumns {
  /** Appends of whole chunks with checksums are several statements without the extension. */
  private static final List<String> CHECKSUMS =
      List.of("bigint", "appendable", "{\"crc32c\": true}");

  private static final List<String> BYTEA = List.of("bytea", "default", "{}");
  private static final List<String> JSONB = List.of("jsonb", "default", "{}");

  private OtherColumns() {}

  static Stream<Operation> all() {
    return Stream.of(
        checksums("append 1 KB", 20, 100 * KB, b -> b.append(KB)),
        checksums("append 1 MB", 3, 100 * KB, b -> b.append(MB)),
        checksums("read 4 KB", 20, MB, b -> b.read(4 * KB)),
        checksums("write 4 KB", 10, MB, b -> b.column.write(b.id, b.at(), b.bytes(4 * KB))),
        checksums("truncate", 10, MB, b -> b.column.truncate(b.id, MB - 10_007L * (b.i + 1))),
        bytea("append 1 KB", b -> b.append(KB)),
        bytea("read 4 KB", b -> check(b.column.read(b.id, 9L * KB * b.i, 4 * KB).length, 4 * KB)),
        bytea("write 4 KB", b -> b.column.write(b.id, (long) KB * b.i, b.bytes(4 * KB))),
        jsonb("get a leaf", DocumentOperations::getLeaf),
        jsonb("set a leaf", DocumentOperations::setLeaf),
        jsonb("merge two members", WholeDocumentOperations::merge));
  }

  private static Operation checksums(String name, int times, int bytes, Rows.Call<Blobs> call) {
    return Blobs.shared(CHECKSUMS, "checksums: " + name, times, bytes, call);
  }

  private static Operation bytea(String name, Rows.Call<Blobs> call) {
    return Blobs.shared(BYTEA, "bytea: " + name, 10, 100 * KB, call).only(Kind.PLAIN);
  }

  private static Operation jsonb(String name, Rows.Call<Documents> call) {
    return Documents.shared(JSONB, "jsonb: " + name, 10, Documents.LARGE, call).only(Kind.PLAIN);
  }
}
