package io.pgtoaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogTest {
  @Test
  void scriptNames_matchTheFiles() throws IOException, URISyntaxException {
    Path folder = Path.of(Catalog.class.getResource("sql").toURI());
    try (Stream<Path> files = Files.walk(folder)) {
      List<String> names =
          files
              .filter(Files::isRegularFile)
              .map(file -> folder.relativize(file).toString().replace('\\', '/'))
              .toList();
      assertThat(Catalog.scriptNames()).containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void script_isShort() {
    assertThat(Catalog.scriptNames())
        .allSatisfy(name -> assertThat(Catalog.script(name).lines()).hasSizeLessThanOrEqualTo(500));
  }

  @Test
  void script_returnsItsText() {
    assertThat(Catalog.script("catalog/catalog.sql"))
        .contains("CREATE SCHEMA IF NOT EXISTS pgtoaster");
  }

  @Test
  void unknownScript_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Catalog.script("../x"));
  }

  @Test
  void gcOptions_byDefault_onlyList() {
    assertThat(GcOptions.defaults().dryRun()).isTrue();
    assertThat(GcOptions.defaults().withDryRun(false).dryRun()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GcOptions.defaults().withGrace(Duration.ofSeconds(-1)));
  }
}
