package io.pgtoaster.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A question, from {@code question-N.json}.
 *
 * @param number number of the question
 * @param title the question itself
 * @param operation description of one operation
 * @param why why pgtoaster loses in some cells
 * @param columns columns of its table
 * @param cells cells to measure
 */
public record Question(
    int number,
    String title,
    String operation,
    String why,
    List<Column> columns,
    List<Cells> cells) {
  private static final int COUNT = 9;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY).build();

  private record Sheet(
      String title,
      String operation,
      String why,
      List<Column> columns,
      List<String> contenders,
      List<Cells> cells) {}

  public static List<Question> all() {
    return IntStream.rangeClosed(1, COUNT).mapToObj(Question::of).toList();
  }

  private static Question of(int number) {
    String name = "question-" + number + ".json";
    try (@Nullable InputStream in = Question.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no resource " + name);
      }
      Sheet sheet = JSON.readValue(in, Sheet.class);
      return new Question(
          number,
          sheet.title(),
          sheet.operation(),
          sheet.why(),
          sheet.columns(),
          sheet.cells().stream().map(c -> c.orContenders(sheet.contenders())).toList());
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + name, e);
    }
  }
}
