package io.pgtoaster.it.kit;

import java.util.List;

/** Settings of a database that change how the server parses, prints and plans. */
public final class UnusualSettings {
  /** Settings under which the tests' own statements also work. */
  private static final List<String> ALL =
      List.of(
          "backslash_quote = off",
          "quote_all_identifiers = on",
          "bytea_output = 'escape'",
          "intervalstyle = 'sql_standard'",
          "xmloption = 'document'",
          "array_nulls = off",
          "transform_null_equals = on",
          "plan_cache_mode = 'force_generic_plan'",
          // Because types of plans are disabled, plans seem so expensive that the server would
          // compile them, which is slow.
          "jit = off",
          "enable_seqscan = off",
          "enable_bitmapscan = off",
          "enable_hashjoin = off",
          "enable_mergejoin = off",
          "enable_sort = off",
          "row_security = off",
          "check_function_bodies = off",
          "client_min_messages = 'log'");

  private UnusualSettings() {}

  /** Applies the settings to all new sessions. */
  public static void set(Database database) {
    String alter = "ALTER DATABASE " + database.name() + " SET ";
    database.run(ALL.stream().map(alter::concat).toArray(String[]::new));
    database.set("standard_conforming_strings", conformingStrings(database));
  }

  /** Returns off for standard_conforming_strings, or on since PostgreSQL 19, which removed off. */
  public static String conformingStrings(Database database) {
    return database.server().version() < 19 ? "off" : "on";
  }
}
