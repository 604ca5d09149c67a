package io.pgtoaster.quarkus;

import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.Recorder;

/** Runs when the application starts. */
@Recorder
public class PgToasterRecorder {
  /** Called by Quarkus. */
  public PgToasterRecorder() {}

  /**
   * Installs the catalog, unless a property disables that.
   *
   * @param hasEntities whether the application uses pgtoaster-hibernate
   */
  public void initialize(boolean hasEntities) {
    Arc.container().instance(PgToasterProducer.class).get().initialize(hasEntities);
  }
}
