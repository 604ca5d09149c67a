package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hypersistence.utils.hibernate.type.json.JsonType;
import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Type;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Entities with documents of Hibernate's JSON type or of hypersistence-utils. After their columns
 * are migrated, they read the documents as {@link KeyedJson}; after the migration back, they read
 * them as before. See docs/migration.md.
 */
@Tag("ci")
class MigratedEntityIT {
  private static final String SCHEMA =
      "CREATE TABLE invoice (id bigint PRIMARY KEY, doc jsonb, old jsonb)";

  /** The entity before the migration. */
  @Entity(name = "Before")
  @Table(name = "invoice")
  static class Before {
    @Id long id;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> doc;

    @Type(JsonType.class)
    @Column(columnDefinition = "jsonb")
    Map<String, Object> old;
  }

  /** The entity after the migration. */
  @Entity(name = "After")
  @Table(name = "invoice")
  static class After {
    @Id long id;
    KeyedJson<Map<String, Object>> doc;
    KeyedJson<Map<String, Object>> old;
  }

  private static Map<String, Object> document(long id) {
    List<String> lines =
        IntStream.range(0, 400).mapToObj(i -> "line " + i + " of invoice " + id).toList();
    return Map.of("number", Math.toIntExact(id), "lines", lines, "to", Map.of("city", "Bonn"));
  }

  @Test
  void documentsOfOtherTypes_areRead_andMigratedBack() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    try (Orm orm = Orm.on(database).entities(Before.class).schema(SCHEMA).build()) {
      orm.inTransaction(
          s -> {
            for (long id = 1; id <= 3; id++) {
              Before entity = new Before();
              entity.id = id;
              entity.doc = document(id);
              entity.old = document(id + 10);
              s.persist(entity);
            }
          });
    }
    PgToaster toaster = PgToaster.create(database.dataSource());
    migrate(toaster, true);
    assertThat(toaster.documents("invoice", "doc").stat(1L).orElseThrow().split()).isTrue();
    try (Orm orm = Orm.on(database).entities(After.class).schema().build()) {
      orm.inTransaction(
          s -> {
            After entity = s.find(After.class, 2L);
            assertThat(entity.doc.get("to.city", String.class)).hasValue("Bonn");
            assertThat(entity.doc.get("lines[399]", String.class))
                .hasValue("line 399 of invoice 2");
            assertThat(entity.old.get("lines[0]", String.class)).hasValue("line 0 of invoice 12");
            entity.doc.set("lines[7]", "changed");
          });
    }
    migrate(toaster, false);
    try (Orm orm = Orm.on(database).entities(Before.class).schema().build()) {
      orm.inTransaction(
          s -> {
            assertThat(s.find(Before.class, 1L).doc).isEqualTo(document(1));
            assertThat(s.find(Before.class, 1L).old).isEqualTo(document(11));
            assertThat(s.find(Before.class, 2L).doc.get("lines"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .element(7)
                .isEqualTo("changed");
          });
    }
  }

  private static void migrate(PgToaster toaster, boolean there) throws Exception {
    for (String column : List.of("doc", "old")) {
      Migration migration = toaster.catalog().migration(ColumnName.of("invoice", column));
      if (there) {
        migration.begin(null);
      } else {
        migration.beginBack(null);
      }
      migration.run(Migration.Limits.none(), progress -> {});
      migration.finish();
    }
  }
}
