package io.pgtoaster.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  private static final String MARKS =
      "before\n<!-- written by benchmarks/run docs -->\nold\n<!-- until here -->\nafter\n";

  @TempDir Path directory;

  private String readme(ResultFiles files) throws Exception {
    return Readme.of(MARKS, files.in(directory));
  }

  private static Map<String, String> append(String contender, String size) {
    return Map.of("contender", contender, "size", size, "piece", "1B");
  }

  private static ResultFiles appends() {
    return new ResultFiles()
        .sure("Appends.append", append("chunk tables", "1KB"), 100)
        .sure("Appends.append", append("bytea", "1KB"), 90)
        .sure("Appends.append", append("chunk tables", "100MB"), 100)
        .sure("Appends.append", append("bytea", "100MB"), 2000)
        .sure("Appends.append", append("bytea, external", "100MB"), 1500);
  }

  @Test
  void onlyTextBetweenTheMarkers_isReplaced() throws Exception {
    assertThat(readme(appends()))
        .startsWith("before\n<!-- written by benchmarks/run docs -->\n| | pgtoaster")
        .endsWith("<!-- until here -->\nafter\n")
        .doesNotContain("old");
  }

  @Test
  void eachPeer_isShownInItsStrongestForm_andTheBestIsBold() throws Exception {
    assertThat(readme(appends()))
        .contains("| 1 byte appended to 1 KB | 100 µs | **90 µs** |")
        .contains("100 MB | **100 µs** | 1.50 ms |");
  }

  @Test
  void unmeasuredQuestion_hasNoLine() throws Exception {
    assertThat(readme(appends())).doesNotContain("roles[i].title");
  }

  @Test
  void readmeWithoutMarkers_isNotWritten() {
    assertThatThrownBy(() -> Readme.of("text", appends().in(directory)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("written by benchmarks/run docs");
  }
}
