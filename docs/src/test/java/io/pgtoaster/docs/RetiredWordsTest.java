package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Terms of our own that common terms have replaced. */
class RetiredWordsTest {
  private static final Path ROOT = Guide.FOLDER.getParent();
  private static final Map<String, String> RETIRED = retired();
  private static final Set<String> ENDINGS = Set.of("java", "sql", "c", "h", "py", "md");
  private static final Set<String> OUTSIDE = Set.of("target", "build", ".git");

  private static Map<String, String> retired() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("(\\w*[a-z]D|[Dd])oors?", "entry point");
    words.put("(has|have|had) left (the|its|their) row", "is out of line");
    words.put("never leaves? the (owner's )?row", "stays in the row");
    words.put("members leave", "members are moved out");
    words.put("(hasRest|has_rest|oldRest)", "overflow branch");
    words.put("(LastRun|last run of bytes|pgt_run_\\w+)", "pending tail");
    words.put("([Ll]eftovers)", "garbage");
    words.put("(UnnamedContent|unnamed content)", "unreferenced content");
    words.put("(SilentWriters|silent writers)", "expired tokens");
    words.put("(given up|gives? way)", "released, replaced");
    words.put("(Unsettled|unsettled)", "pending");
    words.put("whose it is is", "to which it belongs");
    words.put("(HouseIT|OddTest|OddIT)", "what it tests");
    return words;
  }

  @Test
  void sourcesAndPages_haveNone() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files()) {
      List<String> lines = Files.readAllLines(file);
      RETIRED.forEach(
          (word, instead) -> {
            Pattern pattern = Pattern.compile("(?<!\\w)" + word + "(?!\\w)");
            for (int i = 0; i < lines.size(); i++) {
              if (pattern.matcher(lines.get(i)).find()) {
                found.add(
                    "%s:%d says %s; say: %s"
                        .formatted(ROOT.relativize(file), i + 1, word, instead));
              }
            }
          });
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return OUTSIDE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1))
                && !name.startsWith(RetiredWordsTest.class.getSimpleName())) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(files).hasSizeGreaterThan(1000);
    return files;
  }
}
