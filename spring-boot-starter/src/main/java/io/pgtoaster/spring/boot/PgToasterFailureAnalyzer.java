package io.pgtoaster.spring.boot;

import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.PgToasterException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what to do if the application cannot start because of the catalog or a column. */
final class PgToasterFailureAnalyzer extends AbstractFailureAnalyzer<PgToasterException> {
  PgToasterFailureAnalyzer() {}

  @Override
  protected @Nullable FailureAnalysis analyze(Throwable root, PgToasterException cause) {
    if (cause instanceof AccessDeniedException) {
      return new FailureAnalysis(
          "The catalog of pgtoaster cannot be installed or read: " + cause.getMessage(),
          "Let a role that may create a schema install it once, by the script that"
              + " \"pgtoaster install --print\" prints or by a migration, grant the application's"
              + " role what docs/sql.md says, and set pgtoaster.schema.initialize=never.",
          cause);
    }
    if (cause instanceof CatalogException) {
      return new FailureAnalysis(
          "The catalog of pgtoaster does not fit: " + cause.getMessage(),
          "Where there is no catalog, set pgtoaster.schema.initialize=always, or run the script that"
              + " \"pgtoaster install --print\" prints. A catalog that is newer than the library"
              + " wants a newer library; one that is older is upgraded by installing it.",
          cause);
    }
    if (cause instanceof ColumnNotFoundException) {
      return new FailureAnalysis(
          "A column is not there, or not attached: " + cause.getMessage(),
          "Make the table before, and attach its column: SELECT pgtoaster.attach('table',"
              + " 'column', 'appendable') or 'keyed', in a migration.",
          cause);
    }
    return null;
  }
}
