package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TemplatesTest {
  @Test
  void unusedExtension_isNotMeasuredAsExtension() {
    assertThatThrownBy(() -> Templates.checkUsed(false, "build it again"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("build it again");
    assertThatCode(() -> Templates.checkUsed(true, null)).doesNotThrowAnyException();
  }
}
