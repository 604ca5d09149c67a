package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Sql;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and names of every kind, from attach to detach. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("versions")
class KeyedDetachIT extends KeyedTable {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uuid|00000000-0000-0000-0000-000000000007",
        "text COLLATE \"C\"|it's",
        "varchar(20)|x\\y\"z",
        "numeric(10,2)|1.50",
        "timestamptz|2024-02-29 12:00:00+00",
        "bytea|\\x00ff",
        "double precision|0.1",
        "mood|sad",
        "int[]|{1,2}"
      })
  void keysOfAnyType_areFollowed(String type, String key) {
    database.run(
        "CREATE TYPE mood AS ENUM ('sad', 'glad')",
        "CREATE TABLE item (\"the \"\"key\" %s PRIMARY KEY, doc jsonb)".formatted(type),
        "INSERT INTO item VALUES (%s)".formatted(Sql.literal(key)));
    int store = attach("{}");
    Nodes nodes = new Nodes(database, store);
    long d = nodes.sample("item", "doc", "true", key);
    assertThat(database.string("SELECT pgtoaster.get(doc, '{cc}') FROM item")).isEqualTo("2");
    Options.collect(database);
    assertThat(nodes.count(d)).isEqualTo(9);
    database.run("DELETE FROM item");
    assertThat(nodes.count(d)).isZero();
  }

  @Test
  void namedIndexOverSeveralColumns_isAKey() {
    database.run(
        "CREATE TABLE item (a text NOT NULL, b int NOT NULL, doc jsonb, extra int NOT NULL DEFAULT 0)",
        "CREATE UNIQUE INDEX item_ab ON item (b, a) INCLUDE (extra)",
        "INSERT INTO item VALUES ('x', 1)");
    assertRefused("42P16", "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    int store = attach("{\"key\": \"item_ab\"}");
    Nodes nodes = new Nodes(database, store);
    long d = nodes.sample("item", "doc", "true", 1, "x");
    database.run("UPDATE item SET a = 'y'");
    assertThat(database.string("SELECT owner_1 || owner_2 FROM " + nodes.table("head")))
        .isEqualTo("1y");
    database.run("DELETE FROM item");
    assertThat(nodes.count(d)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\"b",
        "x'; DROP TABLE victim; --",
        "per%cent %s %I",
        "back\\slash $1 (x)",
        "Groß.\uD83D\uDC18"
      })
  void hostileNames_doNoHarm(String name) throws SQLException {
    String quoted = Sql.identifier(name);
    database.run(
        "CREATE TABLE victim ()",
        "CREATE SCHEMA " + quoted,
        "CREATE TABLE %1$s.%1$s (%2$s int PRIMARY KEY, %1$s jsonb CHECK (%1$s->>%3$s <> ''))"
            .formatted(quoted, Sql.identifier(name + "k"), Sql.literal(name)),
        "INSERT INTO %1$s.%1$s VALUES (1)".formatted(quoted));
    String table = Sql.literal("%1$s.%1$s".formatted(quoted));
    int store =
        (int)
            database.number(
                "SELECT pgtoaster.attach(%s, %s, 'keyed')".formatted(table, Sql.literal(name)));
    Nodes nodes = new Nodes(database, store);
    long d = nodes.sample("%1$s.%1$s".formatted(quoted), quoted, "true", 1);
    assertThat(
            database.string("SELECT pgtoaster.get(%1$s, '{cc}') FROM %1$s.%1$s".formatted(quoted)))
        .isEqualTo("2");
    assertThat(database.string("SELECT options->'keep_inline'->>0 FROM pgtoaster.status()"))
        .isEqualTo("/" + name);
    database.run("UPDATE %1$s.%1$s SET %2$s = 2".formatted(quoted, Sql.identifier(name + "k")));
    database.run("TRUNCATE %1$s.%1$s".formatted(quoted));
    assertThat(nodes.count(d)).isZero();
    database.run("SELECT pgtoaster.detach(%s, %s)".formatted(table, Sql.literal(name)));
    assertThat(database.string("SELECT to_regclass('victim')")).isEqualTo("victim");
  }

  @Test
  void detach_makesDocumentsPlainAgain() {
    item("INSERT INTO item VALUES (1, NULL), (2, '{\"plain\": 1}')");
    int store = attach("{}");
    new Nodes(database, store).sample("item", "doc", "id = 1", 1);
    database.run("SELECT pgtoaster.detach('item', 'doc')");
    assertThat(database.strings("SELECT doc FROM item ORDER BY id"))
        .containsExactly(
            database.string("SELECT CAST('%s' AS jsonb)".formatted(Nodes.SAMPLE)),
            "{\"plain\": 1}");
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_class WHERE relname ~ 'store_[0-9]+_|pgtoaster_[0-9]'"))
        .isZero();
    assertThat(database.number("SELECT count(*) FROM pg_trigger WHERE tgrelid = 'item'::regclass"))
        .isZero();
    assertThat(
            database.string(
                "SELECT attstorage FROM pg_attribute WHERE attrelid = 'item'::regclass AND attname"
                    + " = 'doc'"))
        .isEqualTo("x");
  }

  @Test
  void detachWithAnUnreadableDocument_isRefused_unlessItMayBeDropped() {
    item("INSERT INTO item VALUES (1), (2)");
    int store = attach("{}");
    Nodes nodes = new Nodes(database, store);
    long d = nodes.sample("item", "doc", "id = 1", 1);
    database.run("DELETE FROM %s WHERE id = 5".formatted(nodes.table("node")));
    assertRefused("XX001", "SELECT pgtoaster.detach('item', 'doc')");
    assertThat(nodes.count(d)).isEqualTo(8);
    database.run("SELECT pgtoaster.detach('item', 'doc', true)");
    assertThat(database.number("SELECT count(doc) FROM item")).isZero();
  }

  @Test
  void detachOfARenamedColumn_findsItsDocuments() {
    item("INSERT INTO item VALUES (1)");
    int store = attach("{}");
    new Nodes(database, store).sample("item", "doc", "id = 1", 1);
    database.run(
        "ALTER TABLE item RENAME doc TO body",
        "ALTER TABLE item RENAME id TO nr",
        "ALTER TABLE item RENAME TO thing");
    assertThat(database.string("SELECT pgtoaster.get(body, '{cc}') FROM thing")).isEqualTo("2");
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    database.run("UPDATE thing SET nr = 5");
    assertThat(database.string("SELECT pgtoaster.get(body, '{z}') FROM thing")).isEqualTo("1");
    database.run("SELECT pgtoaster.detach('thing', 'body')");
    assertThat(database.string("SELECT body->'cc' FROM thing")).isEqualTo("2");
  }
}
