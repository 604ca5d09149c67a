package io.pgtoaster.it.hibernate.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Map;
import org.hibernate.MappingException;
import org.junit.jupiter.api.Test;

/**
 * If a mapping keeps more members in the row than its column does, the library refuses it before a
 * query can return wrong results.
 */
class KeptPathsIT {
  private final Database database = PostgresServers.shared(PostgresServers.newest()).database();

  /** The mapping at the time of {@code attach}. */
  @Entity(name = "OldSong")
  @Table(name = "song")
  static class OldSong {
    @Id long id = 1;

    @KeyedColumn(keepInline = "artist", rowBudget = 512)
    KeyedJson<Map<String, Object>> notes;
  }

  /** The current mapping, with an additional path in an attribute of any class. */
  @Entity(name = "Song")
  @Table(name = "song")
  static class Song {
    @Id long id = 1;

    @KeyedColumn(keepInline = {"artist", "tempo"})
    Map<String, Object> notes;
  }

  /** Maps the column as an ordinary one. */
  @Entity(name = "PlainSong")
  @Table(name = "song")
  static class PlainSong {
    @Id long id = 1;

    @KeyedColumn(toaster = "default")
    KeyedJson<Map<String, Object>> notes;
  }

  private OrmBuilder orm(Class<?> entity, String auto) {
    return Orm.on(database).entities(entity).set("hibernate.hbm2ddl.auto", auto);
  }

  /** Stores a song with its tempo out of line. */
  private void store() throws Exception {
    OldSong song = new OldSong();
    song.notes = KeyedJson.of(Map.of("artist", "Ada", "tempo", "slow ".repeat(2000)));
    try (Orm orm = orm(OldSong.class, "update").build()) {
      orm.inTransaction(s -> s.persist(song));
    }
    assertThat(database.number("SELECT count(*) FROM song WHERE notes->'tempo' ? '$pgtoaster'"))
        .isEqualTo(1);
  }

  private static long slow(Orm orm) throws Exception {
    return orm.fromTransaction(
        s ->
            s.createSelectionQuery(
                    "select count(*) from Song s where s.notes['tempo'] like 'slow%'", Long.class)
                .getSingleResult());
  }

  @Test
  void pathNotKeptByTheColumn_isRefusedWhenTheFactoryIsBuilt() throws Exception {
    store();
    for (String auto : List.of("update", "validate", "none")) {
      assertThatThrownBy(() -> orm(Song.class, auto).build())
          .as(auto)
          .isInstanceOf(MappingException.class)
          .hasMessageContaining("KeptPathsIT$Song.notes")
          .hasMessageContaining("\"/tempo\"")
          .hasMessageContaining(
              "SELECT pgtoaster.set_options('\"public\".\"song\"', 'notes',"
                  + " '{\"keep_inline\": [\"/artist\", \"/tempo\"]}')");
    }
  }

  @Test
  void columnThatKeepsThePath_isAccepted() throws Exception {
    store();
    database.run(
        "SELECT pgtoaster.set_options('\"public\".\"song\"', 'notes',"
            + " '{\"keep_inline\": [\"/artist\", \"/tempo\"]}')");
    PgToaster.create(database.dataSource()).documents("song", "notes").compact(1L);
    try (Orm orm = orm(Song.class, "update").build()) {
      assertThat(slow(orm)).isEqualTo(1);
    }
  }

  @Test
  void fewerPathsThanTheColumnKeeps_areAccepted() throws Exception {
    orm(Song.class, "update").build().close();
    orm(OldSong.class, "update").build().close();
  }

  @Test
  void ordinaryMappingOfAnAttachedColumn_isRefused() throws Exception {
    store();
    assertThatThrownBy(() -> orm(PlainSong.class, "none").build())
        .isInstanceOf(MappingException.class)
        .hasMessageContaining("attached to the toaster \"keyed\"");
  }

  @Test
  void factoryWithoutBootConnection_refusesAtTheFirstUse() throws Exception {
    store();
    try (Orm orm =
        orm(Song.class, "none")
            .set("hibernate.boot.allow_jdbc_metadata_access", false)
            .set("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
            .build()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(
                () ->
                    orm.inTransaction(s -> s.find(Song.class, 1L).notes = Map.of("artist", "Bob")))
            .hasStackTraceContaining("pgtoaster.set_options(");
      }
    }
  }

  @Test
  void missingOrUnattachedColumn_isNotCheckedByTheFactory() throws Exception {
    orm(Song.class, "none").build().close();
    database.run("CREATE TABLE song (id bigint PRIMARY KEY, notes jsonb)");
    orm(Song.class, "none").build().close();
    orm(PlainSong.class, "none").build().close();
  }
}
