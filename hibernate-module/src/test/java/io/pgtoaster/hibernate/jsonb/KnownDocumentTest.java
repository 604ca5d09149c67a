package io.pgtoaster.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.hibernate.jsonb.KnownDocument.Found;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.JsonbText;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

class KnownDocumentTest {
  private static final String STUB =
      "{\"a\": 1, \"big\": {\"$pgtoaster\": 7}, \"$$pgtoaster\": 2, \"$pgtoaster\": [5]}";

  private static Found find(KnownDocument document, String path) {
    return document.find(DocumentPath.parse(path).steps());
  }

  private static void learn(KnownDocument document, String path, String json) {
    List<String> steps = DocumentPath.parse(path).steps();
    document.learn(
        steps, document.find(steps), Optional.ofNullable(json).map(t -> Json.readTree(t)));
  }

  @Test
  void stub_knowsOnlyItsOwnMembers() {
    KnownDocument document = KnownDocument.stub(STUB);
    assertThat(find(document, "a").value()).hasToString("1");
    assertThat(find(document, "$pgtoaster").value()).hasToString("2");
    assertThat(find(document, "none")).isEqualTo(find(document, "a.none"));
    assertThat(find(document, "none").known()).isTrue();
    assertThat(find(document, "big").known()).isFalse();
    assertThat(find(document, "big[0]").known()).isFalse();
    assertThat(document.whole()).isNull();
  }

  @Test
  void readMembers_completeTheDocument() {
    KnownDocument document = KnownDocument.stub(STUB);
    learn(document, "big[3]", "{\"x\": 1}");
    assertThat(find(document, "big[3].x").value()).hasToString("1");
    assertThat(find(document, "big[4]").known()).isFalse();
    learn(document, "big", "[0, 1]");
    assertThat(JsonbText.text(document.whole()))
        .isEqualTo("{\"a\": 1, \"big\": [0, 1], \"$pgtoaster\": 2}");
  }

  @Test
  void memberRemovedFromTheRow_isNotInTheOverflowBranch() {
    KnownDocument document = KnownDocument.stub("{\"a\": 1, \"$pgtoaster\": [5, 9]}");
    assertThat(document.change(new JsonEdit.Remove(DocumentPath.parse("a")))).isTrue();
    assertThat(find(document, "a")).isEqualTo(Found.of(null));
    assertThat(find(document, "b").known()).isFalse();
  }

  @Test
  void memberThatMayBeInTheOverflowBranch_isNotKnown() {
    KnownDocument document = KnownDocument.stub("{\"a\": 1, \"$pgtoaster\": [5, 9]}");
    assertThat(find(document, "a").known()).isTrue();
    assertThat(find(document, "b").known()).isFalse();
    learn(document, "b", null);
    assertThat(find(document, "b").known()).isTrue();
    assertThat(document.whole()).isNull();
  }

  @Test
  void changeOfAMovedMember_mustBeWrittenBeforeItIsRead() {
    KnownDocument document = KnownDocument.stub(STUB);
    learn(document, "big.x", "1");
    DocumentPath x = DocumentPath.parse("big.x");
    assertThat(find(document, "big").needsWriting()).isFalse();
    assertThat(document.change(new JsonEdit.Increment(x, BigDecimal.ONE))).isTrue();
    assertThat(find(document, "big.x").known()).isFalse();
    assertThat(find(document, "big").needsWriting()).isTrue();
    assertThat(document.change(new JsonEdit.Set(x, Json.readTree("5"), true))).isTrue();
    assertThat(find(document, "big.x").value()).hasToString("5");
    document.written();
    assertThat(find(document, "big").needsWriting()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mergedChanges_haveTheSameResultAsSingleOnes(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      String text = "{\"a\": {\"b\": 1, \"c\": [1, 2]}, \"d\": [{\"e\": 1}, 2], \"n\": 0}";
      JsonNode expected = Json.readTree(text);
      Changes changes = new Changes();
      for (int i = 0; i < 6; i++) {
        JsonEdit edit = edit(random);
        JsonNode before = io.pgtoaster.internal.json.JsonChanges.get(expected, edit.path().steps());
        ReadValue seen = new ReadValue(before == null ? null : JsonCopies.copy(before));
        try {
          var result = KnownDocument.apply(expected, edit, edit.path().steps());
          expected = result.root();
          if (result.applied()) {
            changes.add(new Change(edit, seen));
          }
        } catch (io.pgtoaster.error.PgToasterException e) {
          assertThat(e.sqlState()).isNotNull();
        }
      }
      JsonNode merged = Json.readTree(text);
      for (Change change : changes.list()) {
        List<String> path = change.edit().path().steps();
        merged = KnownDocument.apply(merged, change.edit(), path).root();
      }
      assertThat(JsonbText.text(merged))
          .as("seed %d, round %d: %s", seed, round, changes.list())
          .isEqualTo(JsonbText.text(expected));
    }
  }

  private static JsonEdit edit(Random random) {
    String[] paths = {
      "a", "a.b", "a.c", "a.c[0]", "a.c[3]", "d", "d[0]", "d[0].e", "d[1]", "n", "m"
    };
    DocumentPath path = DocumentPath.parse(paths[random.nextInt(paths.length)]);
    JsonNode value =
        Json.readTree(new String[] {"1", "[1]", "{\"b\": 2}", "null"}[random.nextInt(4)]);
    return switch (random.nextInt(6)) {
      case 0 -> new JsonEdit.Insert(path, value, random.nextBoolean());
      case 1 -> new JsonEdit.Remove(path);
      case 2 -> new JsonEdit.Increment(path, BigDecimal.ONE);
      case 3 -> new JsonEdit.Append(path, (ArrayNode) Json.readTree("[9]"));
      case 4 -> new JsonEdit.KeepLast(path, random.nextInt(3));
      default -> new JsonEdit.Set(path, value, true);
    };
  }
}
