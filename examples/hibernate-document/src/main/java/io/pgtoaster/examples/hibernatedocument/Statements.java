package io.pgtoaster.examples.hibernatedocument;

import java.io.PrintStream;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/** Prints the statements that Hibernate sends, shortened. */
final class Statements implements StatementInspector {
  private static final long serialVersionUID = 1L;
  private static final int WIDTH = 120;

  private final transient PrintStream out;

  Statements(PrintStream out) {
    this.out = out;
  }

  @Override
  public String inspect(String sql) {
    String line = sql.replaceAll("\\s+", " ");
    out.println("    " + (line.length() > WIDTH ? line.substring(0, WIDTH) + "…" : line));
    return sql;
  }
}
