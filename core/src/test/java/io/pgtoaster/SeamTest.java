package io.pgtoaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code for one toaster is in the package of that toaster. */
class SeamTest {
  private static final Path MAIN = Path.of("src", "main");

  @Test
  void core_doesNotMentionOtherVendorsServers() throws IOException {
    Pattern name = Pattern.compile("postgres ?pro", Pattern.CASE_INSENSITIVE);
    assertThat(filesThat(MAIN, text -> name.matcher(text).find())).isEmpty();
  }

  /** Java literals with the names of toasters and their options. */
  @ParameterizedTest
  @CsvSource({
    "\"appendable\", blob/BlobOptions.java",
    "\"keyed\", jsonb/JsonOptions.java",
    "\"default\", spi/Toaster.java",
    "\"chunk_size\", blob/BlobOptions.java blob/appendable/store/StoreOptions.java",
  })
  void literal_isInItsPackage(String literal, String files) throws IOException {
    Path root = MAIN.resolve("java/io/pgtoaster");
    assertThat(filesThat(root, text -> text.contains(literal))).containsExactly(files.split(" "));
  }

  /** Only the files that all stores share, because the others name their toaster. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "catalog/catalog",
        "catalog/cleanup",
        "catalog/create_toaster",
        "catalog/owner_rows",
        "catalog/routine",
        "catalog/store",
        "document/guard",
        "document/uses",
        "operations/gc",
        "operations/status",
        "security/policy",
        "security/policy_functions",
        "security/privileges"
      })
  void sharedSql_namesNoToaster(String file) {
    assertThat(text(MAIN.resolve("resources/io/pgtoaster/sql/" + file + ".sql")))
        .doesNotContain("'appendable'", "'keyed'");
  }

  private static List<String> filesThat(Path root, Predicate<String> condition) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> found = files.filter(Files::isRegularFile).sorted().toList();
      assertThat(found).hasSizeGreaterThan(150);
      return found.stream()
          .filter(file -> condition.test(text(file)))
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
