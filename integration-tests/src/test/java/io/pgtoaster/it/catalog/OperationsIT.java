package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.StopMode;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two-phase commit and unlogged tables, as docs/operations.md describes them. */
final class OperationsIT {
  private static final byte[] CONTENT = Bytes.random(1, 20_000);
  private static final String DOCUMENT = Documents.big(25);

  @AutoClose private EmbeddedPostgres postgres;
  private Database database;
  private PgToaster toaster;

  @BeforeEach
  void start() {
    int version = PostgresServers.newest();
    postgres = PostgresServers.builder(version).setting("max_prepared_transactions", "4").start();
    database = new Server(postgres, version).installed();
    toaster = PgToaster.create(database.dataSource());
  }

  private void attach(String kind) {
    database.run(
        "CREATE " + kind + " TABLE item (id bigint PRIMARY KEY, content bigint, doc jsonb)",
        "SELECT pgtoaster.attach('item', 'content'), pgtoaster.attach('item', 'doc', 'keyed')",
        "INSERT INTO item SELECT generate_series(1, 3)");
    for (long key = 1; key <= 2; key++) {
      toaster.blobs("item", "content").append(key, CONTENT);
      toaster.documents("item", "doc").putJson(key, DOCUMENT);
    }
  }

  private long heads(int store) {
    return database.number("SELECT count(*) FROM pgtoaster.store_" + store + "_head");
  }

  private void prepare(String name) throws Exception {
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      PgToaster here = PgToaster.on(c);
      here.blobs("item", "content").append(1L, CONTENT);
      here.blobs("item", "content").append(3L, CONTENT);
      here.documents("item", "doc").at(1L, "items[3].text").set("changed");
      here.documents("item", "doc").putJson(3L, DOCUMENT);
      Sql.run(c, "DELETE FROM item WHERE id = 2", "PREPARE TRANSACTION '" + name + "'");
    }
  }

  @Test
  void preparedTransaction_isAtomic_evenAfterACrash() throws Exception {
    attach("");
    BlobColumn blobs = toaster.blobs("item", "content");
    DocumentColumn documents = toaster.documents("item", "doc");
    prepare("undone");
    assertThat(blobs.length(1L)).isEqualTo(20_000);
    database.run("ROLLBACK PREPARED 'undone'");
    assertThat(blobs.read(2L, 0, 30_000)).isEqualTo(CONTENT);
    prepare("done");
    postgres.stop(StopMode.IMMEDIATE);
    postgres.start();
    database.run("COMMIT PREPARED 'done'");
    assertThat(blobs.length(1L)).isEqualTo(40_000);
    assertThat(blobs.read(3L, 0, 30_000)).isEqualTo(CONTENT);
    assertThat(documents.at(1L, "items[3].text").text()).contains("\"changed\"");
    for (long key : new long[] {1, 3}) {
      assertThat(blobs.verify(key)).isEmpty();
      assertThat(documents.verify(key)).isEmpty();
    }
    assertThat(heads(1)).isEqualTo(2);
    assertThat(heads(2)).isEqualTo(2);
  }

  @Test
  void unloggedTableEmptiedByACrash_leavesItsContentToGc_andRemainsUsable() {
    attach("UNLOGGED");
    postgres.stop(StopMode.IMMEDIATE);
    postgres.start();
    assertThat(database.number("SELECT count(*) FROM item")).isZero();
    assertThat(heads(1)).isEqualTo(2);
    GcOptions all = GcOptions.defaults().withGrace(Duration.ZERO);
    assertThat(toaster.catalog().gc(all.withDryRun(false)).items()).hasSize(4);
    assertThat(heads(1)).isZero();
    assertThat(heads(2)).isZero();
    database.run("INSERT INTO item VALUES (1)");
    toaster.blobs("item", "content").append(1L, CONTENT);
    assertThat(toaster.blobs("item", "content").read(1L, 0, 30_000)).isEqualTo(CONTENT);
  }
}
