package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Triggers of the table fire in the statement by which the library inserts a row. Their writes are
 * checked like any other.
 */
class InsertTriggersIT {
  private static final String DOCUMENT =
      IntStream.range(0, 500)
          .mapToObj("{\"year\": %d, \"title\": \"a title of some length\"}"::formatted)
          .collect(Collectors.joining(", ", "{\"id\": 7, \"roles\": [", "]}"));

  private static DocumentFixture open(Setting setting) {
    return new DocumentFixture(setting, DocumentSpec.keyed("{}"));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void keyChangedByATrigger_isTheDocumentsKey(Setting setting) throws Exception {
    try (DocumentFixture fx = open(setting)) {
      fx.run(
          "CREATE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS"
              + " 'BEGIN NEW.id := NEW.id + 1000; RETURN NEW; END'",
          "CREATE TRIGGER move BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION move()");
      fx.documents().insertJson(1L, DOCUMENT);
      fx.assertDocument(1001L, DOCUMENT);
      fx.documents().at(1001L, "roles").append("last");
      assertThat(fx.documents().verify(1001L)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
  void copyMadeByATrigger_isRefused(Setting setting) throws Exception {
    try (DocumentFixture fx = open(setting)) {
      fx.run(
          "CREATE FUNCTION twice() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO item"
              + " (id, doc) VALUES (NEW.id + 1, NEW.doc); RETURN NULL; END'",
          "CREATE TRIGGER twice AFTER INSERT ON item FOR EACH ROW WHEN (NEW.id = 5)"
              + " EXECUTE FUNCTION twice()");
      assertThatExceptionOfType(PgToasterException.class)
          .isThrownBy(() -> fx.own().insertJson(5L, DOCUMENT))
          .withMessageContaining("another row contains document");
      assertThat(fx.number("SELECT count(*) FROM item")).isZero();
      assertThat(fx.orphans()).isEmpty();
    }
  }
}
