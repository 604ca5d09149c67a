package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentValue;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that have lost their header while triggers were off. */
class LostHeaderIT {
  private static final String DOCUMENT =
      "{\"name\": \"Ada\", \"in\": {\"n\": 1}, \"roles\": [{\"title\": \"%s\"}, 7]}"
          .formatted(Documents.words(1, 5_000));

  private static DocumentFixture fixture(Setting setting) {
    return new DocumentFixture(setting, DocumentSpec.keyed("{}"));
  }

  private static void loseHeader(DocumentFixture fx, Object key) {
    fx.runWithoutTriggers("UPDATE item SET doc = doc - '$pgtoaster'" + fx.where(key));
  }

  private static List<String> repair(DocumentFixture fx, boolean dryRun) {
    return fx.strings(
        "SELECT r.problem FROM pgtoaster.repair('item', 'doc', NULL, %s) r".formatted(dryRun));
  }

  private static long garbage(DocumentFixture fx) {
    return fx.number(
        "SELECT count(*) FROM pgtoaster.gc_documents(%d, '0 s')".formatted(fx.store()));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void lostHeader_isRestored_andItsContentIsNotGarbage(Setting setting) throws Exception {
    try (DocumentFixture fx = fixture(setting)) {
      Object key = fx.row(DOCUMENT);
      loseHeader(fx, key);
      assertThat(fx.strings("SELECT unnest(warnings) FROM pgtoaster.status()"))
          .anyMatch(w -> w.contains("lost their header"));
      assertThat(garbage(fx)).isZero();
      assertThat(
              fx.number(
                  "SELECT count(*) FROM pgtoaster.gc_kept_documents(%d, '0 s')"
                      .formatted(fx.store())))
          .isOne();
      assertThat(repair(fx, true)).hasSize(1).allMatch(p -> p.contains("has lost its header"));
      assertThat(repair(fx, false)).hasSize(1);
      assertThat(repair(fx, true)).isEmpty();
      fx.assertDocument(key, DOCUMENT);
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void lostHeader_makesReadsOfMovedMembersFail(Setting setting) throws Exception {
    try (DocumentFixture fx = fixture(setting)) {
      Object key = fx.row(DOCUMENT);
      loseHeader(fx, key);
      assertThat(fx.own().at(key, "name").get(String.class)).contains("Ada");
      assertThat(fx.own().at(key, "in.m").get()).isEmpty();
      for (String path : List.of("roles", "roles[1]", "roles[0].title")) {
        assertThatThrownBy(() -> fx.own().at(key, path).get())
            .as(path)
            .isInstanceOf(DocumentCorruptException.class);
        assertThatThrownBy(() -> fx.own().textAll(List.of(key), path))
            .as(path)
            .isInstanceOf(DocumentCorruptException.class);
      }
      assertThat(fx.own().at(key, "in").size()).hasValue(1);
      assertThat(fx.own().at(key, "in").keys()).contains(List.of("n"));
      for (String path : List.of("roles", "roles[0]")) {
        DocumentValue value = fx.own().at(key, path);
        for (ThrowingCallable read :
            List.<ThrowingCallable>of(
                value::type, value::size, value::keys, value::stream, () -> value.slice(0, 1))) {
          assertThatThrownBy(read).as(path).isInstanceOf(DocumentCorruptException.class);
        }
      }
      assertThatThrownBy(() -> fx.own().load(key)).isInstanceOf(DocumentCorruptException.class);
      try (Connection c = fx.database().connect()) {
        c.setAutoCommit(false);
        // In a transaction, the rows are fetched in several batches.
        for (String path : List.of("", "roles", "roles[0]")) {
          assertThatThrownBy(() -> PgToaster.on(c).documents("item", "doc").at(key, path).stream())
              .as(path)
              .isInstanceOf(DocumentCorruptException.class);
          c.rollback();
        }
        c.setAutoCommit(true);
        assertThat(one(c, "pgtoaster.get_text(doc, '{name}')")).isEqualTo("Ada");
        assertThat(one(c, "pgtoaster.get(doc, '{in,m}')")).isNull();
        assertThat(one(c, "pgtoaster.contains(doc, '{\"in\": {\"n\": 1}}')")).isEqualTo("true");
        for (String read :
            List.of(
                "pgtoaster.get(doc, '{roles}')",
                "pgtoaster.get_text(doc, '{roles,1}')",
                "pgtoaster.get(doc, '{}')",
                "pgtoaster.expand(doc)",
                "pgtoaster.contains(doc, '{\"roles\": [7]}')",
                "pgtoaster.contains(doc, '{\"none\": 7}')")) {
          assertThatThrownBy(() -> one(c, read))
              .as(read)
              .isInstanceOfSatisfying(
                  SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("XX001"));
        }
      }
      assertThat(repair(fx, false)).hasSize(1);
      fx.afterTest();
    }
  }

  private static String one(Connection c, String expression) throws SQLException {
    return Sql.string(c, "SELECT CAST(" + expression + " AS text) FROM item");
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void overwrittenDocument_isSetAside(Setting setting) throws Exception {
    try (DocumentFixture fx = fixture(setting)) {
      Object key = fx.row(DOCUMENT);
      fx.runWithoutTriggers("UPDATE item SET doc = '{\"new\": 1}'" + fx.where(key));
      assertThat(fx.document(key)).isEqualTo("{\"new\": 1}");
      assertThat(garbage(fx)).isZero();
      assertThat(repair(fx, false))
          .hasSize(1)
          .allMatch(p -> p.contains("contains a plain document"));
      assertThat(repair(fx, true)).isEmpty();
      fx.assertDocument(key, "{\"new\": 1}");
      assertThat(fx.strings("SELECT value->>1 FROM " + fx.table("aside"))).containsExactly("7");
      assertThat(fx.number("SELECT count(*) FROM " + fx.table("head"))).isZero();
      assertThat(fx.number("SELECT count(*) FROM " + fx.table("node"))).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void usersKeysThatLookLikeMarkers_areRead_inPlainDocuments(Setting setting) throws Exception {
    try (DocumentFixture fx = fixture(setting)) {
      String plain =
          "{\"a\": {\"$pgtoaster\": 5}, \"b\": {\"$pgtoaster\": 1234567890123456, \"c\": 1}}";
      Object key = fx.row();
      fx.run("UPDATE item SET doc = " + Sql.literal(plain) + fx.where(key));
      fx.assertDocument(key, plain);
      assertThat(fx.own().at(key, "a").text()).contains("{\"$pgtoaster\": 5}");
      assertThat(fx.own().at(key, "a.x").get()).isEmpty();
      assertThat(fx.own().at(key, "a.$pgtoaster").get(Integer.class)).contains(5);
      assertThat(fx.own().at(key, "a").type()).hasToString("Optional[OBJECT]");
      assertThat(fx.own().at(key, "b.c").get(Integer.class)).contains(1);
      assertThat(fx.own().at(key, "a").size()).hasValue(1);
      assertThat(fx.own().at(key, "b").keys()).contains(List.of("c", "$pgtoaster"));
      try (InputStream a = fx.own().at(key, "a").stream().orElseThrow()) {
        assertThat(a).hasContent("{\"$pgtoaster\": 5}");
      }
      assertThat(fx.own().at(key, "a").slice(0, 1)).isEmpty();
      assertThat(fx.own().at(key, "a.x").keys()).isEmpty();
      try (Connection c = fx.database().connect()) {
        assertThat(one(c, "pgtoaster.get_text(doc, '{a,$pgtoaster}')")).isEqualTo("5");
        assertThat(one(c, "pgtoaster.get(doc, '{a,x}')")).isNull();
        assertThat(one(c, "pgtoaster.contains(doc, '{\"b\": {\"c\": 1}}')")).isEqualTo("true");
        assertThat(one(c, "pgtoaster.expand(doc) = doc")).isEqualTo("true");
      }
      fx.afterTest();
    }
  }
}
