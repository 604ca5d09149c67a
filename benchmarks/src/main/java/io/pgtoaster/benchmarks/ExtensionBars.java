package io.pgtoaster.benchmarks;

import static io.pgtoaster.benchmarks.Bars.costs;

import io.pgtoaster.benchmarks.data.DocumentSet;
import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.benchmarks.server.Workplace;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.Map;
import java.util.Random;

/** Compares the server's processor time of both executors. */
final class ExtensionBars {
  /** Bytes of the blob per operation: 100 MB for the default number of operations. */
  private static final int BYTES = 50_000;

  /** Elements of the document per operation: 32,000 for the default number of operations. */
  private static final int ROLES = 16;

  private ExtensionBars() {}

  static void run(Workplace workplace, int times) throws Exception {
    Payload payload = Payload.random();
    BlobColumn blobs =
        workplace
            .toaster()
            .blobs(ColumnName.of("bench", workplace.table("bigint", "appendable", 0), "data"));
    int filled = times * BYTES;
    blobs.append(0L, payload.stream(0, filled));
    for (int bytes : new int[] {1, 100, 1000, 1 << 16}) {
      byte[] piece = payload.bytes(0, bytes);
      int count = Math.max(1, bytes > 1000 ? times / 20 : times);
      costs(workplace, "append of " + bytes + " bytes", count, () -> blobs.append(0L, piece));
    }
    Random random = new Random(1);
    costs(
        workplace,
        "read of 4 KB",
        times,
        () -> blobs.read(0L, random.nextInt(filled - 4096), 4096));
    DocumentSet set = DocumentSet.actors(1, times * ROLES);
    DocumentColumn documents =
        workplace
            .toaster()
            .documents(ColumnName.of("bench", workplace.table("jsonb", "keyed", 0), "data"));
    documents.putJson(0L, set.text(0));
    DocumentPath shortKey = DocumentPath.of(set.shortKey());
    DocumentPath array = DocumentPath.of(set.array());
    Map<String, Object> element = Map.of("year", 1999, "title", "The Long Road Home");
    costs(workplace, "get of a short key", times, () -> documents.at(0L, shortKey).get());
    costs(
        workplace,
        "get of " + set.placeName(),
        times,
        () -> documents.at(0L, set.place(0, random)).get());
    costs(
        workplace,
        "set of a short key",
        times,
        () -> documents.at(0L, shortKey).set(set.shortValue(random)));
    costs(
        workplace,
        "set of " + set.placeName(),
        times,
        () -> documents.at(0L, set.place(0, random)).set(set.value(random)));
    costs(
        workplace,
        "append of an element",
        times / 4,
        () -> documents.at(0L, array).append(element));
    costs(
        workplace,
        "insert at the front",
        times / 4,
        () -> documents.at(0L, array.index(0)).insert(element));
  }
}
