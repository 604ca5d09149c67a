package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each tenant has a schema, and the search path of a connection selects the tenant. */
class TenantSchemasIT {
  private static final List<String> TENANTS = List.of("first", "second");
  private static final byte[] BYTES = Bytes.random(1, 20_000);
  private static final String DOCUMENT = Documents.big(30);

  private static Database database(Setting setting) {
    Database database = setting.installed();
    for (String tenant : TENANTS) {
      database.run(
          "CREATE SCHEMA " + tenant,
          "CREATE TABLE %s.item (id bigint PRIMARY KEY, content bigint, doc jsonb, bytes bytea, plain jsonb)"
              .formatted(tenant),
          "SELECT pgtoaster.attach('%s.item', 'content', 'appendable', '{}')".formatted(tenant),
          "SELECT pgtoaster.attach('%s.item', 'doc', 'keyed', '{\"row_budget\": 256}')"
              .formatted(tenant),
          "INSERT INTO %s.item SELECT g FROM generate_series(1, 3) g".formatted(tenant));
    }
    return database;
  }

  private static Connection of(Database database, String tenant) throws Exception {
    Connection c = database.connect();
    Sql.run(c, "SET search_path = " + tenant);
    return c;
  }

  private static PgToaster toaster(Setting setting, Connection connection) {
    PgToaster toaster = PgToaster.on(connection);
    return setting.extension() ? toaster : toaster.withoutExtension();
  }

  private static List<ThrowingCallable> calls(BlobColumn blobs) {
    return List.of(
        () -> blobs.append(2L, new byte[1]),
        () -> blobs.append(2L, BYTES),
        () -> blobs.append(1L, new byte[1]),
        () -> blobs.append(2L, new java.io.ByteArrayInputStream(BYTES)),
        () -> blobs.length(1L),
        () -> blobs.info(1L),
        () -> blobs.read(1L, 0, 10),
        () -> blobs.open(1L),
        () -> blobs.inputStream(1L).read(),
        () -> blobs.write(1L, 0, new byte[1]),
        () -> blobs.truncate(1L, 0),
        () -> blobs.copy(1L, 2L),
        () -> blobs.replace(1L, new byte[1]),
        () -> blobs.keys(5),
        () -> blobs.delete(1L));
  }

  private static List<ThrowingCallable> calls(DocumentColumn documents) {
    return List.of(
        () -> documents.putJson(2L, "{\"a\": 1}"),
        () -> documents.putJson(2L, DOCUMENT),
        () -> documents.insertJson(4L, "{\"a\": 1}"),
        () -> documents.insertJson(4L, DOCUMENT),
        () -> documents.at(1L, "a").get(),
        () -> documents.at(1L, "a").exists(),
        () -> documents.at(1L, "a").type(),
        () -> documents.at(1L, "a").size(),
        () -> documents.at(1L, "").keys(),
        () -> documents.at(1L, "a").set(1),
        () -> documents.at(1L, "a").set(DOCUMENT),
        () -> documents.at(1L, "a").increment(1),
        () -> documents.at(1L, "a").remove(),
        () -> documents.merge(1L, Map.of("b", 1)),
        () -> documents.patchJson(1L, "[{\"op\": \"add\", \"path\": \"/c\", \"value\": 8}]"),
        () -> documents.getAll(List.of(1L, 2L), DocumentPath.of("a")),
        () -> documents.text(1L),
        () -> documents.stream(1L).orElseThrow().read(),
        () -> documents.stat(1L),
        () -> documents.clear(1L));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void columnOfOneTenant_onTheConnectionOfAnother_isRefused(Setting setting) throws Exception {
    Database database = database(setting);
    try (Connection first = of(database, "first");
        Connection second = of(database, "second")) {
      PgToaster toaster = toaster(setting, first);
      for (String name : List.of("content", "bytes")) {
        BlobColumn blobs = toaster.blobs("item", name);
        blobs.append(1L, BYTES);
        // The handle looks up the column again on this connection.
        assertThat(Expect.refused(BlobNotFoundException.class, () -> blobs.on(second).verify(2L)))
            .hasMessageContaining("second.item");
        refused(database, calls(blobs.on(second)));
        assertThat(blobs.read(1L, 0, 20_000)).isEqualTo(BYTES);
      }
      BlobColumn created = toaster.blobs("item", "content");
      created.describe();
      second.setAutoCommit(false);
      refused(database, List.of(() -> created.on(second).create(2)));
      second.rollback();
      second.setAutoCommit(true);
      for (String name : List.of("doc", "plain")) {
        DocumentColumn documents = toaster.documents("item", name);
        documents.putJson(1L, DOCUMENT);
        assertThat(documents.on(second).compact(1L)).isZero();
        refused(database, calls(documents.on(second)));
        assertThat(documents.verify(1L)).isEmpty();
      }
      assertThat(toaster(setting, second).blobs("item", "content").keys(5)).isEmpty();
      BlobColumn qualified = toaster.blobs(ColumnName.of("second", "item", "content"));
      qualified.append(2L, BYTES);
      assertThat(qualified.on(first).length(2L)).isEqualTo(20_000);
    }
    database.close();
  }

  private static void refused(Database database, List<ThrowingCallable> calls) {
    List<String> before = everything(database);
    for (ThrowingCallable call : calls) {
      assertThat(Expect.failed(ColumnNotFoundException.class, call))
          .hasMessageContaining("search_path");
    }
    assertThat(everything(database)).isEqualTo(before);
  }

  private static List<String> everything(Database database) {
    return database.strings(
        "SELECT t::text FROM first.item t UNION ALL SELECT t::text FROM second.item t UNION ALL"
            + " SELECT t::text FROM pgtoaster.store_1_head t");
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void reusedConnections_ofAnotherTenant_lookUpTheColumnAgain(Setting setting) throws Exception {
    Database database = database(setting);
    try (HikariDataSource pool = database.pool(1)) {
      PgToaster toaster = PgToaster.create(pool);
      BlobColumn blobs =
          (setting.extension() ? toaster : toaster.withoutExtension()).blobs("item", "content");
      for (int i = 0; i < 4; i++) {
        try (Connection c = pool.getConnection()) {
          Sql.run(c, "SET search_path = " + TENANTS.get(i % 2));
        }
        blobs.append(1L, new byte[10]);
        assertThat(blobs.length(1L)).isEqualTo((i / 2 + 1) * 10L);
      }
    }
    database.close();
  }
}
