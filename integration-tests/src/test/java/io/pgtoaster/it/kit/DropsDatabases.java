package io.pgtoaster.it.kit;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Drops the databases of a test class at its end, because the databases of a whole run would take
 * 30 GB. JUnit finds this class through {@code META-INF/services}.
 */
public final class DropsDatabases implements TestExecutionListener {
  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    boolean outermost = test.getUniqueIdObject().getSegments().size() == 2;
    if (outermost && test.getSource().filter(ClassSource.class::isInstance).isPresent()) {
      PostgresServers.dropDatabases(test.getDisplayName());
    }
  }
}
