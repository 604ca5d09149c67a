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
            + "  --compression-mb 64, --mixed 600, --huge-mb 6144",
        String.join(" ", QUESTIONS.keySet()));
  }
}
