package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Counts at the socket the messages of a put in autocommit mode, with prepared statements and
 * without, as through a pooler.
 */
@ParameterizedClass(name = "{0}, prepared: {1}")
@MethodSource("settings")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PutRoundTripsIT {
  /**
   * The number of times that each kind of put runs before it is counted, so that its statements are
   * prepared.
   */
  private static final int BEFORE = 10;

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  boolean prepared;

  private DocumentFixture fx;
  private Cuts cuts;
  private Connection connection;
  private DocumentColumn documents;

  static Stream<Arguments> settings() {
    return Setting.newestByBoth().stream()
        .flatMap(setting -> Stream.of(true, false).map(p -> Arguments.of(setting, p)));
  }

  @BeforeEach
  void open() throws Exception {
    if (fx == null) {
      fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"));
    }
    cuts = new Cuts(fx.database());
    connection = cuts.connect(prepared);
    documents = PgToaster.on(connection).documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    cuts.close();
  }

  @AfterParameterizedClassInvocation
  void closeFixture() {
    fx.close();
    fx = null;
  }

  private static String document(int roles, int from) {
    return IntStream.range(from, from + roles)
        .mapToObj("{\"year\": %d, \"title\": \"a title of some length\"}"::formatted)
        .collect(Collectors.joining(", ", "{\"id\": 7, \"roles\": [", "]}"));
  }

  private void assertMessages(int messages, Object key, String document) {
    cuts.allow(messages, () -> documents.putJson(key, document));
    fx.assertDocument(key, document);
  }

  @Test
  void smallPutOverSmall_isOneMessage() throws Exception {
    Object key = fx.row();
    for (int i = 0; i < BEFORE; i++) {
      documents.putJson(key, document(20, i));
    }
    assertMessages(1, key, document(20, BEFORE));
  }

  @Test
  void newDocument_ofAnySize_takesTwoMessages() throws Exception {
    for (int roles : new int[] {200, 1_500}) {
      for (int i = 0; i < BEFORE; i++) {
        documents.putJson(fx.row(), document(roles, i));
      }
      assertMessages(2, fx.row(), document(roles, BEFORE));
    }
  }

  @Test
  void putOverASplitDocument_takesTwoMessages() throws Exception {
    for (int roles : new int[] {200, 1_500}) {
      Object key = fx.row();
      for (int i = 0; i < BEFORE; i++) {
        documents.putJson(key, document(roles, i));
      }
      assertMessages(2, key, document(roles, BEFORE));
      assertMessages(2, key, document(2 * roles, 0));
    }
    assertThat(fx.orphans()).isEmpty();
  }

  @Test
  void changeOfOneLeaf_writesOnlyThatLeaf() throws Exception {
    Object key = fx.row();
    String document = document(1_500, 0);
    documents.putJson(key, document);
    String changed = document.replace("\"year\": 750,", "\"year\": 9,");
    assertThat(documents.putJson(key, changed).written()).isLessThan(6);
    fx.assertDocument(key, changed);
    cuts.allow(2, () -> assertThat(documents.putJson(key, changed).written()).isZero());
  }

  @Test
  void smallPutOverASplitDocument_isTried_thenTakesTwoMessages() throws Exception {
    for (int i = 0; i < BEFORE; i++) {
      documents.putJson(fx.row(document(200, 0)), document(3, i));
    }
    assertMessages(3, fx.row(document(200, 0)), document(3, 0));
    assertThat(fx.orphans()).isEmpty();
  }
}
