package io.pgtoaster.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidPathException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentValueTest {
  private final DocumentColumn people =
      PgToaster.on(NoConnection.INSTANCE).documents("person", "doc");

  @Test
  void keyListChangedLater_hasNoEffect() {
    List<Object> key = new ArrayList<>(List.of(7, "a"));
    DocumentValue value = people.at(key, "name");
    key.set(0, 8);
    assertThat(value).asString().contains("key [7, a]", "path name");
    // A key with a null part is rejected only when it is used.
    key.set(0, null);
    assertThat(people.at(key, "name")).asString().contains("key [null, a]");
  }

  @Test
  void toString_isShort_andOmitsThePathOfTheWholeDocument() {
    assertThat(people.at("k".repeat(5_000), DocumentPath.root()).toString())
        .hasSizeLessThan(300)
        .doesNotContain("path");
    assertThat(people.at(new byte[9], "p".repeat(5_000)).toString())
        .hasSizeLessThan(400)
        .contains("key 9 bytes, path ppp");
  }

  @Test
  void at_refusesAnInvalidPath_withoutAConnection() {
    assertThatThrownBy(() -> people.at(7, "a[")).isInstanceOf(InvalidPathException.class);
  }
}
