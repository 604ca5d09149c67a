package io.pgtoaster.it.hibernate.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.junit.jupiter.api.Test;

/**
 * Columns are attached whatever the names of table and column are, and wherever the attribute is.
 */
class SchemaNamesIT {
  private final Database database = PostgresServers.shared(PostgresServers.newest()).database();

  /** The common members of all entities here. */
  @MappedSuperclass
  abstract static class Content {
    @Id long id;
    AppendableBlob audio;

    @Column(name = "`Pro\"\"file`")
    KeyedJson<Map<String, Object>> profile;
  }

  @Entity(name = "Hostile")
  @Table(name = "`We\"\"ird Ta'ble\\$$`", schema = "`Odd sche'ma`")
  static class Hostile extends Content {}

  /** Names of 63 bytes that contain parameter syntax of JDBC and Hibernate. */
  @Entity(name = "Placeholder")
  @Table(name = "`T? :id ?1 ${x} {fn now()} \\ % $1 ÄÖÜ 12345678901234567890123`")
  static class Placeholder {
    @Id
    @Column(name = "`K? :id ?1 {d '1'} \\ % $1 ÄÖÜ 1234567890123456789012345678901`")
    long id;

    @Column(name = "`A? :id ?1 {d '1'} \\ % $1 ÄÖÜ 1234567890123456789012345678901`")
    AppendableBlob audio;

    @Column(name = "`D? :id ?1 {d '1'} \\ % $1 ÄÖÜ 1234567890123456789012345678901`")
    KeyedJson<Map<String, Object>> profile;

    @KeyedColumn
    @Column(name = "`M? :id ?1 {d '1'} \\ % $1 ÄÖÜ 1234567890123456789012345678901`")
    Map<String, Object> mapped;
  }

  @Entity(name = "LongWords")
  static class LongWords extends Content {
    AppendableBlob secondAudio;
  }

  @Entity(name = "Split")
  @SecondaryTable(name = "split_rest")
  static class Split extends Content {
    @Column(table = "split_rest")
    AppendableBlob rest;
  }

  @Entity(name = "Base")
  @Inheritance(strategy = InheritanceType.JOINED)
  static class Base extends Content {}

  @Entity(name = "Derived")
  static class Derived extends Base {
    AppendableBlob more;
  }

  @Entity(name = "Shape")
  @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
  abstract static class Shape extends Content {}

  @Entity(name = "Circle")
  static class Circle extends Shape {}

  @Entity(name = "Square")
  static class Square extends Shape {}

  private OrmBuilder orm(Class<?>... entities) {
    return Orm.on(database)
        .entities(entities)
        .set("hibernate.hbm2ddl.auto", "update")
        .set("hibernate.hbm2ddl.halt_on_error", true)
        .set("hibernate.hbm2ddl.create_namespaces", true);
  }

  private void fill(Orm orm, Content content) throws Exception {
    byte[] bytes = "bytes".getBytes(StandardCharsets.UTF_8);
    content.id = 1;
    content.audio = AppendableBlob.of(bytes);
    content.profile = KeyedJson.of(Map.of("name", "x", "big", "y".repeat(5000)));
    orm.inTransaction(s -> s.persist(content));
    orm.inTransaction(
        s -> {
          Content found = s.find(content.getClass(), 1L);
          found.audio.append(bytes);
          assertThat(found.audio.length()).isEqualTo(10);
          assertThat(found.profile.get("big", String.class).orElseThrow()).hasSize(5000);
        });
  }

  private java.util.List<String> attached() {
    return database.strings(
        "SELECT concat_ws('|', schema_name, table_name, column_name)"
            + " FROM pgtoaster.attached_column ORDER BY 1");
  }

  @Test
  void quotedNames_areExact() throws Exception {
    try (Orm orm = orm(Hostile.class).build()) {
      assertThat(attached())
          .containsExactly(
              "Odd sche'ma|We\"ird Ta'ble\\$$|Pro\"file", "Odd sche'ma|We\"ird Ta'ble\\$$|audio");
      fill(orm, new Hostile());
    }
  }

  @Test
  void namesLikePlaceholders_areNames() throws Exception {
    try (Orm orm = orm(Placeholder.class).build()) {
      assertThat(attached())
          .hasSize(3)
          .allSatisfy(
              name ->
                  assertThat(name.split("\\|"))
                      .hasSize(3)
                      .allSatisfy(
                          part ->
                              assertThat(part.getBytes(StandardCharsets.UTF_8).length)
                                  .isIn(6, 63)));
      Map<String, Object> big =
          Map.of("name", "x", "big", "y".repeat(5000), "n", 1, "list", List.of());
      orm.inTransaction(
          s -> {
            for (long id = 1; id <= 2; id++) {
              Placeholder entity = new Placeholder();
              entity.id = id;
              entity.audio = AppendableBlob.of("bytes");
              entity.profile = KeyedJson.of(big);
              entity.mapped = new HashMap<>(big);
              s.persist(entity);
            }
          });
      orm.inTransaction(
          s -> {
            for (Placeholder found :
                s.createSelectionQuery(
                        "from Placeholder p where p.profile['name'] = 'x' and length(p.audio) = 5"
                            + " and p.mapped = :mapped and keyed_contains(p.profile, '{\"n\": 1}')"
                            + " order by p.id",
                        Placeholder.class)
                    .setParameter("mapped", big)
                    .getResultList()) {
              assertThat(found.profile.get("big", String.class).orElseThrow()).hasSize(5000);
              found.audio.append("more");
              found.profile.set("big", "z".repeat(6000));
              found.profile.append("list", found.id);
              found.mapped.put("n", 2);
            }
          });
      orm.inTransaction(
          s ->
              assertThat(
                      s.createMutationQuery(
                              "update Placeholder p set p.profile['n'] = :n, p.mapped['n'] = 4"
                                  + " where p.mapped['n'] = '2'")
                          .setParameter("n", 3)
                          .executeUpdate())
                  .isEqualTo(2));
      orm.inTransaction(
          s -> {
            Placeholder found = s.find(Placeholder.class, 2);
            assertThat(found.audio.read(0, 20)).asString().isEqualTo("bytesmore");
            assertThat(found.profile.get("n", Integer.class)).contains(3);
            assertThat(found.profile.get("big", String.class).orElseThrow()).hasSize(6000);
            assertThat(found.profile.get("list[0]", Long.class)).contains(2L);
            assertThat(found.mapped).containsEntry("n", 4);
            found.audio = AppendableBlob.of("new");
            found.mapped = null;
          });
      orm.inTransaction(s -> s.remove(s.find(Placeholder.class, 1)));
      orm.statelessly(
          s -> {
            Placeholder found = s.get(Placeholder.class, 2);
            assertThat(found.mapped).isNull();
            assertThat(found.audio.length()).isEqualTo(3);
          });
    }
  }

  @Test
  void quotedNames_leaveNoStoreWhenTheyAreDropped() throws Exception {
    // Hibernate tries to drop the schema before it creates it.
    try (Orm orm =
        orm(Hostile.class)
            .set("hibernate.hbm2ddl.auto", "create-drop")
            .set("hibernate.hbm2ddl.halt_on_error", false)
            .build()) {
      fill(orm, new Hostile());
    }
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void allNamesQuoted_keepTheirCase() throws Exception {
    try (Orm orm =
        orm(LongWords.class).set("hibernate.globally_quoted_identifiers", true).build()) {
      assertThat(attached())
          .containsExactlyInAnyOrder(
              "public|LongWords|Pro\"file",
              "public|LongWords|audio",
              "public|LongWords|secondAudio");
      fill(orm, new LongWords());
    }
  }

  @Test
  void namingStrategy_namesTables() throws Exception {
    try (Orm orm =
        orm(LongWords.class)
            .set(
                "hibernate.physical_naming_strategy",
                PhysicalNamingStrategySnakeCaseImpl.class.getName())
            .build()) {
      assertThat(attached()).contains("public|long_words|second_audio");
      fill(orm, new LongWords());
    }
  }

  @Test
  void defaultSchema_appliesToTablesWithoutASchema() throws Exception {
    try (Orm orm =
        orm(LongWords.class, Hostile.class).set("hibernate.default_schema", "Home").build()) {
      assertThat(attached())
          .contains("home|longwords|audio", "Odd sche'ma|We\"ird Ta'ble\\$$|audio");
      fill(orm, new LongWords());
      fill(orm, new Hostile());
    }
  }

  @Test
  void columnOfASecondaryTable_isAttached() throws Exception {
    try (Orm orm = orm(Split.class).build()) {
      assertThat(attached())
          .containsExactlyInAnyOrder(
              "public|split|Pro\"file", "public|split|audio", "public|split_rest|rest");
      Split split = new Split();
      split.rest = AppendableBlob.of("rest".getBytes(StandardCharsets.UTF_8));
      fill(orm, split);
      assertThat(orm.<Long>fromTransaction(s -> s.find(Split.class, 1L).rest.length()))
          .isEqualTo(4L);
    }
  }

  @Test
  void joinedSubclass_addsItsOwnColumn() throws Exception {
    try (Orm orm = orm(Base.class, Derived.class).build()) {
      assertThat(attached())
          .containsExactlyInAnyOrder(
              "public|base|Pro\"file", "public|base|audio", "public|derived|more");
      Derived derived = new Derived();
      derived.more = AppendableBlob.of("more".getBytes(StandardCharsets.UTF_8));
      fill(orm, derived);
      assertThat(orm.<Long>fromTransaction(s -> s.find(Derived.class, 1L).more.length()))
          .isEqualTo(4L);
    }
  }

  @Test
  void tablePerClass_attachesTheColumnsOfEach() throws Exception {
    try (Orm orm = orm(Shape.class, Circle.class, Square.class).build()) {
      assertThat(attached())
          .containsExactlyInAnyOrder(
              "public|circle|Pro\"file",
              "public|circle|audio",
              "public|square|Pro\"file",
              "public|square|audio");
      fill(orm, new Circle());
      orm.inTransaction(s -> assertThat(s.find(Shape.class, 1L).audio.length()).isEqualTo(10));
    }
  }
}
