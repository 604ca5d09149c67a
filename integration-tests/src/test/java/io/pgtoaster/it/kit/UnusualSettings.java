package io.pgtoaster.it.kit;

import java.util.List;

/** Settings of a database that change how the server reads, prints and plans. */
public final class UnusualSettings {
  /** Those under which tests of their own can run, too. */
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
          // Plans without what is off cost enough to be compiled, which takes most of the time.
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

  /** Sets them for all sessions that begin from now on. */
  public static void set(Database database) {
    String alter = "ALTER DATABASE " + database.name() + " SET ";
    database.run(ALL.stream().map(alter::concat).toArray(String[]::new));
    database.set("standard_conforming_strings", conformingStrings(database));
  }

  /** Returns the value of standard_conforming_strings that is unusual; PostgreSQL 19 removed it. */
  public static String conformingStrings(Database database) {
    return database.server().version() < 19 ? "off" : "on";
  }
}
