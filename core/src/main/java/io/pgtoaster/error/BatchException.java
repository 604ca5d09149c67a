package io.pgtoaster.error;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Some calls of a batch failed, and the whole batch changed nothing. To apply the others, remove
 * the keys of {@link #failures()}, or call the method that returns an outcome for each key.
 */
public final class BatchException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  private static final int NAMED = 10;

  /** The failures by key. */
  private final LinkedHashMap<Object, PgToasterException> failures;

  /**
   * Creates an exception for at least one failure, by the key that the caller passed. Each failure
   * names its row.
   */
  public BatchException(Map<?, PgToasterException> failures) {
    super(
        "nothing was changed, because %s of the rows failed: %s"
            .formatted(
                failures.size(),
                failures.values().stream()
                        .limit(NAMED)
                        .map(Throwable::getMessage)
                        .collect(Collectors.joining("; "))
                    + (failures.size() > NAMED ? "; ..." : "")),
        failures.values().iterator().next().sqlState(),
        failures.values().iterator().next());
    this.failures = new LinkedHashMap<>(failures);
  }

  /** Returns why the rows failed, by key as the caller passed the keys. */
  public Map<Object, PgToasterException> failures() {
    return new LinkedHashMap<>(failures);
  }
}
