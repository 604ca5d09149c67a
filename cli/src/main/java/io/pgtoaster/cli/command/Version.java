package io.pgtoaster.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** Reads the version from the jar's manifest. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    @Nullable String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"pgtoaster " + (version == null ? "(not from a jar)" : version)};
  }
}
