package io.pgtoaster.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code pgtoaster}. */
@Command(
    name = "pgtoaster",
    description = "Streaming append and keyed jsonb on PostgreSQL.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main implements Runnable {
  private Main() {}

  /**
   * Runs a command and ends the JVM with its exit code.
   *
   * @param args the words after the command's name
   */
  public static void main(String... args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public void run() {
    CommandLine line = commandLine();
    line.printVersionHelp(line.getOut());
  }

  /** Takes the version from the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      @Nullable String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"pgtoaster " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
