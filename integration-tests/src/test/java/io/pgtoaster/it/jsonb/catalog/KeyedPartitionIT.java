package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents of a partitioned table: rows move, and partitions are added and removed. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class KeyedPartitionIT {
  @Parameter int version;

  private Database database;
  private Nodes nodes;

  @BeforeEach
  void partitionedTable() {
    database = PostgresServers.shared(version).installed();
    database.run(
        "CREATE TABLE event (year int NOT NULL, id bigint NOT NULL, doc jsonb, PRIMARY KEY (year,"
            + " id)) PARTITION BY LIST (year)",
        "CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1)",
        // The column order differs, so that the attribute numbers differ.
        "CREATE TABLE event_2 (dropped int, doc jsonb, id bigint NOT NULL, year int NOT NULL)",
        "ALTER TABLE event_2 DROP COLUMN dropped",
        "ALTER TABLE event ATTACH PARTITION event_2 FOR VALUES IN (2)");
    nodes =
        new Nodes(
            database, (int) database.number("SELECT pgtoaster.attach('event', 'doc', 'keyed')"));
    for (int year = 1; year <= 2; year++) {
      for (int id = 1; id <= 2; id++) {
        database.run("INSERT INTO event VALUES (%d, %d)".formatted(year, id));
        nodes.sample("event", "doc", "year = %d AND id = %d".formatted(year, id), year, id);
      }
    }
  }

  private long readable(String table) {
    return database.number(
        "SELECT count(*) FROM %s WHERE pgtoaster.get(doc, '{cc}') = '2'".formatted(table));
  }

  @Test
  void rowThatMovesToAnotherPartition_keepsItsDocument() {
    database.run("UPDATE event SET year = 2, id = 9 WHERE year = 1 AND id = 1");
    assertThat(readable("event_2")).isEqualTo(3);
    database.run("UPDATE event SET year = 1 WHERE year = 2 AND id = 9");
    assertThat(readable("event_1")).isEqualTo(2);
    database.run(
        "WITH gone AS (DELETE FROM event_1 WHERE id = 2 RETURNING id, doc) "
            + "INSERT INTO event_2 (year, id, doc) SELECT 2, id + 10, doc FROM gone");
    assertThat(readable("event_2")).isEqualTo(3);
    assertThat(nodes.heads()).isEqualTo(4);
  }

  @Test
  void rowDeletedFromAPartition_releasesItsDocument() {
    database.run("DELETE FROM event WHERE id = 1", "DELETE FROM event_2 WHERE id = 2");
    assertThat(nodes.heads()).isEqualTo(1);
    assertThat(readable("event")).isEqualTo(1);
  }

  @Test
  void truncate_releasesAllDocuments() {
    database.run("TRUNCATE event");
    assertThat(nodes.heads()).isZero();
    assertThat(database.number("SELECT count(*) FROM " + nodes.table("node"))).isZero();
  }

  @Test
  void truncatedOrDroppedPartition_leavesItsDocumentsToGc() {
    database.run("TRUNCATE event_1");
    Options.collect(database);
    assertThat(nodes.heads()).isEqualTo(2);
    assertThat(readable("event")).isEqualTo(2);
    database.run("DROP TABLE event_2");
    Options.collect(database);
    assertThat(nodes.heads()).isZero();
  }

  @Test
  void detachedPartition_keepsItsDocuments() throws Exception {
    database.run("ALTER TABLE event DETACH PARTITION event_1");
    Options.collect(database);
    assertThat(nodes.heads()).isEqualTo(4);
    assertThat(readable("event_1")).isEqualTo(2);
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.run(c, "SELECT pgtoaster.detach('event', 'doc')"))
          .hasMessageContaining("event_1");
    }
    database.run("ALTER TABLE event ATTACH PARTITION event_1 FOR VALUES IN (1)");
    database.run("DELETE FROM event WHERE year = 1");
    assertThat(nodes.heads()).isEqualTo(2);
    database.run("ALTER TABLE event DETACH PARTITION event_2");
    Options.collect(database);
    assertThat(nodes.heads()).isEqualTo(2);
    database.run("DROP TABLE event");
    Options.collect(database);
    assertThat(readable("event_2")).isEqualTo(2);
    database.run("DROP TABLE event_2");
    Options.collect(database);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void partitionCreatedLater_isCovered() {
    database.run(
        "CREATE TABLE event_3 (id bigint NOT NULL, year int NOT NULL, doc jsonb)",
        "ALTER TABLE event ATTACH PARTITION event_3 FOR VALUES IN (3)",
        "INSERT INTO event VALUES (3, 1)");
    long d = nodes.sample("event", "doc", "year = 3", 3, 1);
    assertThat(readable("event_3")).isEqualTo(1);
    database.run("ALTER TABLE event DETACH PARTITION event_3");
    Options.collect(database);
    assertThat(nodes.count(d)).isEqualTo(9);
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
  }

  @Test
  void detach_makesDocumentsPlainInEveryPartition() {
    database.run("SELECT pgtoaster.detach('event', 'doc')");
    assertThat(database.number("SELECT count(*) FROM event WHERE doc->'cc' = '2'")).isEqualTo(4);
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_class WHERE relname ~ 'store_[0-9]+_|pgtoaster_[0-9]'"))
        .isZero();
  }
}
