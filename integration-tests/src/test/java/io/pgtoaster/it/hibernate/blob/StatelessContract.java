package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.BlobStateException;
import io.pgtoaster.it.kit.Expect;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.Test;

/** A stateless session writes immediately. */
interface StatelessContract extends Suite {
  private Track get(StatelessSession session, long id) {
    return session.get(tracks().type(), id);
  }

  @Test
  default void insert_writesContentImmediately() throws Exception {
    Track track = tracks().make(AppendableBlob.of("ab"));
    Track nothing = tracks().make(null);
    statelessly(
        s -> {
          s.insert(track);
          s.insert(nothing);
          track.audio().append("c");
          assertThat(track.audio().length()).isEqualTo(3);
        });
    assertThat(tracks().content(track.id)).isEqualTo("abc");
    assertThat(tracks().content(nothing.id)).isNull();
  }

  @Test
  default void insertMultiple_writesContents() throws Exception {
    List<Track> many =
        IntStream.range(0, 5)
            .mapToObj(i -> tracks().make(i == 1 ? null : AppendableBlob.of("n" + i)))
            .toList();
    statelessly(
        s -> {
          s.insertMultiple(many);
          many.get(4).audio().append("!");
          assertThat(many.get(3).audio().length()).isEqualTo(2);
        });
    assertThat(many.stream().map(t -> tracks().content(t.id)))
        .containsExactly("n0", null, "n2", "n3", "n4!");
  }

  @Test
  default void get_returnsABlobThatFindsItsRow() throws Exception {
    long id = tracks().persisted("ab");
    statelessly(
        s -> {
          AppendableBlob audio = get(s, id).audio();
          if (tracks().handles()) {
            assertThat(audio.append("c").end()).isEqualTo(3);
          } else {
            assertThat(Expect.refused(BlobStateException.class, audio::length))
                .hasMessageContaining("not stateless");
          }
        });
  }

  @Test
  default void update_replacesDeletesOrKeeps() throws Exception {
    long id = tracks().persisted("ab");
    statelessly(
        s -> {
          Track track = get(s, id);
          track.title = "changed";
          s.update(track);
        });
    assertThat(tracks().content(id)).isEqualTo("ab");
    statelessly(
        s -> {
          Track track = get(s, id);
          track.audio(AppendableBlob.of("new"));
          s.update(track);
        });
    assertThat(tracks().content(id)).isEqualTo("new");
    statelessly(
        s -> {
          Track track = get(s, id);
          track.audio(null);
          s.update(track);
        });
    assertThat(tracks().content(id)).isNull();
  }

  @Test
  default void upsert_insertsOrReplaces() throws Exception {
    Track track = tracks().make(AppendableBlob.of("one"));
    statelessly(s -> s.upsert(track));
    assertThat(tracks().content(track.id)).isEqualTo("one");
    statelessly(
        s -> {
          track.audio(AppendableBlob.of("two"));
          s.upsert(track);
        });
    assertThat(tracks().content(track.id)).isEqualTo("two");
    statelessly(s -> s.upsert(track));
    assertThat(tracks().content(track.id)).isEqualTo("two");
  }

  @Test
  default void delete_deletesContent() throws Exception {
    long id = tracks().persisted("ab");
    statelessly(s -> s.delete(get(s, id)));
    assertThat(tracks().database().number("SELECT count(*) FROM " + tracks().table())).isZero();
  }

  @Test
  default void insert_outsideTransaction_isRefused() {
    try (StatelessSession s = orm().factory().openStatelessSession()) {
      Track track = tracks().make(AppendableBlob.of("ab"));
      assertThatThrownBy(() -> s.insert(track)).hasStackTraceContaining("begin one");
    }
  }

  @Test
  default void blobOfAnotherRow_isCopied() throws Exception {
    long source = tracks().persisted("source");
    long updated = tracks().persisted("old");
    long upserted = tracks().persisted("old");
    Track inserted = tracks().make(null);
    Track managed = fromTransaction(s -> find(s, source));
    statelessly(
        s -> {
          // In an ordinary column, a stateless session cannot know the row of a blob.
          AppendableBlob foreign = tracks().handles() ? get(s, source).audio() : managed.audio();
          Track track = get(s, updated);
          track.audio(foreign);
          s.update(track);
          track.audio().append("!");
          track = get(s, upserted);
          track.audio(foreign);
          s.upsert(track);
          inserted.audio(foreign);
          s.insert(inserted);
        });
    assertThat(tracks().content(source)).isEqualTo("source");
    assertThat(tracks().content(updated)).isEqualTo("source!");
    assertThat(tracks().content(upserted)).isEqualTo("source");
    assertThat(tracks().content(inserted.id)).isEqualTo("source");
  }
}
