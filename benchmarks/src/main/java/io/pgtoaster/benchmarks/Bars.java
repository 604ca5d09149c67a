package io.pgtoaster.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Measures what the project promises, contenders side by side, and says whether it holds. */
public final class Bars {
  private static final Map<String, Question> QUESTIONS = new LinkedHashMap<>();

  static {
    QUESTIONS.put("write", new WriteQuestion());
    QUESTIONS.put("read", new ReadQuestion());
    QUESTIONS.put("random", new RandomQuestion());
    QUESTIONS.put("one-byte", new OneByteQuestion());
    QUESTIONS.put("million", new MillionQuestion());
    QUESTIONS.put("compression", new CompressionQuestion());
    QUESTIONS.put("mixed", new MixedQuestion());
    QUESTIONS.put("huge", new HugeQuestion());
    QUESTIONS.put("doc-read", new DocumentReadQuestion());
    QUESTIONS.put("doc-write", new DocumentWriteQuestion());
    QUESTIONS.put("doc-array", new DocumentArrayQuestion());
    QUESTIONS.put("doc-whole", new DocumentWholeQuestion());
    QUESTIONS.put("doc-aggregate", new DocumentAggregateQuestion());
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
            + "sizes: --write-mb 128, --read-mb 256, --random-mb 1024, --random-reads 2000,%n"
            + "  --large-mb 1024 --middle-mb 100 --appends 2000 --wal-level LEVEL (one-byte), --million 1000000,%n"
            + "  --compression-mb 64, --mixed 600, --huge-mb 6144,%n"
            + "  --doc-count 100 --doc-elements 1000000 (doc-read, doc-write, doc-whole), --reads 300, --sets 300,%n"
            + "  --array-elements 5000000 --edits 500, --aggregate-rows 10000 --aggregate-kb 100,%n"
            + "  --huge-doc-mb 1024 (run it with -Xmx128m),%n"
            + "  --operations 2000 (extension, on a --home whose server has it)",
        String.join(" ", QUESTIONS.keySet()));
  }
}
