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
          "Install it once as a role that may create a schema, with the script that \"pgtoaster"
              + " install --print\" prints or with a migration, grant the application's role the"
              + " privileges that docs/sql.md lists, and set pgtoaster.schema.initialize=never.",
          cause);
    }
    if (cause instanceof CatalogException) {
      return new FailureAnalysis(
          "The catalog of pgtoaster does not match the library: " + cause.getMessage(),
          "If the catalog is missing, set pgtoaster.schema.initialize=always, or run the script"
              + " that \"pgtoaster install --print\" prints. If the catalog is newer than the"
              + " library, update the library; if it is older, install it again to upgrade it.",
          cause);
    }
    if (cause instanceof ColumnNotFoundException) {
      return new FailureAnalysis(
          "A column does not exist, or is not attached: " + cause.getMessage(),
          "Create the table first, and attach its column: SELECT pgtoaster.attach('table',"
              + " 'column', 'appendable') or 'keyed', in a migration.",
          cause);
    }
    return null;
  }
}
