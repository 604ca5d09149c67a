package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.spring.kit.TestDatabase;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Uploads to a server with a slow disk, on which each stored chunk takes 10 ms. */
@Tag("ci")
class TusSlowServerIT {
  private static final int UPLOADS = 6;

  @Test
  void uploads_waitForEachOther_andAreComplete() throws Exception {
    TestDatabase database = TestDatabase.withFiles();
    BlobColumn column = database.toaster().blobs("file", "content");
    database.run(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END'",
        "CREATE TRIGGER slow BEFORE INSERT ON pgtoaster.store_1_chunk FOR EACH ROW EXECUTE FUNCTION slow()");
    try (ConfigurableApplicationContext application =
        TusApplication.run(
            database.properties(
                "pgtoaster.tus.commit-every=64KB",
                "spring.datasource.hikari.maximum-pool-size=2"))) {
      TusClient client = new TusClient(TusApplication.port(application));
      ExecutorService threads = Executors.newFixedThreadPool(UPLOADS);
      try {
        List<Future<byte[]>> uploads = new ArrayList<>();
        for (int i = 0; i < UPLOADS; i++) {
          byte[] content = new byte[500_000];
          new Random(i).nextBytes(content);
          uploads.add(
              threads.submit(
                  () -> {
                    URI url = client.create(content.length);
                    assertThat(client.patch(url, 0, content).statusCode()).isEqualTo(204);
                    assertThat(client.offset(url)).isEqualTo(content.length);
                    return content;
                  }));
        }
        List<byte[]> sent = new ArrayList<>();
        for (Future<byte[]> upload : uploads) {
          sent.add(upload.get());
        }
        List<byte[]> stored =
            column.keys(UPLOADS + 1).stream().map(key -> column.read(key, 0, 600_000)).toList();
        assertThat(stored).containsExactlyInAnyOrderElementsOf(sent);
      } finally {
        threads.shutdownNow();
      }
    }
  }
}
