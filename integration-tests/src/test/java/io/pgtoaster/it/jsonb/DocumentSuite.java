package io.pgtoaster.it.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract over one kind of column, on each {@link Setting}. */
@ParameterizedClass(name = "{0}")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DocumentSuite implements DocumentContract {
  private final DocumentSpec spec;
  private DocumentFixture fixture;

  @Parameter Setting setting;

  DocumentSuite(DocumentSpec spec) {
    this.spec = spec;
  }

  @Override
  public final DocumentFixture fx() {
    if (fixture == null) {
      fixture = new DocumentFixture(setting, spec);
    }
    return fixture;
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().afterTest();
  }

  /** After each invocation, not at the end: JUnit keeps one instance for all of them. */
  @AfterParameterizedClassInvocation
  void close() {
    if (fixture != null) {
      fixture.close();
      fixture = null;
    }
  }

  @Test
  void contract_runsWhereItSays() {
    assertThat(fx().setting()).isEqualTo(setting);
    assertThat(fx().database().server().version()).isEqualTo(setting.version());
  }

  @Test
  void column_hasItsToasterAndCapabilities() {
    assertThat(fx().documents().toaster().name()).isEqualTo(spec.toaster());
    assertThat(fx().documents().capabilities()).isEqualTo(spec.capabilities());
  }
}
