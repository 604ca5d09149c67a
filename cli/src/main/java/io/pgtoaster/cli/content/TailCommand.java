package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.Bytes;
import io.pgtoaster.cli.io.ContentOutput;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes the end of a blob, and optionally what is appended to it. */
@Command(
    name = "tail",
    description = "Write the end of a blob to standard output; with -f also appended bytes.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster tail -n 100 app.log",
      "  pgtoaster tail -f --from 0 build.log     all of it, until it is sealed"
    })
public final class TailCommand extends KeyCommand {
  @ArgGroup(exclusive = true)
  @Nullable Start start;

  @Option(
      names = {"-f", "--follow"},
      description = "Continue with appended bytes until the blob is sealed.")
  boolean follow;

  static final class Start {
    @Option(
        names = {"-b", "--bytes"},
        paramLabel = "SIZE",
        description = "The last SIZE bytes.")
    @Nullable Bytes bytes;

    @Option(
        names = {"-n", "--lines"},
        paramLabel = "LINES",
        description = "The last LINES lines. Default: 10.")
    @Nullable Long lines;

    @Option(
        names = "--from",
        paramLabel = "OFFSET",
        description = "Everything from this offset on.")
    @Nullable Bytes from;
  }

  @Override
  int run(Database database, BlobColumn blobs, List<String> row) throws Exception {
    require(blobs, row);
    long from;
    long length;
    try (BlobReader reader = blobs.open(row)) {
      length = reader.length();
      from = begin(reader);
      if (!follow) {
        try (InputStream in = reader.inputStream(from, length - from)) {
          ContentOutput.toStandardOutput(in);
        }
        return ExitCode.OK;
      }
    }
    try (InputStream in = blobs.follow(row, FollowOptions.defaults().withFrom(from))) {
      ContentOutput.toStandardOutput(in);
    }
    return ExitCode.OK;
  }

  private long begin(BlobReader reader) {
    long length = reader.length();
    if (start != null && start.from != null) {
      return Math.min(length, start.from.value());
    }
    if (start != null && start.bytes != null) {
      return Math.max(0, length - start.bytes.value());
    }
    long lines = start == null || start.lines == null ? 10 : start.lines;
    return reader.startOfLastLines(lines);
  }
}
