package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.PostgresServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the document samples of docs/sql.md unchanged. */
class DocsSqlIT {
  private static final Path PAGE = Path.of("../docs/sql.md").toAbsolutePath().normalize();

  /** Returns the SQL samples below the heading, each as its lines. */
  private static List<List<String>> samples() throws IOException {
    return samples("## Documents\n");
  }

  private static List<List<String>> samples(String heading) throws IOException {
    List<List<String>> samples = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readString(PAGE).split(heading, 2)[1].lines().toList()) {
      if (line.startsWith("```")) {
        inside = line.equals("```sql");
        if (inside) {
          samples.add(new ArrayList<>());
        }
      } else if (inside) {
        samples.get(samples.size() - 1).add(line);
      }
    }
    return samples;
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
  void blobSamples_workAsDocumented(int version) throws IOException {
    edit(PostgresServers.shared(version).installed(), samples("## Blobs\n").get(0));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
  void samples_workAsDocumented(int version) throws IOException {
    Database database = PostgresServers.shared(version).installed();
    List<List<String>> samples = samples();
    assertThat(samples).hasSize(5);
    database.run(samples.get(0).toArray(String[]::new));
    int store = (int) database.number("SELECT store FROM pgtoaster.attached_column");
    long ada = new Nodes(database, store).head(1);
    new Nodes(database, store)
        .leaf(
            ada,
            1,
            "[{\"year\": 1843, \"what\": \"Note G\"}, {\"year\": 1852, \"what\": \"dies\"}]");
    database.run(
        "UPDATE person SET doc = doc || '{\"$pgtoaster\": [%d], \"events\": {\"$pgtoaster\": 1}}' WHERE id = 1"
            .formatted(ada));
    assertThat(samples.get(1)).isNotEmpty();
    for (String line : samples.get(1)) {
      String[] parts = line.split(";\\s+--> ", 2);
      assertThat(database.strings(parts[0])).as(line).containsExactly(parts[1]);
    }
    edit(database, samples.get(2));
    edit(database, samples.get(3));
    for (String line : samples.get(4)) {
      assertThat(database.strings(line)).as(line).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
  void editsAsValues_workAsDocumented_onPlainDocuments(int version) throws IOException {
    Database database = PostgresServers.shared(version).installed();
    database.run(samples().get(0).toArray(String[]::new));
    edit(database, samples().get(2));
    assertThat(database.number("SELECT split FROM pgtoaster.column_stat('person', 'doc')"))
        .isZero();
  }

  private static void edit(Database database, List<String> sample) {
    assertThat(sample).isNotEmpty();
    for (String line : sample) {
      String[] parts = line.split(";\\s+--> ", 2);
      if (parts.length == 1) {
        database.run(line);
      } else {
        assertThat(database.strings(parts[0])).as(line).containsExactly(parts[1]);
      }
    }
  }
}
