package io.pgtoaster.it.hibernate.jsonb;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An entity with objects as documents. */
@Entity(name = "Studio")
class Studio {
  @Id long id;
  String name;
  @KeyedColumn Catalogue profile;
  @KeyedColumn Profile made;
  @KeyedColumn Map<String, Object> notes;
  @KeyedColumn JsonNode tree;

  Studio() {}

  Studio(long id) {
    this.id = id;
  }

  /** A mutable class. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  static class Catalogue {
    public String nick;
    public int count;
    public List<Film> films = new ArrayList<>();
    public String text;

    /** Returns an object of about 40 KB. */
    static Catalogue big() {
      Catalogue catalogue = new Catalogue();
      catalogue.nick = "big";
      for (int i = 0; i < 400; i++) {
        catalogue.films.add(new Film("film " + i, i));
      }
      catalogue.text = "x".repeat(5000);
      return catalogue;
    }
  }

  static class Film {
    public String title;
    public int year;

    Film() {}

    Film(String title, int year) {
      this.title = title;
      this.year = year;
    }
  }
}
