package io.pgtoaster.it.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import io.pgtoaster.jsonb.EditOutcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Changes that happen only if the value there is the one expected. */
interface ConditionalEditContract extends DocumentContract {
  JsonNode OTHER = Json.readTree("{\"other\": [1, \"value\"]}");

  private List<String> documents() {
    return List.of(
        Documents.big(60), "{\"id\": 7, \"few\": [1, \"two\", null, [4]], \"none\": null}");
  }

  @Test
  default void valueThatIsExpected_isReplacedAndPutBack() {
    for (String json : documents()) {
      Object key = fx().row(json);
      for (DocumentColumn documents : fx().executors()) {
        for (String text : DocumentReadContract.PATHS) {
          DocumentPath path = DocumentPath.parse(text);
          Optional<JsonNode> before = documents.get(key, path);
          if (before.isEmpty()) {
            assertThat(documents.replaceIf(key, path, OTHER, 1)).isEqualTo(EditOutcome.CONFLICT);
            assertThat(documents.replaceIf(key, path, null, 1)).isEqualTo(EditOutcome.CONFLICT);
            continue;
          }
          assertThat(documents.replaceIf(key, path, before.get(), OTHER))
              .as(text)
              .isEqualTo(EditOutcome.APPLIED);
          assertThat(documents.get(key, path)).contains(OTHER);
          assertThat(documents.replaceIf(key, path, before.get(), "third"))
              .isEqualTo(EditOutcome.CONFLICT);
          assertThat(documents.replaceIf(key, path, OTHER, before.get()))
              .isEqualTo(EditOutcome.APPLIED);
        }
        fx().assertDocument(key, json);
      }
    }
  }

  @Test
  default void valueThatIsNotExpected_staysAsItIs() {
    for (String json : documents()) {
      Object key = fx().row(json);
      for (DocumentColumn documents : fx().executors()) {
        for (String text : DocumentReadContract.PATHS) {
          DocumentPath path = DocumentPath.parse(text);
          assertThat(documents.replaceIf(key, path, OTHER, 1))
              .as(text)
              .isEqualTo(EditOutcome.CONFLICT);
          assertThat(documents.removeIf(key, path, OTHER))
              .as(text)
              .isEqualTo(path.isRoot() ? EditOutcome.MISSED : EditOutcome.CONFLICT);
          if (documents.exists(key, path)) {
            assertThat(documents.setIfAbsent(key, path, 1)).isEqualTo(EditOutcome.CONFLICT);
          }
        }
        fx().assertDocument(key, json);
      }
    }
  }

  @Test
  default void valueThatIsExpected_isRemovedAsRemoveDoes() {
    for (String json : documents()) {
      for (DocumentColumn documents : fx().executors()) {
        for (String path :
            List.of("id", "few", "few[-1]", "items[17]", "items", "index.k7", "deep")) {
          Object key = fx().row(json);
          Object other = fx().row(json);
          Optional<JsonNode> before = documents.get(key, path);
          boolean removed = documents.remove(other, path);
          assertThat(documents.removeIf(key, path, before.orElse(OTHER)).applied())
              .as(path)
              .isEqualTo(removed);
          fx().assertDocument(key, documents.text(other).orElseThrow());
        }
      }
    }
  }

  @Test
  default void nothingThere_isSetAsSetDoes() {
    for (String json : documents()) {
      for (DocumentColumn documents : fx().executors()) {
        Object key = fx().row(json);
        Object other = fx().row(json);
        for (String text : DocumentReadContract.PATHS) {
          DocumentPath path = DocumentPath.parse(text);
          if (documents.exists(key, path)) {
            continue;
          }
          Boolean[] set = new Boolean[1];
          Throwable refused = catchThrowable(() -> set[0] = documents.set(other, path, OTHER));
          if (refused != null) {
            Expect.refused(
                InvalidPathException.class, () -> documents.setIfAbsent(key, path, OTHER));
            continue;
          }
          assertThat(documents.setIfAbsent(key, path, OTHER))
              .as(text)
              .isEqualTo(set[0] ? EditOutcome.APPLIED : EditOutcome.MISSED);
        }
        fx().assertDocument(key, documents.text(other).orElseThrow());
      }
    }
  }

  @Test
  default void values_areComparedAsJsonbCompares() {
    Object key =
        fx().row(
                "{\"a\": {\"x\": 1.0, \"y\": [1, {\"$pgtoaster\": 2}]}, \"n\": 12.50, \"z\": null}");
    for (DocumentColumn documents : fx().executors()) {
      JsonNode same = Json.readTree("{\"y\": [1.00, {\"$pgtoaster\": 2}], \"x\": 1}");
      assertThat(documents.replaceIf(key, "a", same, same)).isEqualTo(EditOutcome.APPLIED);
      assertThat(documents.replaceIf(key, "n", Json.readTree("12.5"), Json.readTree("12.50")))
          .isEqualTo(EditOutcome.APPLIED);
      assertThat(documents.replaceIf(key, "n", "12.5", 1)).isEqualTo(EditOutcome.CONFLICT);
      assertThat(documents.replaceIf(key, "z", null, null)).isEqualTo(EditOutcome.APPLIED);
      assertThat(documents.replaceIf(key, "missing", null, 1)).isEqualTo(EditOutcome.CONFLICT);
      assertThat(documents.setIfAbsent(key, "z", 1)).isEqualTo(EditOutcome.CONFLICT);
    }
  }

  @Test
  default void keysThatLookLikeOurs_areComparedAsTheyAre() {
    String json =
        "{\"$pgtoaster\": [1], \"text\": \"%s\", \"o\": {\"$pgtoaster\": 3, \"$$pgtoaster\": 4}}"
            .formatted(Documents.words(5, 9000));
    Object key = fx().row(json);
    for (DocumentColumn documents : fx().executors()) {
      for (String path : List.of("o", "$pgtoaster", "text", "o.$$pgtoaster", "o.$pgtoaster")) {
        DocumentPath steps = new DocumentPath(List.of(path.split("\\.")));
        JsonNode before = documents.get(key, steps).orElseThrow();
        assertThat(documents.replaceIf(key, steps, OTHER, 1)).isEqualTo(EditOutcome.CONFLICT);
        assertThat(documents.replaceIf(key, steps, before, OTHER)).isEqualTo(EditOutcome.APPLIED);
        assertThat(documents.replaceIf(key, steps, OTHER, before)).isEqualTo(EditOutcome.APPLIED);
      }
    }
    fx().assertDocument(key, json);
  }

  @Test
  default void columnThatIsNull_holdsNothing() {
    for (DocumentColumn documents : fx().executors()) {
      Object key = fx().row();
      assertThat(documents.replaceIf(key, "a", 1, 2)).isEqualTo(EditOutcome.CONFLICT);
      assertThat(documents.removeIf(key, "a", 1)).isEqualTo(EditOutcome.CONFLICT);
      assertThat(documents.setIfAbsent(key, "a", 1)).isEqualTo(EditOutcome.MISSED);
      DocumentPath root = DocumentPath.root();
      assertThat(documents.replaceIf(key, root, null, 1)).isEqualTo(EditOutcome.CONFLICT);
      assertThat(documents.setIfAbsent(key, root, OTHER)).isEqualTo(EditOutcome.APPLIED);
      assertThat(documents.setIfAbsent(key, root, 1)).isEqualTo(EditOutcome.CONFLICT);
      assertThat(documents.replaceIf(key, root, OTHER, 1)).isEqualTo(EditOutcome.APPLIED);
      fx().assertDocument(key, "1");
      Expect.refused(
          RowNotFoundException.class, () -> documents.replaceIf(fx().unknownKey(), "a", 1, 2));
    }
  }
}
