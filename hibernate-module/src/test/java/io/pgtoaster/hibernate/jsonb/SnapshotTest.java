package io.pgtoaster.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.internal.json.Json;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SnapshotTest {
  private static final JsonNode HAD = Json.readTree("{\"n\": 1, \"s\": [\"a\", \"z\"]}");

  private static List<Change> changes(String now, String stored, Conflicts conflicts) {
    List<Change> changes =
        Snapshot.partial(new Object(), HAD)
            .changes(Json.readTree(now), JsonNode.class, Mappers.SHARED, conflicts, () -> stored);
    assertThat(changes).isNotNull();
    return changes;
  }

  @Test
  void objectOfUnknownOrigin_expectsTheStoredDocument() {
    List<Change> changes =
        changes(
            "{\"n\": 2, \"s\": [\"z\"]}",
            "{\"n\": 1, \"s\": [\"a\", \"z\"], \"u\": 1}",
            Conflicts.DETECT);
    assertThat(changes)
        .extracting(c -> c.edit().path().toString())
        .containsExactlyInAnyOrder("s[0]", "n");
    assertThat(changes)
        .extracting(Change::seen)
        .containsExactlyInAnyOrder(new ReadValue(HAD.get("n")), new ReadValue(HAD.get("s").get(0)));
  }

  @Test
  void objectOfUnknownOrigin_expectsItsOldValuesWhereTheyChanged() {
    List<Change> changes =
        changes("{\"n\": 2, \"s\": [\"a\", \"z\"]}", "{\"n\": 5}", Conflicts.DETECT);
    assertThat(changes).extracting(Change::seen).containsExactly(new ReadValue(HAD.get("n")));
  }

  @Test
  void objectOfUnknownOrigin_doesNotUsePositionsOfAnotherArray() {
    for (Conflicts conflicts : Conflicts.values()) {
      List<Change> changes =
          changes("{\"n\": 1, \"s\": [\"z\"]}", "{\"n\": 1, \"s\": [\"z\", \"a\"]}", conflicts);
      assertThat(changes)
          .extracting(Change::edit)
          .singleElement()
          .isInstanceOf(JsonEdit.Set.class)
          .extracting(e -> e.path().toString())
          .isEqualTo("s");
      ReadValue seen = changes.get(0).seen();
      assertThat(seen)
          .isEqualTo(conflicts == Conflicts.DETECT ? new ReadValue(HAD.get("s")) : null);
    }
  }

  @Test
  void rootArrayInAnotherOrder_isReplacedIfTheOldOneIsStillStored() {
    JsonNode stored = Json.readTree("[\"z\", \"a\"]");
    Snapshot snapshot = Snapshot.partial(new Object(), Json.readTree("[\"a\", \"z\"]"));
    List<Change> changes =
        snapshot.changes(
            Json.readTree("[\"z\"]"),
            TreeSet.class,
            Mappers.SHARED,
            Conflicts.DETECT,
            stored::toString);
    assertThat(changes).extracting(Change::seen).containsExactly(new ReadValue(stored));
  }
}
