package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows move between partitions and keep their content. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class PartitionIT {
  private static final byte[] CONTENT = Bytes.random(1, 20_000);

  @Parameter int version;

  private Database database;
  @AutoClose private Connection connection;
  private BlobColumn blobs;
  private String store;

  @BeforeEach
  void partitionedTable() throws Exception {
    database = PostgresServers.shared(version).installed();
    database.run(
        "CREATE TABLE event (year int NOT NULL, id bigint NOT NULL, content bigint, "
            + "PRIMARY KEY (year, id)) PARTITION BY LIST (year)",
        "CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1)",
        // The column order differs, so that the attribute numbers differ.
        "CREATE TABLE event_2 (dropped int, content bigint, id bigint NOT NULL, year int NOT NULL)",
        "ALTER TABLE event_2 DROP COLUMN dropped",
        "ALTER TABLE event ATTACH PARTITION event_2 FOR VALUES IN (2)");
    store =
        "pgtoaster.store_"
            + database.number("SELECT pgtoaster.attach('event'::regclass, 'content')");
    connection = database.connect();
    blobs = PgToaster.on(connection).blobs("event", "content");
    for (int year = 1; year <= 2; year++) {
      for (int id = 1; id <= 2; id++) {
        database.run("INSERT INTO event VALUES (" + year + ", " + id + ")");
        blobs.append(List.of(year, id), CONTENT);
      }
    }
  }

  private long heads() {
    return database.number("SELECT count(*) FROM " + store + "_head");
  }

  private long chunkedBlobs() {
    return database.number("SELECT count(DISTINCT blob_id) FROM " + store + "_chunk");
  }

  private void assertKept(Object key) {
    assertThat(blobs.read(key, 0, 30_000)).isEqualTo(CONTENT);
    assertThat(blobs.verify(key)).isEmpty();
  }

  @Test
  void partitionKeyUpdate_keepsTheContent() {
    database.run("UPDATE event SET year = 2, id = 9 WHERE year = 1 AND id = 1");
    assertKept(List.of(2, 9));
    database.run("UPDATE event SET year = 1 WHERE year = 2 AND id = 9");
    assertKept(List.of(1, 9));
    assertThat(heads()).isEqualTo(4);
    blobs.append(List.of(1, 9), new byte[] {1});
    assertThat(blobs.length(List.of(1, 9))).isEqualTo(20_001);
  }

  @Test
  void rowDeletedFromAPartition_releasesItsContent() {
    database.run("DELETE FROM event WHERE id = 1", "DELETE FROM event_2 WHERE id = 2");
    assertThat(heads()).isEqualTo(1);
    assertThat(chunkedBlobs()).isEqualTo(1);
    assertKept(List.of(1, 2));
  }

  @Test
  void rowMovedByDeleteAndInsert_keepsItsContent() {
    database.run(
        "WITH gone AS (DELETE FROM event_1 WHERE id = 1 RETURNING id, content) "
            + "INSERT INTO event_2 (year, id, content) SELECT 2, id + 10, content FROM gone");
    assertKept(List.of(2, 11));
    assertThat(heads()).isEqualTo(4);
  }

  @Test
  void copiedHandles_keepTheContentUntilTheLastRowIsDeleted() {
    database.run("INSERT INTO event SELECT 2, id + 20, content FROM event WHERE year = 1");
    assertThat(heads()).isEqualTo(4);
    database.run("DELETE FROM event WHERE year = 1");
    assertKept(List.of(2, 21));
    assertKept(List.of(2, 22));
    database.run("UPDATE event SET content = NULL WHERE id = 21");
    assertThat(heads()).isEqualTo(3);
    assertKept(List.of(2, 22));
  }

  @Test
  void truncate_releasesTheContentAtCommit() throws Exception {
    connection.setAutoCommit(false);
    Sql.run(connection, "TRUNCATE event");
    connection.rollback();
    connection.setAutoCommit(true);
    assertKept(List.of(1, 1));
    database.run("TRUNCATE event");
    assertThat(heads()).isZero();
    assertThat(chunkedBlobs()).isZero();
    assertThat(database.number("SELECT count(*) FROM " + store + "_garbage")).isZero();
  }

  @Test
  void truncateAndInsertOfTheSameRows_keepsTheirContent() throws Exception {
    connection.setAutoCommit(false);
    Sql.run(
        connection,
        "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM event WHERE id = 1",
        "TRUNCATE event",
        "INSERT INTO event SELECT * FROM kept");
    connection.commit();
    connection.setAutoCommit(true);
    assertKept(List.of(1, 1));
    assertKept(List.of(2, 1));
    assertThat(heads()).isEqualTo(2);
  }

  @Test
  void detachedPartition_keepsItsContent() {
    database.run("ALTER TABLE event DETACH PARTITION event_1");
    Options.collect(database);
    assertThat(heads()).isEqualTo(4);
    assertKept(List.of(2, 1));
    database.run("ALTER TABLE event ATTACH PARTITION event_1 FOR VALUES IN (1)");
    assertKept(List.of(1, 1));
    assertKept(List.of(1, 2));
    database.run("DELETE FROM event WHERE year = 1");
    assertThat(heads()).isEqualTo(2);
  }

  @Test
  void droppedDetachedPartition_leavesItsContentToGc() {
    database.run("ALTER TABLE event DETACH PARTITION event_1", "DROP TABLE event_1");
    Options.collect(database);
    assertThat(heads()).isEqualTo(2);
    assertThat(chunkedBlobs()).isEqualTo(2);
    assertKept(List.of(2, 1));
  }

  @Test
  void droppedPartition_leavesItsContentToGc() {
    database.run("DROP TABLE event_2");
    assertKept(List.of(1, 1));
    Options.collect(database);
    assertThat(heads()).isEqualTo(2);
    assertKept(List.of(1, 1));
    assertKept(List.of(1, 2));
  }
}
