package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Runs contracts on one kind of column in each {@link Setting} that is {@link Planned}.
 *
 * @param <F> the table and its column
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ContractSuite<F extends TableFixture<?>> {
  private final ColumnSpec spec;
  private final BiFunction<Setting, ColumnSpec, F> fixtures;
  private F fixture;

  @Parameter Setting setting;

  protected ContractSuite(ColumnSpec spec, BiFunction<Setting, ColumnSpec, F> fixtures) {
    this.spec = spec;
    this.fixtures = fixtures;
  }

  final ColumnSpec spec() {
    return spec;
  }

  /** The column under test. */
  public final F fx() {
    if (fixture == null) {
      fixture = fixtures.apply(setting, spec);
    }
    return fixture;
  }

  @BeforeEach
  void skipWhatCitusCannot(TestInfo test) {
    if (setting.version() == PostgresServers.CITUS) {
      CitusExclusions.reason(test.getTestMethod().orElseThrow().getName())
          .ifPresent(Assumptions::abort);
    }
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().afterTest();
  }

  /**
   * Runs after each invocation, not at the end, because JUnit keeps one instance for all of them.
   */
  @AfterParameterizedClassInvocation
  void close() {
    if (fixture != null) {
      fixture.close();
      assertThat(Traps.EVERYWHERE ? fixture.firedTraps() : List.of()).as("traps").isEmpty();
      fixture = null;
    }
  }

  @Test
  void contract_runsWithItsSetting() {
    assertThat(fx().setting()).isEqualTo(setting);
    assertThat(fx().database().server().version()).isEqualTo(setting.version());
    assertThat(
            fx().number(
                    "SELECT count(*) FROM pg_settings WHERE name = 'pgtoaster.transparent'"
                        + " AND vartype = 'bool' AND setting = 'on'"))
        .isEqualTo(setting.transparent() ? 1 : 0);
  }
}
