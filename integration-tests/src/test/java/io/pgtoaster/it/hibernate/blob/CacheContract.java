package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The caches store handles, never content. */
interface CacheContract extends Suite {
  @Test
  default void cachedEntity_readsAndAppendsToItsRow() throws Exception {
    long id = tracks().persisted("ab");
    Orm orm = tracks().cached();
    orm.inTransaction(s -> assertThat(audio(s, id).length()).isEqualTo(2));
    orm.statements();
    orm.inTransaction(
        s -> {
          Track track = find(s, id);
          assertThat(orm.sql()).isEmpty();
          track.audio().append("c");
          assertThat(track.audio().length()).isEqualTo(3);
        });
    orm.statements();
    orm.inTransaction(
        s -> {
          Track track = find(s, id);
          assertThat(orm.sql()).isEmpty();
          assertThat(track.audio().length()).isEqualTo(3);
        });
  }

  @Test
  default void replacedContent_isSeenThroughTheCache() throws Exception {
    Orm orm = tracks().cached();
    Track track = tracks().make(AppendableBlob.of("one"));
    orm.inTransaction(s -> s.persist(track));
    for (String next : new String[] {"two", null, "three"}) {
      orm.inTransaction(s -> find(s, track.id));
      orm.inTransaction(
          s -> find(s, track.id).audio(next == null ? null : AppendableBlob.of(next)));
      for (int i = 0; i < 2; i++) {
        orm.inTransaction(
            s -> {
              AppendableBlob audio = audio(s, track.id);
              assertThat(
                      audio == null
                          ? null
                          : new String(audio.read(0, 9), java.nio.charset.StandardCharsets.UTF_8))
                  .isEqualTo(next);
            });
      }
    }
  }

  @Test
  default void changedEntity_isCachedWithItsContent() throws Exception {
    Orm orm = tracks().cached();
    Track track = tracks().make(null);
    orm.inTransaction(s -> s.persist(track));
    orm.inTransaction(s -> find(s, track.id).audio(AppendableBlob.of("a")));
    orm.inTransaction(
        s -> {
          find(s, track.id).title = "changed";
          audio(s, track.id).append("b");
        });
    orm.inTransaction(s -> assertThat(audio(s, track.id).length()).isEqualTo(2));
    orm.inTransaction(s -> assertThat(audio(s, track.id).length()).isEqualTo(2));
  }

  @Test
  default void cachedQuery_returnsASeparateBlobToEachSession() throws Exception {
    long id = tracks().persisted("ab");
    Orm orm = tracks().cached();
    for (int i = 0; i < 3; i++) {
      orm.inTransaction(
          s -> {
            List<? extends Track> found =
                s.createSelectionQuery("from " + tracks().entity(), tracks().type())
                    .setCacheable(true)
                    .getResultList();
            found.get(0).audio().append("c");
          });
    }
    assertThat(tracks().content(id)).isEqualTo("abccc");
  }
}
