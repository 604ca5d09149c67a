package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.ExtensionStatus;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TemplatesTest {
  @Test
  void anExtensionThatIsNotUsed_isNotMeasuredAsOne() {
    ExtensionStatus stale = new ExtensionStatus("0.1.0", "0.1.0", false, "build it again");

    assertThatThrownBy(() -> Templates.checkUsed(stale))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("build it again");
    assertThatCode(() -> Templates.checkUsed(new ExtensionStatus("0.1.0", "0.1.0", true, null)))
        .doesNotThrowAnyException();
  }
}
