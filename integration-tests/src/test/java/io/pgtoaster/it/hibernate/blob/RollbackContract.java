package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** A rollback discards the changes of the transaction. */
interface RollbackContract extends Suite {
  private void persistAndRollBack(Track track, boolean flush) {
    try (Session s = orm().factory().openSession()) {
      s.beginTransaction();
      s.persist(track);
      if (flush) {
        s.flush();
        track.audio().append(", lost");
      }
      s.getTransaction().rollback();
    }
  }

  @Test
  default void rolledBackEntity_canBePersistedAgain() throws Exception {
    Track track = tracks().make(AppendableBlob.of("kept"));
    persistAndRollBack(track, true);
    assertThat(tracks().database().number("SELECT count(*) FROM " + tracks().table())).isZero();
    persistAndRollBack(track, false);
    persistAndRollBack(track, true);
    inTransaction(s -> s.persist(track));
    assertThat(tracks().content(track.id)).isEqualTo("kept");
  }

  @Test
  default void rolledBackEntities_canBePersistedAgain() throws Exception {
    List<Track> many =
        IntStream.range(0, 8).mapToObj(i -> tracks().make(AppendableBlob.of("n" + i))).toList();
    try (Session s = orm().factory().openSession()) {
      s.beginTransaction();
      many.forEach(s::persist);
      s.flush();
      s.getTransaction().rollback();
    }
    many.get(2).audio().append("!");
    inTransaction(s -> many.forEach(s::persist));
    assertThat(many.stream().map(t -> tracks().content(t.id)))
        .containsExactly("n0", "n1", "n2!", "n3", "n4", "n5", "n6", "n7");
  }

  @Test
  default void sessionClosedInItsTransaction_rollsBack() throws Exception {
    Track track = tracks().make(AppendableBlob.of("kept"));
    try (Session s = orm().factory().openSession()) {
      s.beginTransaction();
      s.persist(track);
      s.flush();
    }
    inTransaction(s -> s.persist(track));
    assertThat(tracks().content(track.id)).isEqualTo("kept");
  }

  @Test
  default void streamOfARolledBackEntity_cannotBePersistedAgain() throws Exception {
    Track track = tracks().make(AppendableBlob.of(new ByteArrayInputStream(new byte[10])));
    persistAndRollBack(track, true);
    assertThatThrownBy(() -> inTransaction(s -> s.persist(track)))
        .hasStackTraceContaining("new AppendableBlob with a new stream");
    track.audio(AppendableBlob.of("again"));
    inTransaction(s -> s.persist(track));
    assertThat(tracks().content(track.id)).isEqualTo("again");
  }

  @Test
  default void rolledBackChanges_keepTheContent() throws Exception {
    long id = tracks().persisted("kept");
    for (int i = 0; i < 3; i++) {
      int what = i;
      try (Session s = orm().factory().openSession()) {
        s.beginTransaction();
        Track track = find(s, id);
        if (what == 0) {
          track.audio().append("lost");
        } else {
          track.audio(what == 1 ? null : AppendableBlob.of("lost"));
        }
        s.flush();
        s.getTransaction().rollback();
      }
      assertThat(tracks().content(id)).isEqualTo("kept");
      assertThat(tracks().version(id)).isZero();
    }
  }

  @Test
  default void session_continuesInItsNextTransaction() throws Exception {
    long id = tracks().persisted("a");
    try (Session s = orm().factory().openSession()) {
      s.beginTransaction();
      AppendableBlob audio = audio(s, id);
      audio.append("lost");
      s.getTransaction().rollback();
      s.beginTransaction();
      AppendableBlob again = audio(s, id);
      again.append("b");
      s.getTransaction().commit();
      s.beginTransaction();
      again.append("c");
      s.getTransaction().commit();
    }
    assertThat(tracks().content(id)).isEqualTo("abc");
  }
}
