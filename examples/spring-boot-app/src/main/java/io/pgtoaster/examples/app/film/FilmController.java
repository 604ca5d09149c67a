package io.pgtoaster.examples.app.film;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidSearchException;
import io.pgtoaster.examples.app.cost.Comparison;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.databind.JsonNode;

/** The document over HTTP. Paths are JSON Pointers. */
@RestController
@RequestMapping("/api/film")
final class FilmController {
  private static final int MAX_STEPS = 32;
  private static final int MAX_WORDS = 200;
  private static final int MAX_VALUE = 64 << 10;

  private final Films films;
  private final Library library;

  FilmController(Films films, Library library) {
    this.films = films;
    this.library = library;
  }

  /** The size of the document. */
  record Size(long bytes) {}

  @GetMapping
  Size size() {
    return new Size(films.bytes());
  }

  @GetMapping("/branch")
  Branch open(
      @RequestParam("path") String path,
      @RequestParam(name = "next", required = false) @Nullable String next) {
    return films
        .open(parse(path), next)
        .orElseThrow(
            () ->
                new ResponseStatusException(
                    HttpStatus.NOT_FOUND, "There is no object or array at this path."));
  }

  @GetMapping("/search")
  Library.Found search(@RequestParam("words") String words) {
    if (words.isBlank() || words.length() > MAX_WORDS) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "Type at least one word, and at most " + MAX_WORDS + " letters.");
    }
    try {
      return library.search(words);
    } catch (InvalidSearchException e) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "Add a word that the films must contain.", e);
    }
  }

  record Change(String path, JsonNode value) {}

  @PutMapping("/value")
  Comparison set(@RequestBody Change change) {
    DocumentPath path = parse(change.path());
    if (path.isRoot() || change.value() == null || change.value().isContainer()) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "The value must be a string, a number, true, false or null.");
    }
    if (change.value().toString().length() > MAX_VALUE) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The value is too long.");
    }
    return films
        .set(path, change.value())
        .orElseThrow(
            () ->
                new ResponseStatusException(
                    HttpStatus.NOT_FOUND, "There is no value at this path."));
  }

  private static DocumentPath parse(@Nullable String text) {
    if (text == null || !(text.isEmpty() || text.startsWith("/"))) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The path must be a JSON Pointer.");
    }
    DocumentPath path = DocumentPath.parse(text);
    if (path.steps().size() > MAX_STEPS) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The path is too long.");
    }
    return path;
  }
}
