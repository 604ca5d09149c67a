package io.pgtoaster.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Measures promises that no cell of JMH can hold, and says whether they are kept. */
public final class Bars {
  private static final Map<String, Question> QUESTIONS = new LinkedHashMap<>();

  static {
    QUESTIONS.put("million", new MillionQuestion());
    QUESTIONS.put("huge", new HugeQuestion());
    QUESTIONS.put("doc-array", new DocumentArrayQuestion());
    QUESTIONS.put("doc-huge", new DocumentHugeQuestion());
    QUESTIONS.put("extension", new ExtensionQuestion());
  }

  private Bars() {}

  /**
   * Answers questions.
   *
   * @param arguments names of questions, and {@code --name value} pairs
   * @throws Exception whatever goes wrong
   */
  public static void main(String... arguments) throws Exception {
    Settings settings = Settings.parse(arguments);
    if (settings.questions().isEmpty() || !QUESTIONS.keySet().containsAll(settings.questions())) {
      System.err.println(usage());
      System.exit(2);
    }
    System.exit(answer(settings).allMet() ? 0 : 1);
  }

  static Report answer(Settings settings) throws Exception {
    Report report = new Report(System.out);
    for (String name : settings.questions()) {
      Question question = QUESTIONS.get(name);
      if (question != null) {
        question.answer(settings, report);
      }
    }
    String json = settings.text("json");
    if (json != null) {
      report.writeJson(Path.of(json));
    }
    return report;
  }

  private static String usage() {
    return String.format(
        Locale.ROOT,
        "usage: Bars QUESTION... [--home DIR | --url URL] [--json FILE] [--rounds N] [--NAME N]%n"
            + "questions: %s%n"
            + "sizes: --million 1000000, --huge-mb 6144, --array-elements 5000000 --edits 500,%n"
            + "  --huge-doc-mb 1024 (run it with -Xmx128m),%n"
            + "  --operations 2000 (extension, on a --home whose server has it)",
        String.join(" ", QUESTIONS.keySet()));
  }
}
