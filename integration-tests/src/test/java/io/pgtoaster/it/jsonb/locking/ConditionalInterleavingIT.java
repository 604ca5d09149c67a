package io.pgtoaster.it.jsonb.locking;

import static io.pgtoaster.it.kit.Session.doing;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Session.Step;
import io.pgtoaster.it.kit.Wait;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Conditional edits of values in the row, in a leaf and in separate branches. */
class ConditionalInterleavingIT extends InterleavingSuite {
  /** Paths in the row, in a leaf of an array, in a leaf of an object, and below inline members. */
  private static final List<String> SMALL = List.of("n", "list[2].no", "map.k003.no", "deep.in.n");

  /** Paths of values that are stored out of line, completely or partly. */
  private static final List<String> LARGE = List.of("list", "map", "deep.in.rows", "deep", "text");

  private Object key;
  private Session a;
  private Session b;

  @BeforeEach
  void open() throws Exception {
    key = fx().row(Writes.document(0, 60));
    sessions(READ_COMMITTED);
  }

  private void sessions(int isolation) throws Exception {
    a = session("A", isolation);
    b = session("B", isolation);
  }

  private JsonNode now(String path) {
    return fx().own().at(key, path).get().orElseThrow();
  }

  @Test
  void secondOfTwoEditsThatExpectTheSameValue_conflicts() throws Exception {
    for (String path : SMALL) {
      JsonNode before = now(path);
      a.runs(d -> d.at(key, path).replaceIf(before, "by A"));
      Step<Boolean> second = b.waits(d -> d.at(key, path).replaceIf(before, "by B"), a);
      a.commits();
      assertThat(second.continues()).as(path).isFalse();
      b.commits();
      assertThat(now(path).asString()).isEqualTo("by A");
    }
  }

  @Test
  void secondOfTwoEditsThatExpectTheSameValue_winsAfterARollback() throws Exception {
    for (String path : SMALL) {
      JsonNode before = now(path);
      a.runs(d -> d.at(key, path).removeIf(before));
      Step<Boolean> second = b.waits(d -> d.at(key, path).replaceIf(before, "by B"), a);
      a.rollsBack();
      assertThat(second.continues()).as(path).isTrue();
      b.commits();
      assertThat(now(path).asString()).isEqualTo("by B");
    }
  }

  @Test
  void changesNextToTheValue_areNotAConflict() throws Exception {
    for (List<String> paths :
        List.of(
            List.of("n", "s"),
            List.of("list[2].no", "list[2].t"),
            List.of("map.k003.no", "map.k003.t"))) {
      JsonNode first = now(paths.get(0));
      JsonNode second = now(paths.get(1));
      a.runs(d -> d.at(key, paths.get(0)).replaceIf(first, 4711));
      Step<Boolean> beside = b.waits(d -> d.at(key, paths.get(1)).replaceIf(second, "by B"), a);
      a.commits();
      assertThat(beside.continues()).as(paths.toString()).isTrue();
      b.commits();
      assertThat(now(paths.get(0)).intValue()).isEqualTo(4711);
      assertThat(now(paths.get(1)).asString()).isEqualTo("by B");
    }
  }

  @Test
  void memberAddedByAnotherTransaction_conflictsWithAddingIt() throws Exception {
    for (String path : List.of("added", "map.k003.added", "deep.in.added", "list[2].added")) {
      a.runs(d -> d.at(key, path).setIfAbsent("by A"));
      Step<Boolean> second = b.waits(d -> d.at(key, path).setIfAbsent("by B"), a);
      a.commits();
      assertThat(second.continues()).as(path).isFalse();
      b.commits();
      assertThat(now(path).asString()).isEqualTo("by A");
    }
  }

  @Test
  void changeWithinABranch_conflictsWithReplacingIt() throws Exception {
    for (String[] of :
        new String[][] {
          {"list", "list[2].t"}, {"map", "map.k003.no"}, {"deep", "deep.in.rows[50].no"}
        }) {
      JsonNode before = now(of[0]);
      a.runs(doing(d -> d.at(key, of[1]).set("by A")));
      Step<Boolean> whole = b.waits(d -> d.at(key, of[0]).replaceIf(before, "by B"), a);
      a.commits();
      assertThat(whole.continues()).as(of[0]).isFalse();
      b.commits();
      assertThat(now(of[1]).asString()).isEqualTo("by A");
      fx().own().at(key, of[0]).set(before);
      a.runs(doing(d -> d.at(key, of[1]).set("by A")));
      Step<Boolean> removed = b.waits(d -> d.at(key, of[0]).removeIf(before), a);
      a.rollsBack();
      assertThat(removed.continues()).as(of[0]).isTrue();
      b.commits();
      assertThat(fx().own().at(key, of[0]).exists()).isFalse();
    }
  }

  @Test
  void branchReplacedByAnotherTransaction_conflicts() throws Exception {
    for (String path : LARGE) {
      JsonNode before = now(path);
      a.runs(d -> d.at(key, path).replaceIf(before, Documents.words(3, 4000)));
      Step<Boolean> second = b.waits(d -> d.at(key, path).removeIf(before), a);
      a.commits();
      assertThat(second.continues()).as(path).isFalse();
      b.commits();
      assertThat(now(path).asString()).isEqualTo(Documents.words(3, 4000));
    }
  }

  @Test
  void putOfTheSameValue_isNotAConflict() throws Exception {
    a.runs(d -> d.putJson(key, Writes.document(0, 61)));
    Step<Boolean> second =
        b.waits(d -> d.at(key, "list[2].no").replaceIf(Json.readTree("2"), "by B"), a);
    a.commits();
    assertThat(second.continues()).isTrue();
    b.commits();
    assertThat(now("list[2].no").asString()).isEqualTo("by B");
  }

  @Test
  void changeAfterTheSnapshot_isASerializationFailure() throws Exception {
    for (int isolation : new int[] {REPEATABLE_READ, SERIALIZABLE}) {
      for (String path : List.of("n", "list[2].no", "list", "deep")) {
        sessions(isolation);
        JsonNode before = now(path);
        b.looks();
        String changed =
            path.equals("list") ? "list[2].no" : path.equals("deep") ? "deep.in.n" : path;
        a.runs(d -> d.at(key, changed).increment(1));
        a.commits();
        Step<Boolean> late = b.starts(d -> d.at(key, path).replaceIf(before, "by B"));
        assertThat(late.fails(ConcurrencyException.class).sqlState()).as(path).isEqualTo("40001");
        b.rollsBack();
      }
    }
  }

  @Test
  void countersByCompareAndSet_loseNothing() throws Exception {
    for (String path : SMALL) {
      long start = now(path).longValue();
      Wait.inThreads(
          4,
          thread -> {
            for (int i = 0; i < 10; i++) {
              JsonNode seen;
              do {
                seen = now(path);
              } while (!fx().own().at(key, path).replaceIf(seen, seen.longValue() + 1));
            }
          });
      assertThat(now(path).longValue()).as(path).isEqualTo(start + 40);
    }
  }
}
