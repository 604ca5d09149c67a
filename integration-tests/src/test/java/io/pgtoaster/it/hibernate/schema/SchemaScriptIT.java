package io.pgtoaster.it.hibernate.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.hibernate.schema.PgToasterSchema;
import io.pgtoaster.hibernate.schema.PrintSchema;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.junit.jupiter.api.Test;

/** The printed script for migration tools creates the same schema. */
class SchemaScriptIT {
  private static final String TABLE =
      "CREATE TABLE letter (id bigint PRIMARY KEY, body jsonb, scan bigint)";

  private final Database database = PostgresServers.shared(PostgresServers.newest()).database();

  private static String printed(Class<?> entity, boolean liquibase) {
    return with(
        entity, m -> liquibase ? PgToasterSchema.liquibase(m, "team") : PgToasterSchema.script(m));
  }

  private static <T> T with(Class<?> entity, Function<Metadata, T> print) {
    StandardServiceRegistry registry =
        new StandardServiceRegistryBuilder()
            .applySetting("hibernate.boot.allow_jdbc_metadata_access", false)
            .applySetting("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
            .build();
    try {
      return print.apply(new MetadataSources(registry).addAnnotatedClass(entity).buildMetadata());
    } finally {
      StandardServiceRegistryBuilder.destroy(registry);
    }
  }

  private void assertThatEntitiesWork() throws Exception {
    try (Orm orm =
        Orm.on(database).entities(Letter.class).set("hibernate.hbm2ddl.auto", "validate").build()) {
      orm.inTransaction(s -> s.persist(new Letter(1, "first")));
      Object text =
          orm.fromTransaction(s -> s.find(Letter.class, 1L).body.get("text", String.class).get());
      assertThat(text).isEqualTo("x".repeat(3000));
    }
    assertThat(database.strings("SELECT toaster FROM pgtoaster.attached_column ORDER BY 1"))
        .containsExactly("appendable", "keyed");
    assertThat(database.number("SELECT count(*) FROM letter WHERE body ? '$pgtoaster'")).isOne();
  }

  @Test
  void script_runByPsqlOrFlyway_createsTheSchema() throws Exception {
    String script = printed(Letter.class, false);
    assertThat(script).doesNotContain("${");
    database.run(TABLE);
    for (int run = 0; run < 2; run++) {
      try (Connection c = database.connect();
          Statement s = c.createStatement()) {
        c.setAutoCommit(false);
        s.execute(script);
        c.commit();
      }
    }
    assertThatEntitiesWork();
  }

  @Test
  void changelog_runByLiquibase_createsTheSchema() throws Exception {
    String changelog = printed(Letter.class, true);
    assertThat(changelog).startsWith("--liquibase formatted sql\n").doesNotContain("${");
    database.run(TABLE);
    String[] changesets = changelog.split("--changeset ", -1);
    assertThat(changesets).hasSize(4);
    for (int i = 1; i < changesets.length; i++) {
      String head = changesets[i].lines().findFirst().orElseThrow();
      assertThat(head).matches("team:[A-Za-z0-9._-]+ splitStatements:false stripComments:false.*");
      // One call executes the whole script, as Liquibase does with an unsplit changeset.
      try (Connection c = database.connect()) {
        Sql.run(c, changesets[i].substring(head.length()));
      }
    }
    assertThatEntitiesWork();
  }

  @Test
  void attachments_afterTheCatalog_createTheSchema() throws Exception {
    database.run(TABLE);
    PgToaster.create(database.dataSource()).catalog().install();
    List<String> statements = with(Letter.class, PgToasterSchema::attachments);
    assertThat(statements).hasSize(2);
    for (int run = 0; run < 2; run++) {
      database.run(statements.toArray(String[]::new));
    }
    assertThatEntitiesWork();
  }

  /** The letter in a later version, which keeps more members in the row. */
  @Entity(name = "Letter")
  @Table(name = "letter")
  static class LaterLetter {
    @Id long id;

    @KeyedColumn(keepInline = {"subject", "sender"})
    KeyedJson<Map<String, Object>> body;
  }

  @Test
  void attachmentsWithMoreInlinePaths_areRefused_untilTheColumnKeepsThem() throws Exception {
    database.run(TABLE);
    PgToaster.create(database.dataSource()).catalog().install();
    database.run(with(Letter.class, PgToasterSchema::attachments).toArray(String[]::new));
    String later = with(LaterLetter.class, PgToasterSchema::attachments).get(0);
    try (Connection c = database.connect()) {
      assertThatThrownBy(() -> Sql.run(c, later))
          .hasMessageContaining("does not keep [\"/sender\"] in the row");
    }
    database.run(
        "SELECT pgtoaster.set_options('letter', 'body',"
            + " '{\"keep_inline\": [\"/sender\", \"/subject\"]}')",
        later);
  }

  @Test
  void unit_isPrintedWithoutADatabase() {
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      PrintSchema.main("letters");
    } finally {
      System.setOut(out);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo(printed(Letter.class, false))
        .startsWith(Catalog.script(Catalog.scriptNames().get(0)));
  }

  @Test
  void unknownUnit_isRefused() {
    assertThatThrownBy(() -> PrintSchema.main("nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no META-INF/persistence.xml")
        .hasMessageContaining("nobody");
    assertThatThrownBy(PrintSchema::main).hasMessageContaining("name of a persistence unit");
  }

  @Test
  void entitiesWithoutContent_needNothing() {
    assertThat(printed(Plain.class, false)).isEmpty();
    assertThat(printed(Plain.class, true)).isEmpty();
    assertThat(with(Plain.class, PgToasterSchema::attachments)).isEmpty();
    try (Orm orm = Orm.on(database).entities(Plain.class).build()) {
      assertThat(database.strings("SELECT to_regnamespace('pgtoaster')::text")).containsOnlyNulls();
      assertThat(orm.factory().isOpen()).isTrue();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Entity(name = "Plain")
  static class Plain {
    @Id long id;
  }
}
