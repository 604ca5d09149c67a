package io.pgtoaster.it.jsonb.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Interleaves every kind of write with every other in a few ways. The committed writes have the
 * same result as if they had run one after another in some order.
 */
@Tag("ci")
class InterleavingMatrixIT extends InterleavingSuite {
  /** The percentage of interleavings to run; all of them would take a quarter of an hour. */
  private static final int CHANCES = Integer.getInteger("pgtoaster.test.interleavings", 6);

  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  private final Random random = new Random(SEED);
  private final Map<List<Writes>, String> serial = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private Object key;
  private DocumentColumn plain;
  private Session a;
  private Session b;
  private Session c;

  @BeforeEach
  void open() throws Exception {
    key = fx().row();
    plain = plain();
    wrong.clear();
  }

  private void sessions(int isolation) throws Exception {
    a = session("A", isolation);
    b = session("B", isolation);
    c = session("C", isolation);
  }

  private void restart() {
    fx().own().putJson(key, Writes.document(0, 20));
  }

  /** Returns the text of plain jsonb after some writes. */
  private String after(List<Writes> writes) throws Exception {
    String known = serial.get(writes);
    if (known == null) {
      // The text before the last write is often in the cache already.
      int last = writes.size() - 1;
      String before = last == 0 ? Writes.document(0, 20) : after(writes.subList(0, last));
      if (before.equals("NULL")) {
        plain.clear(key);
      } else {
        plain.putJson(key, before);
      }
      writes.get(last).on(plain, key);
      known = plain.text(key).orElse("NULL");
      serial.put(writes, known);
    }
    return known;
  }

  private static List<List<Writes>> orders(List<Writes> writes) {
    if (writes.size() < 2) {
      return List.of(writes);
    }
    List<List<Writes>> orders = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      List<Writes> others = new ArrayList<>(writes);
      Writes last = others.remove(i);
      for (List<Writes> order : orders(others)) {
        List<Writes> all = new ArrayList<>(order);
        all.add(last);
        orders.add(all);
      }
    }
    return orders;
  }

  private void check(String what, List<Writes> committed) throws Exception {
    List<String> findings = fx().own().verify(key);
    Optional<String> text = findings.isEmpty() ? fx().own().text(key) : Optional.empty();
    boolean found = false;
    String stored = text.map(fx()::canonical).orElse("NULL");
    List<List<Writes>> orders = orders(committed);
    for (int i = orders.size() - 1; i >= 0 && !found && findings.isEmpty(); i--) {
      found = after(orders.get(i)).equals(stored);
    }
    List<String> orphans = fx().orphans();
    if (!found || !findings.isEmpty() || !orphans.isEmpty()) {
      wrong.add(what + ", committed " + committed + ": " + findings + orphans);
    }
    if (!findings.isEmpty() || !orphans.isEmpty()) {
      fx().run("DELETE FROM item", "DELETE FROM " + fx().table("node"));
      key = fx().row();
    }
  }

  private Future<Boolean> committing(Session session, Writes write) {
    return Wait.start(
        () -> {
          boolean done = did(session, write);
          session.commits();
          return done;
        });
  }

  /** Returns false if another transaction has won the conflict. */
  private boolean did(Session session, Writes write) throws Exception {
    try {
      session.continues(
          documents -> {
            write.on(documents, key);
            return true;
          });
      return true;
    } catch (ConcurrencyException e) {
      session.rollsBack();
      return false;
    }
  }

  private void uncommitted(boolean commit) throws Exception {
    sessions(READ_COMMITTED);
    for (Writes first : Writes.all()) {
      for (Writes second : Writes.all()) {
        if (random.nextInt(100) >= CHANCES) {
          continue;
        }
        restart();
        List<Writes> committed = new ArrayList<>();
        assertThat(did(a, first)).isTrue();
        Future<Boolean> other = committing(b, second);
        b.settled(other);
        if (commit) {
          a.commits();
          committed.add(first);
        } else {
          a.rollsBack();
        }
        assertThat(Wait.get(other)).as("%s after %s", second, first).isTrue();
        committed.add(second);
        check(second + " while " + first + (commit ? " commits" : " rolls back"), committed);
      }
    }
    assertThat(wrong).as("seed %d", SEED).isEmpty();
  }

  @Test
  void twoTransactions_whenTheFirstCommits() throws Exception {
    uncommitted(true);
  }

  @Test
  void twoTransactions_whenTheFirstRollsBack() throws Exception {
    uncommitted(false);
  }

  private void overAnOldSnapshot(int isolation) throws Exception {
    sessions(isolation);
    for (Writes first : Writes.all()) {
      for (Writes second : Writes.all()) {
        if (random.nextInt(100) >= CHANCES) {
          continue;
        }
        restart();
        List<Writes> committed = new ArrayList<>();
        b.looks();
        assertThat(did(a, first)).isTrue();
        a.commits();
        committed.add(first);
        try {
          if (did(b, second)) {
            b.commits();
            committed.add(second);
          }
        } catch (SQLException e) {
          assertThat(e.getSQLState()).isEqualTo("40001");
          b.rollsBack();
        }
        check(second + " with a snapshot before " + first, committed);
      }
    }
    assertThat(wrong).as("seed %d", SEED).isEmpty();
  }

  @Test
  void twoTransactions_withAnOlderSnapshot() throws Exception {
    overAnOldSnapshot(REPEATABLE_READ);
  }

  @Test
  void twoTransactions_serializable() throws Exception {
    overAnOldSnapshot(SERIALIZABLE);
  }

  /** The waiting call has read the old state, and must continue with the state after the wait. */
  @Test
  void threeTransactions_whenOneWaitsWhileAnotherCommits() throws Exception {
    sessions(READ_COMMITTED);
    for (Writes holder : Writes.holders()) {
      for (Writes waiter : Writes.all()) {
        for (Writes other : Writes.all()) {
          boolean rollBack = random.nextBoolean();
          if (random.nextInt(400) < CHANCES) {
            three(holder, waiter, other, rollBack);
          }
        }
      }
    }
    assertThat(wrong).as("seed %d", SEED).isEmpty();
  }

  private void three(Writes holder, Writes waiter, Writes other, boolean rollBack)
      throws Exception {
    restart();
    List<Writes> committed = new ArrayList<>();
    assertThat(did(c, holder)).isTrue();
    Future<Boolean> first = committing(a, waiter);
    a.settled(first);
    Future<Boolean> second = committing(b, other);
    b.settled(second);
    if (rollBack) {
      c.rollsBack();
    } else {
      c.commits();
      committed.add(holder);
    }
    if (Wait.get(first)) {
      committed.add(waiter);
    }
    if (Wait.get(second)) {
      committed.add(other);
    }
    check(
        "%s waits for %s, which %s; meanwhile %s"
            .formatted(waiter, holder, rollBack ? "rolls back" : "commits", other),
        committed);
  }
}
