package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.io.Bytes;
import io.pgtoaster.cli.io.ContentOutput;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a blob, or a range of it, to standard output or a file. */
@Command(
    name = "cat",
    description = {
      "Write a blob, or a range of it, to standard output or a file.",
      "The output is the content at the time of the call, even if others append."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster cat app.log | grep ERROR",
      "  pgtoaster cat movie --offset 1G --length 10M -o part"
    })
public final class CatCommand extends KeyCommand {
  @Option(
      names = "--offset",
      paramLabel = "OFFSET",
      description = "Begin here. Default: the first byte that was not discarded.")
  @Nullable Bytes offset;

  @Option(names = "--length", paramLabel = "SIZE", description = "Maximum number of bytes.")
  @Nullable Bytes length;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file, which appears when it is complete.")
  @Nullable Path output;

  @Override
  int run(Database database, BlobColumn blobs, List<String> row) throws Exception {
    require(blobs, row);
    try (BlobReader reader = blobs.open(row)) {
      long from = offset == null ? reader.first() : offset.value();
      if (from > reader.length()) {
        throw new Failure(
            ExitCode.FAILED,
            "offset " + from + " is beyond the end: the blob has " + reader.length() + " bytes");
      }
      long rest = reader.length() - from;
      long count = length == null ? rest : Math.min(rest, length.value());
      try (InputStream in = reader.inputStream(from, count)) {
        if (output != null) {
          ContentOutput.toFile(in, output, count, globals().quiet);
        } else if (!ContentOutput.toStandardOutput(in)) {
          return ExitCode.OK;
        }
      }
    }
    return ExitCode.OK;
  }
}
