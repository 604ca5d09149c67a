package io.pgtoaster;

import static java.util.Comparator.comparingInt;
import static java.util.Comparator.naturalOrder;
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
  void scriptNames_areTheFilesOfTheFolderInOrder() throws IOException, URISyntaxException {
    Path first = Path.of(Catalog.class.getResource("sql/" + Catalog.scriptNames().get(0)).toURI());
    try (Stream<Path> files = Files.list(first.getParent())) {
      List<String> names =
          files
              .map(f -> f.getFileName().toString())
              .sorted(
                  comparingInt((String n) -> Integer.parseInt(n.split("-", 2)[0]))
                      .thenComparing(naturalOrder()))
              .toList();
      assertThat(Catalog.scriptNames()).isEqualTo(names);
    }
  }

  @Test
  void script_isItsText() {
    assertThat(Catalog.script("1-catalog.sql")).contains("CREATE SCHEMA IF NOT EXISTS pgtoaster");
  }

  @Test
  void script_thatIsNone_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Catalog.script("../x"));
  }

  @Test
  void gcOptions_listOnlyUnlessTold() {
    assertThat(GcOptions.defaults().dryRun()).isTrue();
    assertThat(GcOptions.defaults().withDryRun(false).dryRun()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GcOptions.defaults().withGrace(Duration.ofSeconds(-1)));
  }
}
