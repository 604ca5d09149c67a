package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import jakarta.persistence.OptimisticLockException;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Two sessions do not lose each other's content. */
interface IsolationContract extends Suite {
  @Test
  default void staleSession_appendsAfterTheOther() throws Exception {
    long id = tracks().persisted("a");
    try (Session stale = orm().factory().openSession()) {
      stale.beginTransaction();
      Track track = find(stale, id);
      inTransaction(s -> audio(s, id).append("b"));
      track.title = "changed";
      track.audio().append("c");
      stale.getTransaction().commit();
    }
    assertThat(tracks().content(id)).isEqualTo("abc");
    assertThat(tracks().version(id)).isEqualTo(1);
  }

  @Test
  default void staleNull_isNotWrittenByAnUpdate() throws Exception {
    long id = tracks().persisted(null);
    try (Session stale = orm().factory().openSession()) {
      stale.beginTransaction();
      Track track = find(stale, id);
      tracks().column().append(id, new byte[] {'x'});
      track.title = "changed";
      stale.getTransaction().commit();
    }
    assertThat(tracks().content(id)).isEqualTo("x");
  }

  @Test
  default void twoFirstBlobs_conflictByTheVersion() throws Exception {
    long id = tracks().persisted(null);
    try (Session stale = orm().factory().openSession()) {
      stale.beginTransaction();
      Track track = find(stale, id);
      inTransaction(s -> find(s, id).audio(AppendableBlob.of("first")));
      track.audio(AppendableBlob.of("second"));
      assertThatThrownBy(stale::flush).isInstanceOf(OptimisticLockException.class);
      stale.getTransaction().rollback();
    }
    assertThat(tracks().content(id)).isEqualTo("first");
  }

  @Test
  default void firstBlobAfterAnotherSessionsAppend_isAppended() throws Exception {
    long id = tracks().persisted(null);
    try (Session stale = orm().factory().openSession()) {
      stale.beginTransaction();
      Track track = find(stale, id);
      tracks().column().append(id, new byte[] {'x'});
      track.audio(AppendableBlob.of("y"));
      stale.getTransaction().commit();
    }
    assertThat(tracks().content(id)).isEqualTo("xy");
  }

  @Test
  default void repeatableRead_refusesToAppendAfterAnUnseenAppend() throws Exception {
    long id = tracks().persisted("a");
    try (Orm orm = tracks().build(b -> b.isolation("repeatable read"));
        Session stale = orm.factory().openSession()) {
      stale.beginTransaction();
      Track track = find(stale, id);
      orm.inTransaction(s -> audio(s, id).append("b"));
      assertThat(track.audio().length()).isEqualTo(1);
      assertThatThrownBy(() -> track.audio().append("c")).isInstanceOf(ConcurrencyException.class);
      stale.getTransaction().rollback();
      orm.inTransaction(s -> audio(s, id).append("c"));
    }
    assertThat(tracks().content(id)).isEqualTo("abc");
  }
}
