package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Several connections work on one document at the same time and lose nothing. */
interface DocumentConcurrencyContract extends DocumentContract {
  int THREADS = 6;

  /** The work of one of several threads. */
  @FunctionalInterface
  interface Work {
    void run(DocumentColumn documents, int thread) throws Exception;
  }

  private void inThreads(Work work) throws Exception {
    Wait.inThreads(THREADS, thread -> work.run(fx().documents(), thread));
  }

  @Test
  default void concurrentIncrements_ofOneNumber_areAllApplied() throws Exception {
    for (String json : List.of("{\"n\": 0}", "{}", Documents.big(30))) {
      Object key = fx().row(json);
      String path = json.length() > 100 ? "deep.a.b.n" : "n";
      long before = fx().own().at(key, path).get(Long.class).orElse(0L);
      inThreads(
          (documents, thread) -> {
            for (int i = 0; i < 40; i++) {
              documents.at(key, path).increment(thread + 1);
            }
          });
      assertThat(fx().own().at(key, path).get(Long.class))
          .contains(before + 40L * THREADS * (THREADS + 1) / 2);
      assertThat(fx().own().verify(key)).isEmpty();
    }
  }

  @Test
  default void concurrentAppends_toOneArray_areAllStoredInOrder() throws Exception {
    Object key = fx().row("{\"log\": [], \"x\": 1}");
    inThreads(
        (documents, thread) -> {
          for (int i = 0; i < 40; i++) {
            documents.at(key, "log").append("%d-%d of some length".formatted(thread, i));
          }
        });
    List<String> log =
        fx().own()
            .at(key, "log")
            .get()
            .orElseThrow()
            .valueStream()
            .map(JsonNode::stringValue)
            .toList();
    assertThat(log).hasSize(40 * THREADS);
    for (int thread = 0; thread < THREADS; thread++) {
      String start = thread + "-";
      assertThat(log.stream().filter(s -> s.startsWith(start)).toList())
          .containsExactlyElementsOf(
              IntStream.range(0, 40).mapToObj(i -> start + i + " of some length").toList());
    }
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 100})
  default void concurrentAppendsKeepingTheLast_neverLeaveMore(int elements) throws Exception {
    Object key = fx().row(Documents.big(20));
    fx().own().at(key, "log").set(List.of());
    inThreads(
        (documents, thread) -> {
          for (int i = 0; i < 40; i++) {
            String added = "%d-%d %s".formatted(thread, i, "x".repeat(i % 9 == 0 ? 700 : 40));
            documents.at(key, "log").appendKeepingLast(elements, added);
            assertThat(documents.at(key, "log").size().orElse(-1)).isLessThanOrEqualTo(elements);
          }
        });
    assertThat(fx().own().at(key, "log").size()).hasValue(elements);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void concurrentInsertsAndRemoves_inOneArray_leaveTheRightElements() throws Exception {
    Object key = fx().row("{\"list\": [\"end\"]}");
    inThreads(
        (documents, thread) -> {
          for (int i = 0; i < 30; i++) {
            documents.at(key, "list[0]").insert("%d-%d %s".formatted(thread, i, "x".repeat(40)));
            if (i % 3 == 2) {
              assertThat(documents.at(key, "list[0]").remove()).isTrue();
            }
          }
        });
    assertThat(fx().own().at(key, "list").size()).hasValue(20 * THREADS + 1);
    assertThat(fx().own().at(key, "list[-1]").get(String.class)).contains("end");
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void concurrentlyAddedMembers_areAllStored() throws Exception {
    Object key = fx().row("{\"all\": {}}");
    inThreads(
        (documents, thread) -> {
          for (int i = 0; i < 30; i++) {
            DocumentPath path = DocumentPath.of("all", thread + " " + i);
            documents.at(key, path).set("x".repeat(50));
            documents.at(key, DocumentPath.of(path.steps().get(1))).set(i);
            if (i % 5 == 4) {
              assertThat(documents.at(key, path).remove()).isTrue();
            }
          }
        });
    assertThat(fx().own().at(key, "all").size()).hasValue(24 * THREADS);
    assertThat(fx().own().at(key, "").size()).hasValue(30 * THREADS + 1);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void concurrentPuts_leaveExactlyOneOfTheDocuments() throws Exception {
    Object key = fx().row("{\"shared\": 0}");
    inThreads(
        (documents, thread) -> {
          for (int i = 0; i < 10; i++) {
            documents.putJson(key, document(thread, i));
            documents.at(key, "list").append(i);
            documents.at(key, "item " + thread).set(Documents.words(i, 700));
            documents.at(key, "item " + i).remove();
            documents.putJson(key, document(thread, i));
          }
        });
    String found = fx().document(key);
    List<String> possible = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      possible.add(fx().canonical(document(thread, 9)));
    }
    assertThat(possible).contains(found);
    assertThat(fx().own().verify(key)).isEmpty();
    assertThat(fx().orphans()).isEmpty();
  }

  private static String document(int thread, int number) {
    StringBuilder s = new StringBuilder("{\"thread\": %d, \"list\": [".formatted(thread));
    for (int i = 0; i < 40 * (thread + 1); i++) {
      s.append(i == 0 ? "" : ", ").append("\"%d of %d\"".formatted(i, thread));
    }
    s.append("]");
    for (int i = 0; i < 10; i++) {
      s.append(", \"item %d\": {\"text\": \"%s\"}".formatted(i, Documents.words(thread, 300)));
    }
    return s.append(", \"number\": %d}".formatted(number)).toString();
  }

  @Test
  default void writersOfOneDocument_takeTurns() throws Exception {
    Object key = fx().row("{\"n\": 1}");
    Connection connection = fx().begin();
    fx().on(connection).at(key, "n").increment(10);
    DocumentColumn documents = fx().documents();
    Future<BigDecimal> second = Wait.start(() -> documents.at(key, "n").increment(100));
    fx().database().awaitLockWaiters(1);
    connection.commit();
    assertThat(Wait.get(second)).isEqualByComparingTo("111");
    fx().assertDocument(key, "{\"n\": 111}");
  }

  @Test
  default void writersOfDifferentDocuments_neverWait() throws Exception {
    Object busy = fx().row(Documents.big(30));
    Object other = fx().row(Documents.big(30));
    Connection connection = fx().begin();
    DocumentColumn writer = fx().on(connection);
    writer.putJson(busy, Documents.big(40));
    writer.at(busy, "items").append(1);
    writer.mergeJson(busy, "{\"a\": 1}");
    DocumentColumn impatient = fx().impatient();
    assertThat(impatient.text(busy).map(Documents::canonical))
        .contains(fx().canonical(Documents.big(30)));
    impatient.at(other, "items[3]").set(Documents.words(1, 9000));
    impatient.putJson(other, Documents.big(10));
    impatient.mergeJson(other, "{\"a\": 1}");
    impatient.clear(other);
    connection.commit();
  }

  @Test
  default void readers_duringWrites_seeWholeDocuments() throws Exception {
    Object key = fx().row(document(0, 0));
    inThreads(
        (documents, thread) -> {
          for (int i = 0; i < 15; i++) {
            if (thread % 2 == 0) {
              documents.putJson(key, document(thread, i));
            } else {
              JsonNode seen = documents.load(key).orElseThrow();
              int by = seen.get("thread").intValue();
              assertThat(seen.get("list").size()).isEqualTo(40 * (by + 1));
            }
          }
        });
    assertThat(fx().own().verify(key)).isEmpty();
  }
}
