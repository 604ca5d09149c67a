package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.column.AttachedColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells what is known of a blob. */
@Command(
    name = "stat",
    description = "Tell what is known of a blob, and what it takes to store it.")
final class StatCommand extends KeyCommand {
  @Option(names = "--json", description = "Write JSON.")
  boolean json;

  @Override
  int run(Database database, BlobColumn blobs, List<String> row) throws Exception {
    BlobInfo info = require(blobs, row);
    AttachedColumn column = blobs.describe();
    Map<String, @Nullable Object> facts = new LinkedHashMap<>();
    facts.put("key", key);
    facts.put("column", column.describe());
    facts.put("toaster", column.toaster());
    facts.put("length", info.length());
    facts.put("generation", info.generation());
    facts.put("sealed", info.sealed());
    facts.put("created", info.createdAt() == null ? null : info.createdAt().toString());
    StoredSize.of(database, column, row).ifPresent(stored -> stored.addTo(facts));
    if (json) {
      out().println(Json.write(facts));
    } else {
      facts.forEach((name, value) -> out().printf("%-16s %s%n", label(name), shown(name, value)));
    }
    out().flush();
    return ExitCode.OK;
  }

  private static String label(String name) {
    return name.replace('_', ' ') + ":";
  }

  private static String shown(String name, @Nullable Object value) {
    if (value == null) {
      return "unknown";
    }
    if (value instanceof Long n && n >= 1000 && !name.equals("generation")) {
      return name.endsWith("rows") ? n.toString() : n + " (" + ByteSize.format(n) + ")";
    }
    return PrintableText.of(value.toString());
  }
}
