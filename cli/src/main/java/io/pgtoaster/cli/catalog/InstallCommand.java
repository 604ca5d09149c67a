package io.pgtoaster.cli.catalog;

import io.pgtoaster.Catalog;
import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates the catalog. */
@Command(
    name = "install",
    description = {
      "Create the catalog, the schema pgtoaster, in the database. Running it again is harmless. It"
          + " upgrades an older catalog, from version 13 on.",
      "The default table of the embedded server needs no install."
    })
public final class InstallCommand extends DatabaseCommand {
  @Option(
      names = "--print",
      description = "Write the SQL to standard output instead, for psql -1 or a migration tool.")
  boolean print;

  @Option(
      names = "--extension",
      description =
          "Also create the server extension in the database, which makes calls faster. Its files must"
              + " be on the server, and you must be a superuser.")
  boolean extension;

  @Override
  public Integer call() throws Exception {
    if (!print) {
      return super.call();
    }
    for (String name : Catalog.scriptNames()) {
      out().println(Catalog.script(name));
    }
    out().flush();
    return ExitCode.OK;
  }

  @Override
  protected int run(Database database) {
    Catalog catalog = database.pgToaster().catalog();
    int before = catalog.installedVersion();
    catalog.install();
    int now = catalog.installedVersion();
    String what =
        before == 0
            ? "catalog version " + now + " installed"
            : "catalog version " + now + " was already installed";
    globals().say(what + " in " + database);
    if (extension) {
      catalog.createExtension();
    }
    ExtensionStatus server = catalog.extension();
    if (server.installed() != null) {
      globals().say(StatusCommand.inWords(server));
    }
    return ExitCode.OK;
  }
}
