package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Modules beside core use its API, {@code column} and {@code spi}, and nothing else of it. */
class CorePackagesTest {
  private static final Path ROOT = Guide.FOLDER.getParent();
  private static final Pattern OTHER =
      Pattern.compile(
          "import (static )?io\\.pgtoaster\\.(internal|blob\\.appendable\\.[a-z]|jsonb\\.keyed\\.[a-z]).*");

  @Test
  void modules_importWhatIsForThem() throws IOException {
    List<String> found = new ArrayList<>();
    List<Path> files = sources();
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        if (OTHER.matcher(line).matches()) {
          found.add(ROOT.relativize(file) + ": " + line);
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(300);
    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(m -> !m.endsWith("core")).toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(f -> f.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }
}
