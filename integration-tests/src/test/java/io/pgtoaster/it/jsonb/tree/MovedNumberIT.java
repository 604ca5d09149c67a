package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Session.Step;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers with so many digits that each has a separate node can still be incremented. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class MovedNumberIT {
  private static final String DIGITS = "9".repeat(8_000);
  private static final BigDecimal NUMBER = new BigDecimal(DIGITS);

  /** Paths in the row, in a leaf of an array, and in a leaf of an object. */
  private static final List<String> PATHS = List.of("n", "list[-1]", "list[0].n", "map.n");

  @Parameter Setting setting;

  private DocumentFixture fx;
  private Object key;

  @BeforeEach
  void store() {
    fx = new DocumentFixture(setting, DocumentSpec.keyed("{\"leaf_size\": 4096}"));
    key = fx.row(document(DIGITS));
    assertThat(fx.number(moved())).isEqualTo(PATHS.size());
  }

  @AfterEach
  void close() throws Exception {
    fx.afterTest();
    fx.close();
  }

  private String moved() {
    return "SELECT count(*) FROM " + fx.table("node") + " WHERE kind = 'v'";
  }

  private static String document(String n) {
    String words = "\"" + Documents.words(1, 1_500) + "\"";
    return """
        {"n": %1$s, "list": [{"n": %1$s, "t": %2$s}, %2$s, %1$s], "map": {"n": %1$s, "a": %2$s, "b": %2$s}}\
        """
        .formatted(n, words);
  }

  @Test
  void movedNumber_isIncremented() {
    DocumentColumn documents = fx.documents();
    BigDecimal sum = NUMBER.add(BigDecimal.ONE);
    for (String path : PATHS) {
      assertThat(documents.at(key, path).increment(1)).isEqualTo(sum);
    }
    fx.assertDocument(key, document(sum.toPlainString()));
  }

  @Test
  void movedNumberThatBecomesShort_leavesNoNode() {
    DocumentColumn documents = fx.documents();
    for (String path : PATHS) {
      assertThat(documents.at(key, path).increment(BigDecimal.valueOf(7).subtract(NUMBER)))
          .isEqualTo(BigDecimal.valueOf(7));
    }
    fx.assertDocument(key, document("7"));
    assertThat(fx.number(moved())).isZero();
  }

  @Test
  void incrementsOfOneMovedNumber_queue() throws Exception {
    Session a = new Session(fx, "A", Connection.TRANSACTION_READ_COMMITTED, false);
    Session b = new Session(fx, "B", Connection.TRANSACTION_READ_COMMITTED, false);
    for (String path : PATHS) {
      a.runs(d -> d.at(key, path).increment(1));
      Step<BigDecimal> second = b.waits(d -> d.at(key, path).increment(2), a);
      a.commits();
      assertThat(second.continues()).isEqualTo(NUMBER.add(BigDecimal.valueOf(3)));
      b.commits();
    }
  }

  @Test
  void movedValueThatIsNotANumber_isRefused_andNothingChanges() {
    String words = Documents.words(1, 9_000);
    String json =
        "{\"s\": \"%1$s\", \"a\": [\"%1$s\", 1], \"o\": {\"t\": \"%1$s\"}}".formatted(words);
    Object other = fx.row(json);
    for (String path : List.of("s", "a", "o", "a[0]", "o.t")) {
      Expect.refused(InvalidPathException.class, () -> fx.documents().at(other, path).increment(1));
    }
    fx.assertDocument(other, json);
  }
}
