package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The messages that the page on troubleshooting quotes exist. */
class MessagesTest {
  private static final Path ROOT = Guide.FOLDER.getParent();
  private static final List<String> SOURCES =
      List.of("core/src/main", "hibernate-module/src/main", "extension/src");
  private static final Pattern QUOTE = Pattern.compile("`([^`]+)`");

  @Test
  void quotedMessages_areInTheSources() throws IOException {
    String sources = sources();
    int seen = 0;
    String page = Files.readString(Guide.FOLDER.resolve("troubleshooting.md"));
    String messages = page.substring(page.indexOf("## Messages of"));
    for (String line : messages.lines().filter(l -> l.startsWith("| `")).toList()) {
      String cell = line.substring(0, line.indexOf(" |", 1));
      for (MatchResult quote : QUOTE.matcher(cell).results().toList()) {
        for (String part : quote.group(1).split("…|\\.\\.", -1)) {
          assertThat(sources.contains(part.strip())).as(part).isTrue();
          seen++;
        }
      }
    }
    assertThat(seen).isGreaterThan(30);
  }

  /** Returns the main sources, with each literal on one line. */
  private static String sources() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String folder : SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        all.append(
            files
                .filter(f -> f.toString().matches(".*\\.(java|sql|c)"))
                .map(MessagesTest::read)
                .collect(Collectors.joining("\n")));
      }
    }
    return all.toString()
        .replaceAll("\"\\s*\\+?\\s*\"", "")
        .replace("\\", "")
        .replace("''", "'")
        .replaceAll("\\s+", " ");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
