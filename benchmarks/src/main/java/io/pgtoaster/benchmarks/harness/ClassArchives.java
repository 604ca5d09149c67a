package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.trial.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Archives of parsed classes, one for each class of benchmarks, that the JVM of a cell starts from.
 * Loading Jackson, Hibernate and the library takes a JVM a second, which hundreds of cells of two
 * seconds would each pay again. What is measured stays the same: code is compiled anew in each.
 */
final class ClassArchives {
  private final Map<String, List<String>> arguments = new HashMap<>();

  /** Arguments of the JVM of a cell; the first of each class is run once more before it. */
  List<String> of(Cell cell, CellRunner runner) throws IOException {
    String type = cell.benchmark().replaceFirst("[.].*", "");
    List<String> known = arguments.get(type);
    if (known == null) {
      Path archive = Files.createTempFile("pgtoaster-bench-" + type, ".jsa");
      Files.delete(archive);
      archive.toFile().deleteOnExit();
      runner.with(List.of("-XX:ArchiveClassesAtExit=" + archive)).run(cell.briefly());
      known = Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
      arguments.put(type, known);
    }
    return known;
  }
}
