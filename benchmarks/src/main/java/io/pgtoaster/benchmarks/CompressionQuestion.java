package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.BlobOptions.Compression;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much space does a compressed store take? */
final class CompressionQuestion implements Question {
  @Override
  public void answer(Settings settings, Report report) throws Exception {
    long bytes = settings.megabytes("compression-mb", 64);
    Map<String, Payload> payloads = new LinkedHashMap<>();
    payloads.put("zeros", Payload.zeros());
    payloads.put("log lines", Payload.logLines());
    payloads.put("random", Payload.random());
    try (Workbench bench = Workbench.open(settings)) {
      report.heading("compression: store / data of " + (bytes >> 20) + " MB", bench.environment());
      List<Result> sizes = new ArrayList<>();
      List<Contender> speeds = new ArrayList<>();
      for (Compression method : Compression.values()) {
        if (method == Compression.LZ4 && !bench.hasLz4()) {
          report.note("this server was built without lz4");
          continue;
        }
        for (Map.Entry<String, Payload> entry : payloads.entrySet()) {
          String name = method + ", " + entry.getKey();
          BlobTable table =
              bench.blobTable("compressed", BlobOptions.defaults().withCompression(method));
          table.filled(entry.getValue().stream(0, bytes));
          double ratio = (double) table.diskBytes() / bytes;
          sizes.add(Result.single(name, ratio));
          BlobTable kept =
              bench.blobTable("c" + speeds.size(), BlobOptions.defaults().withCompression(method));
          kept.filled(entry.getValue().stream(0, bytes));
          speeds.add(
              Contender.throughput(name, bytes, Work.NONE, () -> new Readers(bench).own(kept)));
          if (method != Compression.NONE && entry.getKey().equals("zeros")) {
            report.atMost("store / data, " + name, ratio, 0.1);
          } else if (method != Compression.NONE && entry.getKey().equals("log lines")) {
            report.atMost("store / data, " + name, ratio, 0.6);
          }
        }
      }
      report.table("space", "x data", sizes);
      report.table(
          "reading it",
          "MB/s",
          new Rounds(Math.min(3, settings.number("rounds", 3)), 1, bench.cpu()).run(speeds));
    }
  }
}
