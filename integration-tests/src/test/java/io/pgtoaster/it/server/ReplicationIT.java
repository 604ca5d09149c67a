package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Wait;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logical replication of appends to another server. */
@Tag("ci")
class ReplicationIT {
  private static final String PARTS =
      "item, pgtoaster.store_1_head, pgtoaster.store_1_chunk, pgtoaster.store_1_piece,"
          + " pgtoaster.store_1_token";

  private static Database attached(EmbeddedPostgres postgres, int version) {
    Database database = new Server(postgres, version).installed();
    database.run("CREATE TABLE item (id int PRIMARY KEY)");
    PgToaster.create(database.dataSource())
        .catalog()
        .attach("item", "content", BlobOptions.defaults());
    return database;
  }

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.pgtoaster.it.kit.PostgresServers#edges")
  void appends_arriveAtTheSubscriber(int version) throws Exception {
    List<byte[]> expected = new ArrayList<>();
    try (EmbeddedPostgres publishing =
            PostgresServers.builder(version).setting("wal_level", "logical").start();
        EmbeddedPostgres subscribing = PostgresServers.builder(version).start()) {
      Database publisher = attached(publishing, version);
      Database subscriber = attached(subscribing, version);
      PgToaster source = PgToaster.create(publisher.dataSource());
      assertThat(source.catalog().status().get(0).options()).containsEntry("tail", "96");
      BlobColumn blobs = source.blobs("item", "content");
      publisher.run(
          "INSERT INTO item SELECT generate_series(1, 3)", "CREATE PUBLICATION p FOR TABLE item");
      assertThat(source.catalog().status().get(0).warnings())
          .anyMatch(w -> w.contains("published"));
      publisher.run("ALTER PUBLICATION p SET TABLE " + PARTS);
      assertThat(source.catalog().status().get(0).warnings()).isEmpty();
      blobs.append(1, Bytes.random(1, 50_000));
      subscriber.run(
          "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1 port=%d user=%s password=%s dbname=%s' PUBLICATION p"
              .formatted(
                  publishing.port(), publishing.user(), publishing.password(), publisher.name()));
      for (int i = 0; i < 200; i++) {
        blobs.append(1 + i % 2, Bytes.random(i, 37 * i % 500));
      }
      blobs.write(1, 100, Bytes.random(5, 10_000));
      blobs.append(3, Bytes.random(6, 20_000));
      blobs.delete(3);
      blobs.append(3, Bytes.random(7, 20_000));
      blobs.compact(2);
      for (int key = 1; key <= 3; key++) {
        expected.add(blobs.read(key, 0, 200_000));
      }
      BlobColumn copy = PgToaster.create(subscriber.dataSource()).blobs("item", "content");
      String lsn = publisher.string("SELECT pg_current_wal_lsn()");
      Wait.until(
          "replication up to " + lsn,
          () ->
              publisher.number(
                      "SELECT count(*) FROM pg_replication_slots WHERE confirmed_flush_lsn >= '"
                          + lsn
                          + "'")
                  > 0);
      for (int key = 1; key <= 3; key++) {
        int row = key;
        Wait.until("row " + key, () -> copy.info(row).isPresent());
        assertThat(copy.read(key, 0, 200_000)).isEqualTo(expected.get(key - 1));
        assertThat(copy.verify(key)).isEmpty();
      }
      assertThat(subscriber.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(3);
      subscriber.run("DROP SUBSCRIPTION s");
    }
  }
}
