package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The tables of one kind of track, and session factories for them. */
final class Tracks implements AutoCloseable {
  private final Class<? extends Track> type;
  private final Database database;
  private final HikariDataSource pool;
  private final PgToaster pgToaster;
  private Orm orm;
  private Orm cached;
  private long nextId = 1;

  Tracks(Setting setting, Class<? extends Track> type) {
    this.type = type;
    this.database = PostgresServers.shared(setting.version()).installed();
    this.pool = database.pool(4);
    this.pgToaster = PgToaster.create(pool);
    if (setting.extension()) {
      database.run("CREATE EXTENSION pgtoaster");
    }
    database.run(
        "CREATE TABLE %s (id bigint PRIMARY KEY, title text, version integer NOT NULL, audio %s)"
            .formatted(table(), handles() ? "bigint" : "bytea"));
    if (handles()) {
      pgToaster.catalog().attach(table(), "audio", BlobOptions.defaults());
    }
  }

  boolean handles() {
    return type == Recording.class;
  }

  String table() {
    return type.getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }

  String entity() {
    return type.getSimpleName();
  }

  Class<? extends Track> type() {
    return type;
  }

  Database database() {
    return database;
  }

  BlobColumn column() {
    return pgToaster.blobs(table(), "audio");
  }

  /** Returns a factory without a cache, with batches. */
  Orm orm() {
    if (orm == null) {
      orm = build(b -> b.batches(20));
    }
    return orm;
  }

  /** Returns a factory with a second-level cache and a query cache. */
  Orm cached() {
    if (cached == null) {
      cached = build(OrmBuilder::queryCache);
    }
    return cached;
  }

  Orm build(UnaryOperator<OrmBuilder> settings) {
    return settings
        .apply(Orm.on(database).entities(type).set("hibernate.hbm2ddl.auto", "none"))
        .build();
  }

  /** Creates a track that is not persistent yet. */
  Track make(AppendableBlob audio) {
    Track track = handles() ? new Recording() : new Clip();
    track.id = nextId++;
    track.audio(audio);
    return track;
  }

  /** Persists a new track and returns its id. */
  long persisted(String content) throws Exception {
    Track track = make(content == null ? null : AppendableBlob.of(content));
    orm().inTransaction(s -> s.persist(track));
    orm().statements();
    return track.id;
  }

  /** Returns the committed content, or null. */
  String content(long id) {
    return column().info(id).isEmpty()
        ? null
        : new String(
            column().read(id, 0, (int) column().length(id)),
            java.nio.charset.StandardCharsets.UTF_8);
  }

  int version(long id) {
    return (int) database.number("SELECT version FROM " + table() + " WHERE id = " + id);
  }

  /** Asserts that no content is damaged or lacks a row, and empties the table. */
  void assertClean() {
    for (String id : database.strings("SELECT id FROM " + table() + " WHERE audio IS NOT NULL")) {
      assertThat(column().verify(Long.valueOf(id))).isEmpty();
    }
    if (handles()) {
      assertThat(
              database.number(
                  "SELECT count(*) FROM pgtoaster.store_1_head h WHERE NOT EXISTS"
                      + " (SELECT FROM recording r WHERE r.audio = h.id)"))
          .as("content without a row")
          .isZero();
      assertThat(pgToaster.catalog().gc(GcOptions.defaults().withGrace(Duration.ZERO)).items())
          .isEmpty();
    }
    database.run("DELETE FROM " + table());
    if (cached != null) {
      cached.factory().getCache().evictAllRegions();
    }
  }

  static List<Setting> settings() {
    return Setting.edgesByBoth();
  }

  @Override
  public void close() throws SQLException {
    if (orm != null) {
      orm.close();
    }
    if (cached != null) {
      cached.close();
    }
    pool.close();
    database.close();
  }
}
