package io.pgtoaster.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.cli.CliHome.Result;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Commands over a whole column skip a damaged value and process the others. */
class WholeColumnIT {
  @AutoClose private static CliHome home;

  @BeforeAll
  static void install() throws Exception {
    home = CliHome.create();
    home.keepServer();
    Result install = home.run("install");
    assertThat(install.code()).as(install.errors()).isZero();
  }

  private static void run(String... statements) throws SQLException {
    try (Connection c = home.connect()) {
      Sql.run(c, statements);
    }
  }

  private static String text(String sql) throws SQLException {
    try (Connection c = home.connect()) {
      return Sql.string(c, sql);
    }
  }

  /**
   * Creates a table with four large documents that are not split yet; returns the prefix of its
   * store's tables.
   */
  private static String documents(String table) throws SQLException {
    run(
        "CREATE TABLE %s (id int PRIMARY KEY, doc jsonb)".formatted(table),
        "INSERT INTO %s SELECT n, jsonb_build_object('n', n, 'text', repeat('long ', 2000)) FROM generate_series(1, 4) n"
            .formatted(table));
    return "pgtoaster.store_"
        + text(
            "SELECT pgtoaster.attach('%s', 'doc', 'keyed', '{\"leaf_size\": 512}')"
                .formatted(table));
  }

  @Test
  void documentRefusedByPostgresql_isReportedByItsKey_andTheOthersAreCompacted() throws Exception {
    documents("refused");
    run(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'the second stays as it is'; END $$",
        "CREATE TRIGGER refuse BEFORE UPDATE ON refused FOR EACH ROW WHEN (OLD.id = 2) EXECUTE FUNCTION refuse()");
    Result compact = home.run("compact", "-t", "refused", "-c", "doc");
    assertThat(compact.output())
        .startsWith("2: ")
        .contains("key [2]", "the second stays as it is")
        .hasLineCount(1);
    assertThat(compact.errors())
        .contains("3 documents compacted, ", ", 1 with problems")
        .hasLineCount(1);
    assertThat(compact.code()).isEqualTo(1);
    assertThat(
            text(
                "SELECT string_agg(id::text, ',' ORDER BY id) FROM refused WHERE doc ? '$pgtoaster'"))
        .isEqualTo("1,3,4");
    Result one = home.run("compact", "-t", "refused", "-c", "doc", "2");
    assertThat(one.errors()).contains("the second stays as it is");
    assertThat(one.code()).isEqualTo(1);
    assertThat(home.run("compact", "-t", "refused", "-c", "doc", "1").code()).isZero();
  }

  @Test
  void damagedDocument_isReportedByItsKey_andTheOthersAreVerified() throws Exception {
    String store = documents("damaged");
    assertThat(home.run("compact", "-t", "damaged", "-c", "doc").code()).isZero();
    assertThat(home.run("verify", "-t", "damaged", "-c", "doc").code()).isZero();
    run(
        "UPDATE %1$s_node SET kids = '{NULL}', bytes = -9 WHERE doc = (SELECT id FROM %1$s_head WHERE owner_1 = 3)"
            .formatted(store));
    Result verify = home.run("verify", "-t", "damaged", "-c", "doc");
    assertThat(verify.output().lines())
        .isNotEmpty()
        .allMatch(line -> line.startsWith("3: "))
        .anyMatch(line -> line.contains("is damaged"));
    assertThat(verify.errors()).contains("4 documents verified, 1 with problems");
    assertThat(verify.code()).isEqualTo(1);
    assertThat(home.run("ls", "-t", "damaged", "-c", "doc").output())
        .hasLineCount(4)
        .doesNotContain("-");
  }

  @Test
  void headsWithNegativeLengths_areDamaged() throws Exception {
    for (String key : new String[] {"1", "2", "3"}) {
      assertThat(home.run(new byte[100], "append", key).code()).isZero();
    }
    String store =
        text("SELECT store FROM pgtoaster.attached_column WHERE table_name = 'pgtoaster_files'");
    run(
        "UPDATE pgtoaster.store_%s_head SET base = -5000 WHERE id = (SELECT content FROM pgtoaster_files WHERE name = '2')"
            .formatted(store));
    Result ls = home.run("ls");
    assertThat(ls.output().lines())
        .containsExactly("           100   1", "       damaged   2", "           100   3");
    assertThat(ls.errors()).contains("1 blob damaged");
    assertThat(ls.code()).isEqualTo(1);
    Result verify = home.run("verify");
    assertThat(verify.output()).startsWith("2: ").contains("head").hasLineCount(1);
    assertThat(verify.errors()).contains("3 blobs verified, 1 with problems");
    assertThat(verify.code()).isEqualTo(1);
    assertThat(home.run("stat", "2").code()).isEqualTo(1);
  }

  @Test
  void storeThatGcCannotClean_isReported_andTheOthersAreCleaned() throws Exception {
    run(
        "CREATE TABLE bad (id int PRIMARY KEY)",
        "CREATE TABLE gone (id int PRIMARY KEY)",
        "SELECT pgtoaster.attach('bad', 'content')",
        "SELECT pgtoaster.attach('gone', 'content')",
        "DROP TABLE gone");
    try (Connection c = home.connect()) {
      String store =
          Sql.string(
              c, "SELECT store FROM pgtoaster.attached_column WHERE owner = 'bad'::regclass");
      String gone =
          Sql.string(c, "SELECT store FROM pgtoaster.attached_column WHERE table_name IS NULL");
      assertThat(home.run("status").output())
          .contains("warning: store_" + gone + ": the table of the column content was dropped");
      Sql.run(c, "DROP TABLE pgtoaster.store_" + store + "_garbage");
      Result gc = home.run("-q", "gc", "--yes", "--grace", "PT0S");
      assertThat(gc.output()).contains("the table of the column content was dropped");
      assertThat(gc.errors())
          .contains("store " + store + ", public.bad.content: ")
          .contains("_garbage")
          .hasLineCount(1);
      assertThat(gc.code()).isEqualTo(1);
      Sql.run(c, "DROP TABLE bad");
    }
    assertThat(home.run("gc", "--yes").code()).isZero();
  }
}
