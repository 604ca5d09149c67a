package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.StreamOptions;
import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.command.DefaultTable;
import io.pgtoaster.cli.command.Interruption;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.Bytes;
import io.pgtoaster.cli.io.InputFile;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.Terminal;
import io.pgtoaster.cli.upload.Prefix;
import io.pgtoaster.cli.upload.Upload;
import io.pgtoaster.internal.column.ColumnAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Appends files or standard input. */
@Command(
    name = "append",
    description = {
      "Append files, or standard input, to a blob.",
      "The bytes are committed in pieces, which followers see; committed bytes remain if the"
          + " command is interrupted. If another writer appends meanwhile, the command fails with a"
          + " conflict."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster append app.log /var/log/syslog",
      "  journalctl -f | pgtoaster append journal",
      "  pgtoaster append --resume movie movie.mkv     continue an interrupted upload",
      "  pgtoaster append -t recording -c audio 42 part1.flac part2.flac"
    })
public final class AppendCommand extends ColumnCommand {
  @Parameters(index = "0", paramLabel = "KEY", description = "The row's key.")
  String key;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      description = "The files to append, in this order; - (the default) is standard input.")
  List<String> files = List.of();

  @Option(
      names = "--expected-offset",
      paramLabel = "OFFSET",
      description = "Fail with a conflict unless the blob has exactly this length.")
  @Nullable Bytes expectedOffset;

  @Option(
      names = "--resume",
      description =
          "Continue an interrupted upload of the same FILE at the blob's length, after comparing the"
              + " stored content with the beginning of the file.")
  boolean resume;

  @Option(
      names = "--compare-last",
      paramLabel = "SIZE",
      description = "With --resume: compare only the last SIZE bytes of the stored content.")
  @Nullable Bytes compareLast;

  @Option(
      names = "--commit-every",
      paramLabel = "SIZE",
      description = "Size of the committed pieces, 1K to 64M. Default: 4M.")
  @Nullable Bytes commitEvery;

  @Option(
      names = "--create",
      description =
          "Add a row with only this key if it is missing (always done for the default table).")
  boolean create;

  @Option(names = "--seal", description = "Seal the blob at the end, so that its followers end.")
  boolean seal;

  @Override
  protected int run(Database database, BlobColumn blobs) throws Exception {
    List<String> row = key(blobs, key);
    if (create || isDefault(database)) {
      DefaultTable.addRow(database, ColumnAccess.column(blobs), row);
    }
    long skip = 0;
    @Nullable Long expected = expectedOffset == null ? null : expectedOffset.value();
    if (resume) {
      long last = compareLast == null ? Long.MAX_VALUE : compareLast.value();
      skip = Prefix.check(blobs, row, Path.of(files.get(0)), last, globals().quiet);
      expected = skip;
    }
    append(blobs, row, skip, expected);
    return ExitCode.OK;
  }

  private void append(BlobColumn blobs, List<String> row, long skip, @Nullable Long expected)
      throws IOException {
    StreamOptions options = StreamOptions.defaults();
    options = commitEvery == null ? options : options.withCommitEvery(commitEvery.value());
    options = expected == null ? options : options.withExpectedOffset(expected);
    long began = System.nanoTime();
    BlobAppendStream out = blobs.appendStream(row, options);
    long start = out.position();
    try (Interruption guard = new Interruption(() -> sayStopped(out.position()))) {
      try {
        copy(out, skip, guard::isRequested);
        out.close();
        if (!guard.isRequested()) {
          finish(blobs, row, out, start, began);
          guard.complete();
        }
      } catch (IOException | RuntimeException e) {
        out.abort();
        // If nothing was committed, the error message is enough.
        if (!Interruption.isUnderWay() && out.position() > start) {
          sayStopped(out.position());
        }
        throw e;
      }
    }
  }

  private void finish(
      BlobColumn blobs, List<String> row, BlobAppendStream out, long start, long began) {
    if (seal) {
      blobs.seal(row);
    }
    long bytes = out.position() - start;
    String rate =
        bytes < 1_000_000 ? "" : " (" + ByteSize.rate(bytes, System.nanoTime() - began) + ")";
    String what = "appended " + ByteSize.format(bytes) + " at offset " + start;
    globals().say(what + ", length now " + out.position() + rate);
  }

  private void copy(BlobAppendStream out, long skip, BooleanSupplier stop) throws IOException {
    Upload upload = new Upload(stop, globals().quiet);
    for (String file : files.isEmpty() ? List.of("-") : files) {
      if (!file.equals("-")) {
        upload.file(Path.of(file), skip, out);
      } else {
        if (Terminal.isTerminal(0)) {
          globals().say("reading standard input; Ctrl-D ends it");
        }
        upload.standardInput(out);
      }
    }
  }

  private void sayStopped(long position) {
    String how =
        files.size() == 1 && !files.get(0).equals("-")
            ? "append --resume continues there"
            : "continue with the rest of the input and --expected-offset " + position;
    System.err.println("pgtoaster: stopped; committed up to offset " + position + "; " + how);
  }

  @Override
  protected void checkUsage() throws IOException {
    boolean oneFile = files.size() == 1 && !files.get(0).equals("-");
    if (resume && (!oneFile || expectedOffset != null)) {
      throw new ParameterException(
          spec.commandLine(), "--resume takes one FILE and no --expected-offset");
    }
    for (String file : files) {
      if (!file.equals("-")) {
        InputFile.requireReadable(file);
      }
    }
  }
}
