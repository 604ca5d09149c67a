package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations on the table that owns content, or on its server. */
final class OwnerOperationsIT {
  private static final byte[] CONTENT = Bytes.random(1, 20_000);
  private static final String DOCUMENT = Documents.big(25);

  @AutoClose private Database database;
  private PgToaster toaster;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    toaster = PgToaster.create(database.dataSource());
  }

  private void partitioned() {
    database.run(
        "CREATE TABLE event (year int, id bigint, content bigint, doc jsonb, "
            + "PRIMARY KEY (year, id)) PARTITION BY LIST (year)",
        "CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1)",
        "SELECT pgtoaster.attach('event', 'content'), pgtoaster.attach('event', 'doc', 'keyed')",
        "CREATE TABLE event_2 PARTITION OF event FOR VALUES IN (2)");
  }

  private void fill(int year) {
    database.run("INSERT INTO event (year, id) VALUES (%d, 1)".formatted(year));
    toaster.blobs("event", "content").append(List.of(year, 1), CONTENT);
    toaster.documents("event", "doc").putJson(List.of(year, 1), DOCUMENT);
  }

  private long heads(int store) {
    return database.number("SELECT count(*) FROM pgtoaster.store_" + store + "_head");
  }

  private List<String> warnings() {
    return toaster.catalog().status().stream().flatMap(s -> s.warnings().stream()).toList();
  }

  @Test
  void truncateOfAPartition_releasesItsContent() {
    partitioned();
    fill(1);
    fill(2);
    database.run("TRUNCATE event_1");
    assertThat(heads(1)).isEqualTo(1);
    assertThat(heads(2)).isEqualTo(1);
    assertThat(warnings()).hasSize(2).allMatch(w -> w.contains("pgtoaster.watch_truncate("));
    database.run("SELECT pgtoaster.watch_truncate(1), pgtoaster.watch_truncate(2)");
    assertThat(warnings()).isEmpty();
    fill(1);
    database.run("TRUNCATE event_2");
    assertThat(heads(1)).isEqualTo(1);
    database.run("TRUNCATE event");
    assertThat(heads(1)).isZero();
    assertThat(heads(2)).isZero();
    database.run("SELECT pgtoaster.detach('event', 'content'), pgtoaster.detach('event', 'doc')");
    assertThat(database.number("SELECT count(*) FROM pg_trigger WHERE tgname ~ 'pgtoaster'"))
        .isZero();
  }

  @Test
  void truncateOfADetachedPartition_succeeds_andGcRemovesTheContent() {
    partitioned();
    fill(1);
    database.run("ALTER TABLE event DETACH PARTITION event_1", "TRUNCATE event_1");
    assertThat(heads(1)).isEqualTo(1);
    assertThat(heads(2)).isEqualTo(1);
  }

  @Test
  void temporaryTable_isRefused() throws SQLException {
    try (Connection c = database.connect()) {
      Sql.run(c, "CREATE TEMP TABLE short (id int PRIMARY KEY, doc jsonb)");
      for (String attach : List.of("'content'", "'doc', 'keyed'")) {
        assertThatThrownBy(() -> Sql.run(c, "SELECT pgtoaster.attach('short', " + attach + ")"))
            .hasMessageContaining("is a temporary table");
      }
    }
  }

  @Test
  void secondReferenceNotVisibleToTheSnapshot_isASerializationFailure() throws SQLException {
    partitioned();
    fill(1);
    try (Connection c = database.connect()) {
      c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      c.setAutoCommit(false);
      assertThat(Sql.number(c, "SELECT count(*) FROM event")).isEqualTo(1);
      database.run("INSERT INTO event (year, id, content) SELECT 2, 2, content FROM event_1");
      Sql.run(c, "DELETE FROM event_1");
      SQLException e = catchThrowableOfType(SQLException.class, c::commit);
      assertThat(e.getSQLState()).isEqualTo("40001");
    }
    database.run("DELETE FROM event_1");
    BlobColumn blobs = toaster.blobs("event", "content");
    assertThat(blobs.read(List.of(2, 2), 0, 30_000)).isEqualTo(CONTENT);
  }

  @Test
  void usedNumbers_areReported_andTheSequenceIsAdvanced() {
    database.run(
        "CREATE TABLE item (id bigint PRIMARY KEY, content bigint, doc jsonb)",
        "SELECT pgtoaster.attach('item', 'content'), pgtoaster.attach('item', 'doc', 'keyed')",
        "INSERT INTO item SELECT generate_series(1, 3)");
    BlobColumn blobs = toaster.blobs("item", "content");
    DocumentColumn documents = toaster.documents("item", "doc");
    for (long key = 1; key <= 2; key++) {
      blobs.append(key, CONTENT);
      documents.putJson(key, DOCUMENT);
    }
    assertThat(warnings()).isEmpty();
    // A logical subscriber receives the rows but not the sequences.
    database.run(
        "ALTER SEQUENCE pgtoaster.store_1_head_id_seq RESTART",
        "ALTER SEQUENCE pgtoaster.store_2_head_id_seq RESTART");
    assertThat(warnings()).hasSize(2).allMatch(w -> w.contains("pgtoaster.advance_numbers("));
    DatabaseException e = Expect.refused(DatabaseException.class, () -> blobs.append(3L, CONTENT));
    assertThat(e).hasMessageContaining("SELECT pgtoaster.advance_numbers(1)");
    Expect.refused(DatabaseException.class, () -> documents.putJson(3L, DOCUMENT));
    database.run("SELECT pgtoaster.advance_numbers(1), pgtoaster.advance_numbers(2)");
    assertThat(warnings()).isEmpty();
    blobs.append(3L, CONTENT);
    documents.putJson(3L, DOCUMENT);
    assertThat(blobs.read(3L, 0, 30_000)).isEqualTo(CONTENT);
    assertThat(documents.verify(3L)).isEmpty();
  }
}
