package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.server.own.OwnServer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the files of a server that a command starts. */
public final class OwnServerFiles {
  @Option(
      names = "--build",
      paramLabel = "DIR",
      description = "build directory of this module (default: ${DEFAULT-VALUE})",
      defaultValue = "benchmarks/target")
  private Path build;

  @Option(
      names = "--extension",
      paramLabel = "DIR",
      description = "directory that extension/versions builds (default: ${DEFAULT-VALUE})",
      defaultValue = "extension/build")
  private Path extension;

  /** Starts a server; see {@link OwnServer#start}. */
  public OwnServer start(@Nullable Path home, int version, boolean durable) throws Exception {
    return OwnServer.start(
        home, version, build.toAbsolutePath(), extension.toAbsolutePath(), durable);
  }
}
