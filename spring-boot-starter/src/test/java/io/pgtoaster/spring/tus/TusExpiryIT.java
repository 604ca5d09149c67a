package io.pgtoaster.spring.tus;

import static org.awaitility.Awaitility.await;

import io.pgtoaster.spring.kit.TestDatabase;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

class TusExpiryIT {
  private static final int SIZE = 1000;

  @Test
  void runningUpload_doesNotExpire() throws Exception {
    TestDatabase database = TestDatabase.withFiles();
    JdbcClient jdbc = JdbcClient.create(database.dataSource());
    try (ConfigurableApplicationContext application =
        TusApplication.run(database.properties("pgtoaster.tus.expire-after=1s"))) {
      TusClient client = new TusClient(TusApplication.port(application));
      for (String checksum : new String[] {null, "crc32 AAAAAA=="}) {
        URI url = client.create(SIZE);
        UUID id = UUID.fromString(url.getPath().substring("/tus/".length()));
        expire(jdbc, id, "infinity");
        try (Socket socket = new Socket("localhost", client.base().getPort())) {
          socket.getOutputStream().write(client.patchHead(url, 0, SIZE, checksum));
          awaitTouch(jdbc, id, "infinity", socket);
          expire(jdbc, id, "-infinity");
          awaitTouch(jdbc, id, "-infinity", socket);
        }
      }
    }
  }

  private static void expire(JdbcClient jdbc, UUID id, String at) {
    jdbc.sql("UPDATE pgtoaster_upload SET expires_at = CAST(? AS timestamptz) WHERE id = ?")
        .params(at, id)
        .update();
  }

  /** Sends bytes until the upload's expiry is postponed. */
  private static void awaitTouch(JdbcClient jdbc, UUID id, String before, Socket socket) {
    String query = "SELECT CAST(expires_at AS text) FROM pgtoaster_upload WHERE id = ?";
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              socket.getOutputStream().write(1);
              return !jdbc.sql(query).param(id).query(String.class).single().equals(before);
            });
  }
}
