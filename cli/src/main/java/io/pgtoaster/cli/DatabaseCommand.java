package io.pgtoaster.cli;

import io.pgtoaster.cli.connect.Database;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works on a database. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
abstract class DatabaseCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    checkUsage();
    try (Database database = globals().open()) {
      return run(database);
    }
  }

  /** Refuses a command line before anything is opened. */
  void checkUsage() throws IOException {}

  /** Does the work and returns the exit code. */
  abstract int run(Database database) throws Exception;

  final Globals globals() {
    return ((Main) spec.root().userObject()).globals;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
