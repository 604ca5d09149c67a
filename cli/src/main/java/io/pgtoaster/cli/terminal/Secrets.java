package io.pgtoaster.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Hides passwords that a user has typed, so that no message repeats them. */
public final class Secrets {
  private static final String HIDDEN = "***";
  private static final Pattern IN_URL = Pattern.compile("(://[^:/@\\s]*:)\\S+(?=@)");
  private static final Pattern IN_PARAMETER =
      Pattern.compile("(?i)(pass(?:word|wd|phrase)?=)[^&\\s'\"]+");
  private static final Pattern OPTION = Pattern.compile("(?i)--?[a-z-]*pass(word|wd|phrase)?");

  private Secrets() {}

  /**
   * Hides the passwords in URLs and in {@code password=...}.
   *
   * @param text a message or a stack trace
   * @return the text with {@code ***} in place of passwords
   */
  public static String hide(String text) {
    String urls = IN_URL.matcher(text).replaceAll("$1" + HIDDEN);
    return IN_PARAMETER.matcher(urls).replaceAll("$1" + HIDDEN);
  }

  /**
   * Hides the same passwords, and words after an option such as {@code --password}, which this
   * program does not support.
   *
   * @param text a message about wrong usage
   * @param args the command line
   * @return the text with {@code ***} in place of passwords
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
