package io.pgtoaster.spring.actuate;

import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnName;
import org.jspecify.annotations.Nullable;

/** Observes calls on columns, and counts their bytes and recognised retries. Thread-safe. */
record ObservedCalls(ObservationRegistry observations, MeterRegistry meters)
    implements CallListener {
  static final String CALL = "pgtoaster.call";
  static final String BYTES = "pgtoaster.bytes";
  static final String RETRIES = "pgtoaster.retries.recognised";
  private static final String UNKNOWN = "unknown";

  @Override
  public Call begin(String operation) {
    Observation observation =
        Observation.createNotStarted(CALL, observations)
            .contextualName("pgtoaster " + operation)
            .lowCardinalityKeyValue("operation", operation)
            .start();
    return new Observed(operation, observation, observation.openScope());
  }

  private final class Observed implements Call {
    private final String operation;
    private final Observation observation;
    private final Observation.Scope scope;

    Observed(String operation, Observation observation, Observation.Scope scope) {
      this.operation = operation;
      this.observation = observation;
      this.scope = scope;
    }

    @Override
    public void end(@Nullable ColumnName column, long bytes, String outcome) {
      String name = name(column);
      stop(name, outcome);
      if (bytes > 0) {
        Counter.builder(BYTES)
            .description("Bytes of blobs appended, written and read")
            .baseUnit(BaseUnits.BYTES)
            .tags("operation", operation, "column", name)
            .register(meters)
            .increment((double) bytes);
      }
      if (outcome.equals("repeated")) {
        Counter.builder(RETRIES)
            .description("Appends that an earlier attempt with the same token had already applied")
            .tag("column", name)
            .register(meters)
            .increment();
      }
    }

    @Override
    public void fail(@Nullable ColumnName column, Throwable failure) {
      observation.error(failure);
      stop(name(column), "failed");
    }

    private void stop(String column, String outcome) {
      scope.close();
      observation
          .lowCardinalityKeyValue(KeyValue.of("column", column))
          .lowCardinalityKeyValue(KeyValue.of("outcome", outcome))
          .stop();
    }

    private static String name(@Nullable ColumnName column) {
      return column == null ? UNKNOWN : column.toString();
    }
  }
}
