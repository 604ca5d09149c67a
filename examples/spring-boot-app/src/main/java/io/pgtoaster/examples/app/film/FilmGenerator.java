package io.pgtoaster.examples.app.film;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Generates fictional films with many details. */
final class FilmGenerator {
  private static final List<String> DEPARTMENTS =
      List.of(
          "Animation",
          "Art",
          "Camera",
          "Casting",
          "Catering",
          "Costume",
          "Directing",
          "Editing",
          "Electrical",
          "Hair and make-up",
          "Locations",
          "Music",
          "Production",
          "Publicity",
          "Script",
          "Set",
          "Sound",
          "Special effects",
          "Stunts",
          "Transport",
          "Visual effects",
          "Writing");

  private final JsonNodeFactory json = JsonNodeFactory.instance;
  private final FilmText text = new FilmText();
  private final int cast;
  private final int reviews;
  private final int screeningDays;
  private final int crewPerDepartment;

  private FilmGenerator(int cast, int reviews, int screeningDays, int crewPerDepartment) {
    this.cast = cast;
    this.reviews = reviews;
    this.screeningDays = screeningDays;
    this.crewPerDepartment = crewPerDepartment;
  }

  /** Returns a film of several megabytes. */
  static ObjectNode large() {
    return new FilmGenerator(10_000, 8_500, 730, 120).film("The Long Voyage", 2024);
  }

  /** Returns films of about 25 kB each. */
  static List<ObjectNode> small(int count) {
    FilmGenerator generator = new FilmGenerator(12, 25, 7, 1);
    return IntStream.range(0, count)
        .mapToObj(i -> generator.film(generator.text.title(), 1960 + i % 65))
        .toList();
  }

  private ObjectNode film(String title, int year) {
    ObjectNode film = json.objectNode();
    film.put("title", title);
    film.put("year", year);
    film.put("runtime", 187);
    film.put("tagline", "Every harbour is a beginning.");
    film.put("released", true);
    ArrayNode languages = film.putArray("languages");
    List.of("en", "pt", "no", "ko", "wo").forEach(languages::add);
    film.putObject("rating").put("critics", 8.1).put("audience", 8.7).put("votes", 218_403);
    film.set("cast", cast());
    film.set("crew", crew());
    film.set("reviews", reviews());
    film.set("screenings", screenings());
    return film;
  }

  private ArrayNode cast() {
    ArrayNode people = json.arrayNode();
    for (int i = 0; i < cast; i++) {
      ObjectNode person = people.addObject();
      person.put("name", text.name());
      person.put("role", i < 40 ? text.name() : "Passenger " + i);
      person.put("credited", text.below(10) > 0);
      ArrayNode scenes = person.putArray("scenes");
      for (int s = text.below(8); s >= 0; s--) {
        scenes.add(1 + text.below(240));
      }
      person
          .putObject("contract")
          .put("days", 1 + text.below(60))
          .put("place", text.pick(FilmText.PLACES))
          .put("fee", 100 * (1 + text.below(900)));
    }
    return people;
  }

  private ObjectNode crew() {
    ObjectNode crew = json.objectNode();
    for (String department : DEPARTMENTS) {
      ArrayNode people = crew.putArray(department);
      for (int i = 0; i < crewPerDepartment; i++) {
        people.addObject().put("name", text.name()).put("job", department + " " + (i + 1));
      }
    }
    return crew;
  }

  private ArrayNode reviews() {
    ArrayNode texts = json.arrayNode();
    for (int i = 0; i < reviews; i++) {
      texts
          .addObject()
          .put("by", text.name())
          .put("stars", 1 + text.below(5))
          .put("on", LocalDate.of(2024, 3, 1).plusDays(text.below(700)).toString())
          .put("text", text.sentences(60 + text.below(120)));
    }
    return texts;
  }

  private ObjectNode screenings() {
    ObjectNode days = json.objectNode();
    LocalDate first = LocalDate.of(2024, 3, 1);
    for (int i = 0; i < screeningDays; i++) {
      int seats = 200 + text.below(8000);
      days.putObject(first.plusDays(i).toString())
          .put("place", text.pick(FilmText.PLACES))
          .put("seats", seats)
          .put("sold", text.below(seats));
    }
    return days;
  }
}
