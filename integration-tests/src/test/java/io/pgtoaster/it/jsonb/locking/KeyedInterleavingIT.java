package io.pgtoaster.it.jsonb.locking;

import static io.pgtoaster.it.kit.Session.doing;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.PutResult;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Session.Step;
import io.pgtoaster.it.kit.Wait;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Savepoint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks which calls wait for each other, and their results. */
class KeyedInterleavingIT extends InterleavingSuite {
  private Object key;
  private Session a;
  private Session b;
  private Session c;

  @BeforeEach
  void open() throws Exception {
    key = fx().row(Writes.document(0, 60));
    sessions(READ_COMMITTED);
  }

  private void sessions(int isolation) throws Exception {
    a = session("A", isolation);
    b = session("B", isolation);
    c = session("C", isolation);
  }

  private String text(String path) {
    return fx().own().at(key, path).text().orElse(null);
  }

  private Optional<String> document(Session session) throws Exception {
    return session.runs(d -> d.text(key));
  }

  @Test
  void setsInTwoLeaves_doNotWait() throws Exception {
    a.runs(doing(d -> d.at(key, "list[2].t").set("by A")));
    b.runs(doing(d -> d.at(key, "list[-2].t").set(Json.readTree("[\"by B\"]"))));
    c.runs(doing(d -> d.at(key, "map.k030").set("by C")));
    a.commits();
    c.commits();
    b.commits();
    assertThat(text("list[2].t")).isEqualTo("\"by A\"");
    assertThat(text("list[-2].t")).isEqualTo("[\"by B\"]");
    assertThat(text("map.k030")).isEqualTo("\"by C\"");
  }

  @Test
  void incrementsInOneLeaf_queue() throws Exception {
    a.runs(d -> d.at(key, "list[2].no").increment(10));
    Step<BigDecimal> second = b.waits(d -> d.at(key, "list[2].no").increment(100), a);
    a.commits();
    assertThat(second.continues()).isEqualTo(BigDecimal.valueOf(112));
    Step<Boolean> third = c.waits(doing(d -> d.at(key, "list[1]").set(Json.readTree("[1]"))), b);
    b.commits();
    assertThat(third.continues()).isTrue();
    c.commits();
    assertThat(text("list[2].no")).isEqualTo("112");
    assertThat(text("list[1]")).isEqualTo("[1]");
  }

  @Test
  void incrementsInOneLeaf_failAtRepeatableRead() throws Exception {
    for (int isolation : new int[] {REPEATABLE_READ, SERIALIZABLE}) {
      sessions(isolation);
      b.looks();
      a.runs(d -> d.at(key, "list[2].no").increment(10));
      Step<BigDecimal> second = b.waits(d -> d.at(key, "list[2].no").increment(100), a);
      a.commits();
      assertThat(second.fails(ConcurrencyException.class).sqlState()).isEqualTo("40001");
      b.rollsBack();
    }
    assertThat(text("list[2].no")).isEqualTo("22");
  }

  @Test
  void appendsAndInserts_queueAndCount() throws Exception {
    a.runs(doing(d -> d.at(key, "list").append(Documents.words(1, 300))));
    Step<Boolean> second =
        b.waits(doing(d -> d.at(key, "list").append(Documents.words(2, 300))), a);
    a.commits();
    assertThat(second.continues()).isTrue();
    Step<Boolean> third = c.waits(doing(d -> d.at(key, "list[-1]").insert("third")), b);
    b.commits();
    assertThat(third.continues()).isTrue();
    c.commits();
    assertThat(fx().own().at(key, "list").size()).hasValue(63);
    assertThat(text("list[-2]")).isEqualTo("\"third\"");
    a.runs(doing(d -> d.at(key, "list[0]").insert("first")));
    Step<Boolean> inserted = b.waits(doing(d -> d.at(key, "list[0]").insert("before")), a);
    a.rollsBack();
    assertThat(inserted.continues()).isTrue();
    b.commits();
    assertThat(fx().own().at(key, "list").size()).hasValue(64);
    assertThat(text("list[0]")).isEqualTo("\"before\"");
  }

  @Test
  void setAfterAnInsert_changesTheElementNowAtItsPosition() throws Exception {
    a.runs(doing(d -> d.at(key, "list[0]").insert("new")));
    b.runs(doing(d -> d.at(key, "list[50].t").set("by B")));
    Step<Boolean> same = c.waits(doing(d -> d.at(key, "list[1].t").set("by C")), a);
    a.commits();
    assertThat(same.continues()).isTrue();
    b.commits();
    c.commits();
    assertThat(text("list[51].t")).isEqualTo("\"by B\"");
    assertThat(text("list[1].t")).isEqualTo("\"by C\"");
  }

  @Test
  void removedArray_includesConcurrentAppends() throws Exception {
    a.runs(
        doing(d -> d.at(key, "list").append(Documents.words(1, 4000), Documents.words(2, 4000))));
    Step<Boolean> removed = b.waits(d -> d.at(key, "list").remove(), a);
    a.commits();
    assertThat(removed.continues()).isTrue();
    Step<Boolean> late = c.waits(doing(d -> d.at(key, "list").append(1)), b);
    b.commits();
    late.fails(PathNotFoundException.class);
    c.commits();
    assertThat(text("list")).isNull();
  }

  @Test
  void removedParent_existsAfterRollback() throws Exception {
    a.runs(d -> d.at(key, "deep").remove());
    Step<Boolean> deep = b.waits(doing(d -> d.at(key, "deep.in.rows[3].t").set("by B")), a);
    Step<Boolean> parent = c.waits(doing(d -> d.at(key, "deep").set(1)));
    a.rollsBack();
    // The two executors wait for different locks of A, so the order is undefined.
    Wait.until("one of them goes on", () -> deep.isDone() || parent.isDone());
    if (deep.isDone()) {
      assertThat(deep.continues()).isTrue();
      b.commits();
      assertThat(parent.continues()).isTrue();
      c.rollsBack();
    } else {
      assertThat(parent.continues()).isTrue();
      c.rollsBack();
      assertThat(deep.continues()).isTrue();
      b.commits();
    }
    assertThat(text("deep.in.rows[3].t")).isEqualTo("\"by B\"");
  }

  @Test
  void put_andWriters_waitForEachOther() throws Exception {
    a.runs(doing(d -> d.at(key, "list[2].t").set("by A")));
    Step<PutResult> put = b.waits(d -> d.putJson(key, Writes.document(1, 60)), a);
    a.commits();
    put.continues();
    Step<Boolean> set = c.waits(doing(d -> d.at(key, "list[4].t").set("by C")), b);
    Step<Boolean> append = a.waits(doing(d -> d.at(key, "list").append("by A")), b);
    b.commits();
    assertThat(set.continues()).isTrue();
    c.commits();
    assertThat(append.continues()).isTrue();
    a.commits();
    plain().putJson(key, Writes.document(1, 60));
    plain().at(key, "list[4].t").set("by C");
    plain().at(key, "list").append("by A");
    assertThat(fx().document(key)).isEqualTo(plain().text(key).orElseThrow());
  }

  @Test
  void writerPutAndWriter_allFinish() throws Exception {
    a.runs(doing(d -> d.at(key, "list[2]").set("by A")));
    Step<PutResult> put = b.waits(d -> d.putJson(key, Writes.document(5, 60)), a);
    Step<Boolean> set = c.starts(doing(d -> d.at(key, "list[2]").set("by C")));
    set.settled();
    a.commits();
    // Their order is undefined, and one waits until the other commits.
    Wait.until("one goes on", () -> put.isDone() || set.isDone());
    if (put.isDone()) {
      put.continues();
      b.commits();
      assertThat(set.continues()).isTrue();
      c.commits();
      assertThat(text("list[2]")).isEqualTo("\"by C\"");
    } else {
      assertThat(set.continues()).isTrue();
      c.commits();
      put.continues();
      b.commits();
      assertThat(text("list[2].no")).isEqualTo("7");
    }
  }

  @Test
  void plainUpdateOfAnInlineMember_andWritersOfLeaves_doNotWait() throws Exception {
    a.sql("UPDATE item SET doc = jsonb_set(doc, '{n}', '5')" + fx().where(key));
    b.runs(doing(d -> d.at(key, "list[2].t").set("by B")));
    Step<BigDecimal> same = c.waits(d -> d.at(key, "n").increment(10), a);
    a.commits();
    assertThat(same.continues()).isEqualTo(BigDecimal.valueOf(15));
    c.commits();
    b.commits();
    assertThat(text("n")).isEqualTo("15");
    assertThat(text("list[2].t")).isEqualTo("\"by B\"");
  }

  @Test
  void deletedRow_deletesConcurrentAdditions() throws Exception {
    for (String sql : List.of("UPDATE item SET doc = NULL", "DELETE FROM item")) {
      a.runs(doing(d -> d.at(key, "list").append(Documents.words(1, 4000))));
      b.sql(sql + fx().where(key));
      Future<Session> end = Wait.start(b::commits);
      assertThat(b.settled(end)).isFalse();
      a.runs(doing(d -> d.at(key, "list").append(Documents.words(2, 4000))));
      a.commits();
      Wait.get(end);
      assertThat(fx().number("SELECT count(*) FROM " + fx().table("node"))).isZero();
      key = fx().row(Writes.document(0, 60));
    }
  }

  @Test
  void deletedRow_existsAfterRollback() throws Exception {
    a.sql("DELETE FROM item" + fx().where(key));
    b.runs(doing(d -> d.at(key, "list[2].t").set("by B")));
    Step<Boolean> inline = c.waits(doing(d -> d.at(key, "s").set("by C")), a);
    a.rollsBack();
    assertThat(inline.continues()).isTrue();
    b.commits();
    c.commits();
    assertThat(text("list[2].t")).isEqualTo("\"by B\"");
    assertThat(text("s")).isEqualTo("\"by C\"");
  }

  /** An UPDATE that waits for such a change also updates no row. */
  @Test
  void changedKey_keepsItsDocument_andWaitingEditsFindNoRow() throws Exception {
    a.sql("UPDATE item SET id = 4711" + fx().where(key));
    Object old = key;
    Step<Boolean> set = b.waits(doing(d -> d.at(old, "list[2].t").set("by B")), a);
    Step<Boolean> inserted = c.waits(doing(d -> d.at(old, "list[0]").insert("by C")), a);
    a.commits();
    set.fails(RowNotFoundException.class);
    inserted.fails(RowNotFoundException.class);
    b.rollsBack();
    c.rollsBack();
    key = 4711L;
    assertThat(fx().own().at(key, "list").size()).hasValue(60);
    b.runs(doing(d -> d.at(key, "list[2].t").set("by B")));
    b.commits();
    assertThat(text("list[2].t")).isEqualTo("\"by B\"");
  }

  @Test
  void readers_seeAConsistentCommittedState() throws Exception {
    Session kept = session("D", REPEATABLE_READ).looks();
    String before = fx().document(key);
    InputStream open = c.runs(d -> d.stream(key)).orElseThrow();
    a.runs(doing(d -> d.at(key, "list[3]").insert(Documents.words(1, 3000))));
    a.runs(d -> d.at(key, "map").remove());
    assertThat(document(b)).contains(before);
    b.runs(d -> d.verify(key));
    a.commits();
    fx().own().putJson(key, Writes.document(9, 30));
    assertThat(new String(open.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(before);
    assertThat(document(kept)).contains(before);
    assertThat(kept.continues(d -> d.at(key, "map").size()).getAsLong()).isEqualTo(60);
    List<String> findings = kept.runs(d -> d.verify(key));
    assertThat(findings).isEmpty();
    assertThat(document(b)).contains(fx().canonical(Writes.document(9, 30)));
    fx().own().clear(key);
    assertThat(document(kept)).contains(before);
    assertThat(document(b)).isEmpty();
  }

  @Test
  void rollbackToSavepoint_undoesLaterEdits() throws Exception {
    a.runs(doing(d -> d.at(key, "list[2].t").set("stays")));
    Savepoint savepoint = a.connection().setSavepoint();
    a.runs(d -> d.at(key, "list").remove());
    a.runs(d -> d.putJson(key, "{\"x\": [1]}"));
    a.runs(doing(d -> d.at(key, "x").append(1)));
    a.connection().rollback(savepoint);
    Step<Boolean> other = b.waits(doing(d -> d.at(key, "list[2].t").set(Json.readTree("[1]"))), a);
    a.runs(doing(d -> d.at(key, "list").append("stays too")));
    a.commits();
    assertThat(other.continues()).isTrue();
    b.commits();
    assertThat(text("list[2].t")).isEqualTo("[1]");
    assertThat(text("list[-1]")).isEqualTo("\"stays too\"");
  }

  /** A deadlock rolls back one of the callers' transactions. */
  @Test
  void leavesInOppositeOrder_failOneTransaction() throws Exception {
    a.runs(doing(d -> d.at(key, "list[2].t").set("by A")));
    b.runs(doing(d -> d.at(key, "map.k040.t").set("by B")));
    Step<Boolean> first = a.waits(doing(d -> d.at(key, "map.k040.t").set("by A")), b);
    Step<Boolean> second = b.starts(doing(d -> d.at(key, "list[2].t").set("by B")));
    boolean gaveWay = gaveWay(first);
    assertThat(gaveWay(second)).isNotEqualTo(gaveWay);
    (gaveWay ? a : b).rollsBack();
    (gaveWay ? b : a).commits();
    assertThat(text("list[2].t")).isEqualTo(gaveWay ? "\"by B\"" : "\"by A\"");
    assertThat(text("map.k040.t")).isEqualTo(text("list[2].t"));
  }

  private static boolean gaveWay(Step<Boolean> step) throws Exception {
    try {
      assertThat(step.continues()).isTrue();
      return false;
    } catch (ConcurrencyException e) {
      assertThat(e.sqlState()).isEqualTo("40P01");
      return true;
    }
  }

  @Test
  void librarysTransactions_inOppositeOrder_areRetried() throws Exception {
    Wait.inThreads(
        4,
        thread -> {
          String patch =
              thread % 2 == 0
                  ? "[{\"op\": \"add\", \"path\": \"/list/-\", \"value\": 1}, {\"op\": \"add\", \"path\": \"/deep/in/rows/-\", \"value\": 1}]"
                  : "[{\"op\": \"add\", \"path\": \"/deep/in/rows/-\", \"value\": 1}, {\"op\": \"add\", \"path\": \"/list/-\", \"value\": 1}]";
          for (int i = 0; i < 8; i++) {
            fx().own().patchJson(key, patch);
          }
        });
    assertThat(fx().own().at(key, "list").size()).hasValue(92);
    assertThat(fx().own().at(key, "deep.in.rows").size()).hasValue(92);
  }

  @Test
  void setInALeafOfAnObject_doesNotWriteTheNodesAbove() {
    String versions =
        "SELECT string_agg(n.id || ':' || n.version, ',' ORDER BY n.id) FROM %s n WHERE n.value IS NULL"
            .formatted(fx().table("node"));
    String before = fx().string(versions);
    assertThat(before).isNotEmpty();
    fx().own().at(key, "map.k003").set(Json.readTree("[1, 2]"));
    fx().own().at(key, "map.k013.t").set("short");
    assertThat(fx().string(versions)).isEqualTo(before);
  }
}
