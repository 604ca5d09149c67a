package io.pgtoaster.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Runs one program to completion, without the caller's PG variables. */
final class Command {
  private Command() {}

  record Result(List<String> command, int exit, String output, String errors) {
    boolean succeeded() {
      return exit == 0;
    }

    Result orThrow(String what) {
      if (!succeeded()) {
        throw new EmbeddedPostgresException(
            what
                + ": "
                + String.join(" ", command)
                + " ended with exit code "
                + exit
                + "\n"
                + (output + errors).strip());
      }
      return this;
    }
  }

  static Result run(List<String> command) {
    return run(null, Map.of(), command);
  }

  static Result run(@Nullable Path directory, Map<String, String> env, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C"); // for English messages; servers on macOS require it
    builder.environment().putAll(env);
    if (directory != null) {
      builder.directory(directory.toFile());
    }
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      CompletableFuture<String> errors =
          CompletableFuture.supplyAsync(() -> read(process.getErrorStream()));
      String output = read(process.getInputStream());
      return new Result(command, process.waitFor(), output, errors.join());
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot run " + command.get(0), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("interrupted while running " + command.get(0), e);
    }
  }

  private static String read(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
