package io.pgtoaster.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Passwords in what a user has typed, which no message repeats. */
public final class Secrets {
  private static final String HIDDEN = "***";
  private static final Pattern IN_URL = Pattern.compile("(://[^:/@\\s]*:)\\S+(?=@)");
  private static final Pattern IN_PARAMETER =
      Pattern.compile("(?i)(pass(?:word|wd|phrase)?=)[^&\\s'\"]+");
  private static final Pattern OPTION = Pattern.compile("(?i)--?[a-z-]*pass(word|wd|phrase)?");

  private Secrets() {}

  /**
   * Hides the passwords of URLs and of {@code password=...}.
   *
   * @param text of a message or a stack trace
   * @return the text with {@code ***} in their place
   */
  public static String hide(String text) {
    String urls = IN_URL.matcher(text).replaceAll("$1" + HIDDEN);
    return IN_PARAMETER.matcher(urls).replaceAll("$1" + HIDDEN);
  }

  /**
   * Hides the same, and words that follow an option such as {@code --password}, which this program
   * does not have.
   *
   * @param text of a message about wrong usage
   * @param args the command line
   * @return the text with {@code ***} in their place
   */
  public static String hide(String text, String... args) {
    List<String> words = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      if (OPTION.matcher(args[i - 1]).matches() && !args[i].isEmpty()) {
        words.add(args[i]);
      }
    }
    String hidden = text;
    for (String word : words) {
      hidden = hidden.replace("'" + word + "'", HIDDEN);
    }
    return hide(hidden);
  }
}
