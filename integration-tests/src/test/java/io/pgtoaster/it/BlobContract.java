package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Runs the contract over one kind of column, on each {@link Setting}. */
@ParameterizedClass(name = "{0}")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BlobContract implements Contract {
  private final ColumnSpec spec;
  private Fixture fixture;

  @Parameter Setting setting;

  BlobContract(ColumnSpec spec) {
    this.spec = spec;
  }

  @Override
  public final Fixture fx() {
    if (fixture == null) {
      fixture = new Fixture(setting, spec);
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
    assertThat(fx().blobs().toaster().name()).isEqualTo(spec.toaster());
    assertThat(fx().blobs().capabilities()).isEqualTo(Set.copyOf(spec.capabilities()));
  }
}
