package io.pgtoaster.cli.io;

import io.pgtoaster.cli.terminal.StandardOutput;
import io.pgtoaster.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonParser;

/** The options for writing JSON to standard output. */
public final class JsonFormat {
  @Option(
      names = "--pretty",
      negatable = true,
      description =
          "Indent; with --no-pretty write one line, as PostgreSQL prints jsonb. Default: indent for"
              + " a terminal only.")
  @Nullable Boolean pretty;

  boolean isPretty() {
    return pretty == null ? Terminal.isTerminal(1) : pretty;
  }

  /** Writes text piece by piece, and ends the line. */
  public void write(InputStream text) throws IOException {
    if (!isPretty()) {
      if (ContentOutput.toStandardOutput(text)) {
        ContentOutput.toStandardOutput(new java.io.ByteArrayInputStream(new byte[] {'\n'}));
      }
      return;
    }
    try (StandardOutput out = new StandardOutput();
        JsonParser parser = io.pgtoaster.internal.json.Json.parser(text)) {
      PrettyJson.write(parser, out, Terminal.isTerminal(1));
    }
  }
}
