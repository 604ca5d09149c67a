package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** The functions of stores, as written from their templates. */
final class TemplateIT {
  @Test
  void everyNameInEveryTemplate_standsForATextOfTheStore() throws SQLException {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    try {
      database.run(
          "CREATE TABLE plain (id int PRIMARY KEY, audio bigint, doc jsonb)",
          "CREATE TABLE tenant (t int, id int, audio bigint, doc jsonb, PRIMARY KEY (t, id))",
          "SELECT pgtoaster.attach('plain', 'audio'), pgtoaster.attach('plain', 'doc', 'keyed')",
          """
          SELECT pgtoaster.attach('tenant', c.c, c.t, '{"leading_key": "t", "distributed": true}')
          FROM (VALUES ('audio', 'appendable'), ('doc', 'keyed')) c(c, t)
          """);
      assertThat(
              database.strings(
                  """
                  SELECT p.proname FROM pg_proc p
                  WHERE starts_with(p.proname, 'template_') AND NOT EXISTS (
                    SELECT FROM pgtoaster.store s, pgtoaster.store_templates(s.id) t WHERE t.template = p.oid)
                  """))
          .as("templates without a function")
          .isEmpty();
      // marked_template() puts names in backticks, and store_text() replaces those that it knows.
      assertThat(
              database.strings(
                  """
                  SELECT p.proname || ': ' || substring(p.prosrc FROM '`[^`]*`') FROM pg_proc p
                  WHERE p.proname ~ '^store_[0-9]+_' AND strpos(p.prosrc, '`') > 0
                  """))
          .as("functions with an unknown name")
          .isEmpty();
    } finally {
      database.close();
    }
  }
}
