package io.pgtoaster.examples.app.film;

import java.util.List;
import java.util.Random;

/** Names and sentences of a fictional film, the same on every start. */
final class FilmText {
  private static final List<String> FIRST =
      List.of(
          "Ada", "Amara", "Anneli", "Bao", "Carmen", "Chidi", "Daniel", "Elif", "Emeka", "Farid",
          "Greta", "Hana", "Ines", "Ivan", "Jonas", "Kofi", "Lena", "Luca", "Mei", "Mateo", "Nadia",
          "Noor", "Oskar", "Priya", "Rosa", "Sami", "Tariq", "Uma", "Vera", "Wanjiru", "Yuki",
          "Zoe");
  private static final List<String> LAST =
      List.of(
          "Abara",
          "Andersen",
          "Bauer",
          "Castillo",
          "Demir",
          "Eriksson",
          "Ferrari",
          "Fischer",
          "Haddad",
          "Ito",
          "Jensen",
          "Kimura",
          "Kovacs",
          "Larsen",
          "Lindqvist",
          "Mbeki",
          "Moreau",
          "Nakamura",
          "Novak",
          "Okafor",
          "Papadakis",
          "Petrova",
          "Quispe",
          "Rahman",
          "Rossi",
          "Santos",
          "Schmidt",
          "Silva",
          "Tanaka",
          "Ueda",
          "Vargas",
          "Weber",
          "Yilmaz",
          "Zhang");
  private static final List<String> WORDS =
      List.of(
          "the",
          "a",
          "quiet",
          "long",
          "slow",
          "bright",
          "harbour",
          "voyage",
          "light",
          "camera",
          "ending",
          "score",
          "ship",
          "island",
          "captain",
          "daughter",
          "storm",
          "letter",
          "moves",
          "waits",
          "returns",
          "finds",
          "forgives",
          "remembers",
          "with",
          "without",
          "under",
          "across",
          "before",
          "and",
          "but",
          "never",
          "always",
          "almost",
          "every",
          "scene",
          "silence",
          "colour",
          "patience",
          "courage",
          "sea",
          "winter",
          "morning",
          "twice",
          "gently",
          "wrong",
          "right",
          "beautifully",
          "too",
          "much",
          "little",
          "I",
          "we",
          "nobody",
          "expected",
          "deserves");
  static final List<String> PLACES =
      List.of(
          "Valparaíso",
          "Lisbon",
          "Bergen",
          "Busan",
          "Dakar",
          "Gdańsk",
          "Halifax",
          "Hobart",
          "Izmir",
          "Kochi",
          "Mombasa",
          "Odesa",
          "Reykjavík",
          "Salvador",
          "Trieste",
          "Wellington");

  private final Random random = new Random(42);

  /** Returns a title, such as "The quiet harbour". */
  String title() {
    return "The " + pick(WORDS.subList(2, 6)) + " " + pick(WORDS.subList(6, 18));
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  String name() {
    return pick(FIRST) + " " + pick(LAST);
  }

  String pick(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  String sentences(int words) {
    StringBuilder text = new StringBuilder();
    boolean begins = true;
    for (int i = 0; i < words; i++) {
      String word = pick(WORDS);
      text.append(begins ? Character.toUpperCase(word.charAt(0)) + word.substring(1) : word);
      begins = i == words - 1 || random.nextInt(9) == 0;
      text.append(begins ? ". " : " ");
    }
    return text.toString().strip();
  }
}
