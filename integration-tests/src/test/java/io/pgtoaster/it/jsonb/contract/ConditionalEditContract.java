package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Edits that are made only if the current value is the expected one. */
interface ConditionalEditContract extends DocumentContract {
  JsonNode OTHER = Json.readTree("{\"other\": [1, \"value\"]}");

  private List<String> documents() {
    return List.of(
        Documents.big(60), "{\"id\": 7, \"few\": [1, \"two\", null, [4]], \"none\": null}");
  }

  @Test
  default void expectedValue_isReplaced_andRestored() {
    for (String json : documents()) {
      Object key = fx().row(json);
      for (DocumentColumn documents : fx().executors()) {
        for (String text : DocumentReadContract.PATHS) {
          DocumentPath path = DocumentPath.parse(text);
          Optional<JsonNode> before = documents.at(key, path).get();
          if (before.isEmpty()) {
            assertThat(documents.at(key, path).replaceIf(OTHER, 1)).isFalse();
            assertThat(documents.at(key, path).replaceIf(null, 1)).isFalse();
            continue;
          }
          assertThat(documents.at(key, path).replaceIf(before.get(), OTHER)).as(text).isTrue();
          assertThat(documents.at(key, path).get()).contains(OTHER);
          assertThat(documents.at(key, path).replaceIf(before.get(), "third")).isFalse();
          assertThat(documents.at(key, path).replaceIf(OTHER, before.get())).isTrue();
        }
        fx().assertDocument(key, json);
      }
    }
  }

  @Test
  default void unexpectedValue_isNotChanged() {
    for (String json : documents()) {
      Object key = fx().row(json);
      for (DocumentColumn documents : fx().executors()) {
        for (String text : DocumentReadContract.PATHS) {
          DocumentPath path = DocumentPath.parse(text);
          assertThat(documents.at(key, path).replaceIf(OTHER, 1)).as(text).isFalse();
          if (path.isRoot()) {
            Expect.refused(
                InvalidPathException.class, () -> documents.at(key, path).removeIf(OTHER));
          } else {
            assertThat(documents.at(key, path).removeIf(OTHER)).as(text).isFalse();
          }
          if (documents.at(key, path).exists()) {
            assertThat(documents.at(key, path).setIfAbsent(1)).isFalse();
          }
        }
        fx().assertDocument(key, json);
      }
    }
  }

  @Test
  default void expectedValue_isRemoved_asByRemove() {
    for (String json : documents()) {
      for (DocumentColumn documents : fx().executors()) {
        for (String path :
            List.of("id", "few", "few[-1]", "items[17]", "items", "index.k7", "deep")) {
          Object key = fx().row(json);
          Object other = fx().row(json);
          Optional<JsonNode> before = documents.at(key, path).get();
          boolean removed = documents.at(other, path).remove();
          assertThat(documents.at(key, path).removeIf(before.orElse(OTHER)))
              .as(path)
              .isEqualTo(removed);
          fx().assertDocument(key, documents.text(other).orElseThrow());
        }
      }
    }
  }

  @Test
  default void missingValue_isSet_asBySet() {
    for (String json : documents()) {
      for (DocumentColumn documents : fx().executors()) {
        Object key = fx().row(json);
        Object other = fx().row(json);
        for (String text : DocumentReadContract.PATHS) {
          DocumentPath path = DocumentPath.parse(text);
          if (documents.at(key, path).exists()) {
            continue;
          }
          Throwable refused = catchThrowable(() -> documents.at(other, path).set(OTHER));
          if (refused == null) {
            assertThat(documents.at(key, path).setIfAbsent(OTHER)).as(text).isTrue();
          } else {
            assertThat(catchThrowable(() -> documents.at(key, path).setIfAbsent(OTHER)))
                .as(text)
                .hasSameClassAs(refused);
          }
        }
        fx().assertDocument(key, documents.text(other).orElseThrow());
      }
    }
  }

  @Test
  default void values_areComparedAsJsonb() {
    Object key =
        fx().row(
                "{\"a\": {\"x\": 1.0, \"y\": [1, {\"$pgtoaster\": 2}]}, \"n\": 12.50, \"z\": null}");
    for (DocumentColumn documents : fx().executors()) {
      JsonNode same = Json.readTree("{\"y\": [1.00, {\"$pgtoaster\": 2}], \"x\": 1}");
      assertThat(documents.at(key, "a").replaceIf(same, same)).isTrue();
      assertThat(documents.at(key, "n").replaceIf(Json.readTree("12.5"), Json.readTree("12.50")))
          .isTrue();
      assertThat(documents.at(key, "n").replaceIf("12.5", 1)).isFalse();
      assertThat(documents.at(key, "z").replaceIf(null, null)).isTrue();
      assertThat(documents.at(key, "missing").replaceIf(null, 1)).isFalse();
      assertThat(documents.at(key, "z").setIfAbsent(1)).isFalse();
    }
  }

  @Test
  default void keysThatLookLikeMarkers_areComparedUnescaped() {
    String json =
        "{\"$pgtoaster\": [1], \"text\": \"%s\", \"o\": {\"$pgtoaster\": 3, \"$$pgtoaster\": 4}}"
            .formatted(Documents.words(5, 9000));
    Object key = fx().row(json);
    for (DocumentColumn documents : fx().executors()) {
      for (String path : List.of("o", "$pgtoaster", "text", "o.$$pgtoaster", "o.$pgtoaster")) {
        DocumentPath steps = new DocumentPath(List.of(path.split("\\.")));
        JsonNode before = documents.at(key, steps).get().orElseThrow();
        assertThat(documents.at(key, steps).replaceIf(OTHER, 1)).isFalse();
        assertThat(documents.at(key, steps).replaceIf(before, OTHER)).isTrue();
        assertThat(documents.at(key, steps).replaceIf(OTHER, before)).isTrue();
      }
    }
    fx().assertDocument(key, json);
  }

  @Test
  default void nullColumn_hasNoValue() {
    for (DocumentColumn documents : fx().executors()) {
      Object key = fx().row();
      assertThat(documents.at(key, "a").replaceIf(1, 2)).isFalse();
      assertThat(documents.at(key, "a").removeIf(1)).isFalse();
      Expect.refused(PathNotFoundException.class, () -> documents.at(key, "a").setIfAbsent(1));
      DocumentPath root = DocumentPath.root();
      assertThat(documents.at(key, root).replaceIf(null, 1)).isFalse();
      assertThat(documents.at(key, root).setIfAbsent(OTHER)).isTrue();
      assertThat(documents.at(key, root).setIfAbsent(1)).isFalse();
      assertThat(documents.at(key, root).replaceIf(OTHER, 1)).isTrue();
      fx().assertDocument(key, "1");
      Expect.refused(
          RowNotFoundException.class, () -> documents.at(fx().unknownKey(), "a").replaceIf(1, 2));
    }
  }
}
