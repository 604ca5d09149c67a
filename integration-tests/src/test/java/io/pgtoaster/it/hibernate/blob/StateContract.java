package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.BlobStateException;
import io.pgtoaster.it.kit.Expect;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Incorrect use causes exceptions whose messages say what to do. */
interface StateContract extends Suite {
  private void refused(Class<? extends PgToasterException> type, String advice, Runnable call) {
    assertThat(Expect.refused(type, call::run)).hasMessageContaining(advice);
  }

  @Test
  default void writes_outsideTransaction_areRefused() throws Exception {
    long id = tracks().persisted("ab");
    try (Session s = orm().factory().openSession()) {
      AppendableBlob audio = audio(s, id);
      Class<TransactionRequiredException> type = TransactionRequiredException.class;
      refused(type, "begin one", () -> audio.append("c"));
      refused(type, "begin one", () -> audio.write(0, new byte[1]));
      refused(type, "begin one", () -> audio.truncate(0));
      refused(type, "begin one", audio::seal);
      refused(type, "begin one", audio::inputStream);
      refused(type, "begin one", audio::reader);
      Expect.failed(
          TransactionRequiredException.class,
          () -> {
            try (var out = audio.outputStream()) {
              out.write(1);
            }
          });
      assertThat(audio.length()).isEqualTo(2);
      assertThat(audio.read(0, 1)).hasSize(1);
    }
    assertThat(tracks().content(id)).isEqualTo("ab");
  }

  @Test
  default void transientBlob_isRefusedWithAdviceToFlush() throws Exception {
    AppendableBlob audio = AppendableBlob.of("ab");
    refused(BlobStateException.class, "flush the session first", audio::length);
    refused(BlobStateException.class, "flush the session first", () -> audio.read(0, 1));
    refused(BlobStateException.class, "flush the session first", audio::channel);
    refused(BlobStateException.class, "flush the session first", () -> audio.truncate(0));
    Track track = tracks().make(audio);
    inTransaction(
        s -> {
          s.persist(track);
          refused(BlobStateException.class, "flush the session first", audio::length);
          s.flush();
          assertThat(audio.length()).isEqualTo(2);
        });
  }

  @Test
  default void closedSession_isRefusedWithAdviceToReload() throws Exception {
    long id = tracks().persisted("ab");
    AppendableBlob audio = fromTransaction(s -> audio(s, id));
    refused(BlobStateException.class, "closed", () -> audio.append("c"));
    refused(BlobStateException.class, "closed", audio::length);
    inTransaction(
        s -> {
          assertThat(audio.in(s).length()).isEqualTo(2);
          audio.in(s).append("c");
        });
    assertThat(tracks().content(id)).isEqualTo("abc");
  }

  @Test
  default void evictedClearedOrRemovedEntity_isRefusedWithAdviceToReload() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          Track track = find(s, id);
          AppendableBlob audio = track.audio();
          s.detach(track);
          refused(BlobStateException.class, "no longer manages", () -> audio.append("c"));
          AppendableBlob other = audio(s, id);
          s.clear();
          refused(BlobStateException.class, "no longer manages", other::length);
          Track removed = find(s, id);
          AppendableBlob last = removed.audio();
          s.remove(removed);
          s.flush();
          refused(BlobStateException.class, "no longer manages", last::length);
        });
  }

  @Test
  default void replacedBlob_cannotBeUsed() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          Track track = find(s, id);
          AppendableBlob old = track.audio();
          track.audio(AppendableBlob.of("new"));
          refused(BlobStateException.class, "get it from the entity", () -> old.append("c"));
          s.flush();
          refused(BlobStateException.class, "replaced or deleted", () -> old.append("c"));
        });
    assertThat(tracks().content(id)).isEqualTo("new");
  }

  @Test
  default void refresh_discardsUnwrittenChanges() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          Track track = find(s, id);
          AppendableBlob old = track.audio();
          AppendableBlob never = AppendableBlob.of("never");
          track.audio(never);
          s.refresh(track);
          assertThat(track.audio()).isNotSameAs(never);
          track.audio().append("c");
          refused(BlobStateException.class, "get it from the entity", () -> old.append("c"));
          s.flush();
        });
    assertThat(tracks().content(id)).isEqualTo("abc");
  }

  @Test
  default void lockedEntity_canBeAppendedTo() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          Track track = s.find(tracks().type(), id, LockMode.PESSIMISTIC_WRITE);
          track.audio().append("c");
          inTransaction(o -> assertThat(audio(o, id).length()).isEqualTo(2));
          s.lock(track, LockMode.PESSIMISTIC_FORCE_INCREMENT);
          track.audio().append("d");
        });
    assertThat(tracks().content(id)).isEqualTo("abcd");
  }

  @Test
  default void deletedRow_isReported() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          s.createNativeMutationQuery("DELETE FROM " + tracks().table()).executeUpdate();
          refused(PgToasterException.class, tracks().table(), () -> audio.append("c"));
        });
  }
}
