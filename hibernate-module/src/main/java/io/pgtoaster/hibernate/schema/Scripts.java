package io.pgtoaster.hibernate.schema;

import io.pgtoaster.Catalog;
import java.util.stream.Collectors;

/** The catalog's own SQL. */
final class Scripts {
  private Scripts() {}

  /** All scripts, one behind the other. */
  static String install() {
    return Catalog.scriptNames().stream().map(Catalog::script).collect(Collectors.joining("\n"));
  }

  /**
   * All scripts as one statement, which is done wholly or not at all also by who commits each
   * statement, and which nobody takes apart at semicolons.
   */
  static String installAtOnce() {
    return Catalog.scriptNames().stream()
        .map(name -> "EXECUTE $pgtoaster_script$" + Catalog.script(name) + "$pgtoaster_script$;\n")
        .collect(
            Collectors.joining("", "DO $pgtoaster_install$ BEGIN\n", "END $pgtoaster_install$"));
  }
}
