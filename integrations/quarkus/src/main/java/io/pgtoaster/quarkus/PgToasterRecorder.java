package io.pgtoaster.quarkus;

import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.Recorder;

/** Runs when the application starts. */
@Recorder
public class PgToasterRecorder {
  /** Called by Quarkus. */
  public PgToasterRecorder() {}

  /** Installs the catalog, unless a property disables that. */
  public void initialize() {
    Arc.container().instance(PgToasterProducer.class).get().initialize();
  }
}
