package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.question.Cell;
import io.pgtoaster.benchmarks.report.Footnote;
import io.pgtoaster.benchmarks.report.Results;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The files of a run, complete after each cell, so that a run that breaks leaves what it has. */
final class ResultDirectory {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** JMH's names of things that are private, or that nobody needs. */
  private static final List<String> PRIVATE = List.of("jvm", "jvmArgs", "jdkVersion", "vmName");

  private final Path directory;
  private final ArrayNode entries = JSON.createArrayNode();
  private final List<Footnote> footnotes = new ArrayList<>();

  ResultDirectory(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
    lines();
  }

  void environment(Map<String, String> facts) {
    write(Results.ENVIRONMENT, facts);
  }

  void footnote(String benchmark, Map<String, String> params, String reason) {
    footnotes.add(new Footnote(benchmark, params, reason));
    write(Results.FOOTNOTES, footnotes);
  }

  /** Adds what came out of a cell; returns it in a few words. */
  String add(Cell cell, CellRunner.Outcome outcome) throws IOException {
    if (outcome.results().isEmpty()) {
      System.out.println(outcome.output());
      footnote(cell.name(), cell.params(), "FAILED");
      return "FAILED";
    }
    for (JsonNode entry : json(outcome)) {
      ((ObjectNode) entry).remove(PRIVATE);
      entries.add(entry);
    }
    lines();
    write(Results.FOOTNOTES, footnotes);
    return outcome.results().stream()
        .map(
            r ->
                String.format(
                    Locale.ROOT,
                    "%,.1f %s",
                    r.getPrimaryResult().getScore(),
                    r.getPrimaryResult().getScoreUnit()))
        .findFirst()
        .orElse("");
  }

  private static JsonNode json(CellRunner.Outcome outcome) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, stream).writeOut(outcome.results());
    }
    return JSON.readTree(text.toByteArray());
  }

  /** A line for each cell, so that two runs can be compared by the usual tools, too. */
  private void lines() throws IOException {
    Files.writeString(
        directory.resolve(Results.RESULTS),
        StreamSupport.stream(entries.spliterator(), false)
            .map(JSON::writeValueAsString)
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
  }

  private void write(String file, Object content) {
    JSON.writerWithDefaultPrettyPrinter().writeValue(directory.resolve(file), content);
  }
}
