package io.pgtoaster.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what to do about the data source. */
final class UnsuitableDatabaseFailureAnalyzer
    extends AbstractFailureAnalyzer<UnsuitableDatabaseException> {
  UnsuitableDatabaseFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, UnsuitableDatabaseException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
  }
}
