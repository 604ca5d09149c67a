package io.pgtoaster.hibernate.schema;

import io.pgtoaster.Catalog;
import java.util.stream.Collectors;

/** The SQL scripts of the catalog. */
final class Scripts {
  private Scripts() {}

  /** Returns all scripts, concatenated. */
  static String install() {
    return Catalog.scriptNames().stream().map(Catalog::script).collect(Collectors.joining("\n"));
  }

  /**
   * Returns all scripts as one statement. It is atomic even if each statement is committed
   * separately, and tools do not split it at semicolons.
   */
  static String installAtOnce() {
    return Catalog.scriptNames().stream()
        .map(name -> "EXECUTE $pgtoaster_script$" + Catalog.script(name) + "$pgtoaster_script$;\n")
        .collect(
            Collectors.joining("", "DO $pgtoaster_install$ BEGIN\n", "END $pgtoaster_install$"));
  }
}
