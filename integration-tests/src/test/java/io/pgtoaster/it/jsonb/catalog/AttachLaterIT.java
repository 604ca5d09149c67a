package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program keeps running while its plain jsonb column is attached. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class AttachLaterIT {
  @Parameter Setting setting;

  private DocumentFixture fx;

  @BeforeEach
  void open() {
    fx = new DocumentFixture(setting, DocumentSpec.stock());
  }

  @AfterEach
  void close() throws Exception {
    fx.afterTest();
    fx.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void handle_openedOnPlainJsonb_worksOnSplitDocuments(int number) {
    String big = Documents.big(40);
    Object key = fx.row(big);
    DocumentColumn before = fx.own();
    assertThat(before.describe().toaster()).isEqualTo("default");
    PgToaster others = PgToaster.create(fx.pool());
    others.catalog().attach(DocumentFixture.TABLE, DocumentFixture.COLUMN, JsonOptions.defaults());
    DocumentColumn after = others.documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
    after.putJson(key, big);
    assertThat(after.stat(key).orElseThrow().split()).isTrue();
    switch (number) {
      case 0 -> assertThat(before.at(key, "items[3].no").get(Integer.class)).contains(3);
      case 1 -> assertThat(before.at(key, "items").size()).hasValue(40);
      case 2 -> assertThat(before.at(key, "index.k7").keys().orElseThrow()).hasSize(4);
      case 3 -> before.at(key, "items[3].no").set(3);
      case 4 -> before.at(key, "deep.a.b.n").increment(0);
      case 5 -> before.at(key, "items").append();
      default -> assertThat(before.text(key)).isPresent();
    }
    assertThat(before.describe().toaster()).isEqualTo("keyed");
    if (number != 5) {
      assertThat(Documents.canonical(after.text(key).orElseThrow())).isEqualTo(fx.canonical(big));
    }
    assertThat(after.verify(key)).isEmpty();
  }
}
