package io.pgtoaster.spring.boot;

import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;

/** Matches if there is a single DataSource, or a property names one. */
final class OnDataSource extends AnyNestedCondition {
  OnDataSource() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnSingleCandidate(DataSource.class)
  static final class Single {}

  @ConditionalOnProperty("pgtoaster.datasource")
  static final class Named {}
}
