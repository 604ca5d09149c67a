package io.pgtoaster.examples.app.film;

import java.time.LocalDate;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An invented film with everything that is known about it: some megabytes. */
final class FilmGenerator {
  private static final int CAST = 10_000;
  private static final int REVIEWS = 8_500;
  private static final int SCREENING_DAYS = 730;
  private static final int CREW_PER_DEPARTMENT = 120;
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

  ObjectNode film() {
    ObjectNode film = json.objectNode();
    film.put("title", "The Long Voyage");
    film.put("year", 2024);
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
    ArrayNode cast = json.arrayNode();
    for (int i = 0; i < CAST; i++) {
      ObjectNode person = cast.addObject();
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
    return cast;
  }

  private ObjectNode crew() {
    ObjectNode crew = json.objectNode();
    for (String department : DEPARTMENTS) {
      ArrayNode people = crew.putArray(department);
      for (int i = 0; i < CREW_PER_DEPARTMENT; i++) {
        people.addObject().put("name", text.name()).put("job", department + " " + (i + 1));
      }
    }
    return crew;
  }

  private ArrayNode reviews() {
    ArrayNode reviews = json.arrayNode();
    for (int i = 0; i < REVIEWS; i++) {
      reviews
          .addObject()
          .put("by", text.name())
          .put("stars", 1 + text.below(5))
          .put("on", LocalDate.of(2024, 3, 1).plusDays(text.below(700)).toString())
          .put("text", text.sentences(60 + text.below(120)));
    }
    return reviews;
  }

  private ObjectNode screenings() {
    ObjectNode days = json.objectNode();
    LocalDate first = LocalDate.of(2024, 3, 1);
    for (int i = 0; i < SCREENING_DAYS; i++) {
      int seats = 200 + text.below(8000);
      days.putObject(first.plusDays(i).toString())
          .put("place", text.pick(FilmText.PLACES))
          .put("seats", seats)
          .put("sold", text.below(seats));
    }
    return days;
  }
}
