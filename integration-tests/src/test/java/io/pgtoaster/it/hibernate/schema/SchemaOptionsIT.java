package io.pgtoaster.it.hibernate.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.JsonOptions;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Options for the schema of a store and for plain SQL. */
class SchemaOptionsIT {
  private static final String STORES =
      "SELECT DISTINCT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE c.relkind = 'r' AND c.relname ~ '^store_[0-9]'";

  private final Database database = PostgresServers.shared(PostgresServers.newest()).database();

  /** An entity in a separate schema. */
  @Entity(name = "Parcel")
  @Table(schema = "app", name = "parcel")
  static class Parcel {
    @Id long id;

    @KeyedColumn(unchanged = JsonOptions.Unchanged.ERROR, inOwnerSchema = true)
    KeyedJson<Map<String, Object>> content;

    @AppendableColumn(inOwnerSchema = true)
    AppendableBlob label;

    Parcel() {}

    Parcel(long id) {
      this.id = id;
      this.content = KeyedJson.of(Map.of("text", "x".repeat(9_000)));
      this.label = AppendableBlob.of(new byte[20_000]);
    }
  }

  @Test
  void storesOfAnEntity_areInTheSchemaOfItsTable_andAreDroppedWithIt() throws Exception {
    database.run("CREATE SCHEMA app");
    try (Orm orm =
        Orm.on(database)
            .entities(Parcel.class)
            .set("hibernate.hbm2ddl.auto", "create-drop")
            .build()) {
      orm.inTransaction(s -> s.persist(new Parcel(1)));
      assertThat(database.strings(STORES)).containsExactly("app");
      assertThat(database.strings("SELECT store_schema FROM pgtoaster.attached_column"))
          .containsExactly("app", "app");
      assertThat(
              orm.<Object>fromTransaction(
                  s -> s.find(Parcel.class, 1L).content.get("text", String.class).get()))
          .isEqualTo("x".repeat(9_000));
      assertThatThrownBy(this::changeNothing)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    }
    assertThat(database.strings(STORES)).isEmpty();
  }

  /** An UPDATE without effect, because the row does not contain the members of the text. */
  private void changeNothing() throws SQLException {
    try (Connection connection = database.connect()) {
      Sql.run(connection, "UPDATE app.parcel SET content = jsonb_set(content, '{text,0}', '1')");
    }
  }
}
