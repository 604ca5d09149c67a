package io.pgtoaster.cli.command;

import io.pgtoaster.cli.connect.Database;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that works on a database. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
public abstract class DatabaseCommand implements Callable<Integer> {
  @Spec protected CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    checkUsage();
    try (Database database = globals().open()) {
      return run(database);
    }
  }

  /** Rejects an invalid command line before anything is opened. */
  protected void checkUsage() throws IOException {}

  /** Does the work and returns the exit code. */
  protected abstract int run(Database database) throws Exception;

  protected final Globals globals() {
    return ((Globals.Holder) spec.root().userObject()).globals();
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
