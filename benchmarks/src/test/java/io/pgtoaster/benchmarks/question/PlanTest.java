package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.contender.Names;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The cells of {@code question-N.json}. */
class PlanTest {
  private static final List<Cell> STANDARD = cells("standard");

  private static List<Cell> cells(String set) {
    return Question.all().stream()
        .flatMap(
            q -> q.cells(set, name -> name.equals(Names.MONGODB) ? Names.FERRETDB : name).stream())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick", "standard", "async"})
  void eachCell_existsOnce_andHasALine(String set) {
    assertThat(cells(set)).isNotEmpty();
    assertThat(cells(set).stream().map(Cell::line)).doesNotHaveDuplicates();
    assertThat(cells(set).stream().map(Cell::line))
        .allSatisfy(line -> assertThat(line).containsPattern(line));
  }

  @Test
  void cell_isPassedToItsProcess() {
    String json = JsonMapper.shared().writeValueAsString(STANDARD.get(0));
    assertThat(JsonMapper.shared().readValue(json, Cell.class)).isEqualTo(STANDARD.get(0));
  }

  @ParameterizedTest
  @CsvSource({"standard, standard", "standard-async, async"})
  void eachCommittedResult_canBeMeasuredAgain(String results, String set) throws Exception {
    Map<String, Integer> planned =
        cells(set).stream().collect(Collectors.toMap(PlanTest::key, Cell::threads));
    for (Figure figure : Results.read(Path.of("results", results)).figures()) {
      assertThat(planned)
          .containsEntry(figure.benchmark() + sorted(figure.params()), figure.threads());
    }
  }

  private static String key(Cell cell) {
    return cell.benchmark() + sorted(cell.params());
  }

  private static Map<String, String> sorted(Map<String, String> params) {
    return new TreeMap<>(params);
  }

  @Test
  void quick_hasEachBenchmark() {
    assertThat(cells("quick").stream().map(Cell::benchmark))
        .containsAll(STANDARD.stream().map(Cell::benchmark).toList());
  }

  @Test
  void eachColumn_hasCells() {
    for (Question question : Question.all()) {
      for (Question.Column column : question.columns()) {
        assertThat(STANDARD)
            .as(question.title() + column.title())
            .anyMatch(
                cell ->
                    cell.benchmark().equals(column.benchmark())
                        && cell.params().entrySet().containsAll(column.where().entrySet()));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1B, 1", "400B, 400", "10KiB, 10240", "100MiB, 104857600", "1GiB, 1073741824"})
  void sizes_areParsed(String text, long bytes) {
    assertThat(Cell.size(text)).isEqualTo(bytes);
  }
}
