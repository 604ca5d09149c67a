package io.pgtoaster.cli.command;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.terminal.PrintableText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Options of every command. They can be given before or after its name; {@link #URL} only before
 * its arguments.
 */
public final class Globals {
  /** The top-level command. */
  public interface Holder {
    Globals globals();
  }

  /** The option that receives passwords. */
  public static final String URL = "--url";

  @Option(
      names = URL,
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description =
          "The database: jdbc:postgresql://host:port/db or postgres://user@host:port/db. Default:"
              + " PGTOASTER_URL, PGHOST, PGPORT, PGDATABASE or PGSERVICE, otherwise the embedded"
              + " server.")
  @Nullable String url;

  @Option(
      names = "--embedded",
      scope = ScopeType.INHERIT,
      description = "Use the embedded server even if the environment names a database.")
  boolean embedded;

  @Option(
      names = "--no-extension",
      scope = ScopeType.INHERIT,
      description = "Use plain SQL even if the server extension is installed.")
  boolean noExtension;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description = "Show no progress and no summary; errors are still shown.")
  public boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Show stack traces.")
  boolean verbose;

  Database open() {
    return Database.open(url, embedded, !noExtension, System.getenv(), this::say);
  }

  /** Prints a line for the user on standard error, unless quiet. */
  public void say(String line) {
    if (!quiet) {
      warn(line);
    }
  }

  /** Prints an error or warning, even if quiet. */
  public void warn(String line) {
    System.err.println("pgtoaster: " + PrintableText.of(line));
  }
}
