package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import java.sql.SQLException;

/**
 * How documents are stored.
 *
 * @param compression none, pglz or lz4; empty for the contender's default
 * @param budget bytes that may stay in the row ({@code row_budget} of this library, {@code
 *     toast_tuple_target} of a stock table); 0 for the default
 */
public record Storage(String compression, int budget) {
  public static Storage defaults() {
    return new Storage("", 0);
  }

  /** Returns this storage with the form that follows the comma in a contender's name. */
  public Storage of(String contender) {
    return switch (contender.substring(Names.who(contender).length())) {
      case ", lz4" -> new Storage("lz4", budget);
      case ", external" -> new Storage("none", budget);
      case "" -> this;
      default -> throw new IllegalArgumentException("no such form: " + contender);
    };
  }

  /** Applies it to a column of a stock table. */
  public void set(Database database, String table, String column) throws SQLException {
    if (budget != 0) {
      database.run("ALTER TABLE " + table + " SET (toast_tuple_target = " + budget + ")");
    }
    String alter = "ALTER TABLE " + table + " ALTER COLUMN " + column + " SET ";
    if (compression.equals("none")) {
      database.run(alter + "STORAGE EXTERNAL");
    } else if (!compression.isEmpty()) {
      database.run(alter + "COMPRESSION " + compression);
    }
  }
}
