package io.pgtoaster.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each question once on little data: what it says of speed means nothing, but it must run. */
class BarsIT {
  private static final List<String> SMALL =
      List.of(
          "--rounds 1 --million 300 --huge-mb 4",
          "--array-elements 3000 --edits 5 --huge-doc-mb 1");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"million", "huge", "doc-array", "doc-huge"})
  void eachQuestionIsAnswered(String question) throws Exception {
    Path json = directory.resolve("figures.json");
    String[] arguments =
        Stream.concat(
                Stream.of(question, "--json", json.toString()),
                SMALL.stream().flatMap(line -> Stream.of(line.split(" "))))
            .toArray(String[]::new);

    assertThatCode(() -> Bars.answer(Settings.parse(arguments))).doesNotThrowAnyException();

    assertThat(Files.readString(json)).contains("environment", question);
  }
}
