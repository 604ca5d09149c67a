package io.pgtoaster.spring.liquibase;

import io.pgtoaster.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Writes the changelog {@code io/pgtoaster/liquibase/catalog.sql} when this jar is built. It
 * contains the scripts of the catalog as one changeset, which runs again when a newer library
 * changes them.
 */
final class WriteChangelog {
  private static final String HEAD =
      """
      --liquibase formatted sql

      --changeset pgtoaster:pgtoaster-catalog splitStatements:false stripComments:false runOnChange:true
      """;

  private WriteChangelog() {}

  /**
   * Writes the changelog.
   *
   * @param arguments the file to write
   * @throws IOException if it cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    // Rewriting an unchanged file would recompile all dependent modules.
    if (!Files.exists(file) || !Files.readString(file).equals(text())) {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text());
    }
  }

  static String text() {
    return HEAD
        + Catalog.scriptNames().stream().map(Catalog::script).collect(Collectors.joining("\n"));
  }
}
