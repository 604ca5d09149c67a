package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.BlobStateException;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Expect;
import java.util.List;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Blobs in queries. */
interface QueryContract extends Suite {
  private AppendableBlob projection(Session session, long id) {
    return session
        .createSelectionQuery(
            "select t.audio from " + tracks().entity() + " t where t.id = " + id,
            AppendableBlob.class)
        .setCacheable(true)
        .getSingleResult();
  }

  private List<? extends Track> having(Session session, AppendableBlob audio) {
    return session
        .createSelectionQuery(
            "from " + tracks().entity() + " t where t.audio = :audio", tracks().type())
        .setParameter("audio", audio)
        .getResultList();
  }

  @Test
  default void selectedBlob_findsItsRow() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          AppendableBlob audio = projection(s, id);
          if (!tracks().handles()) {
            assertThat(Expect.refused(BlobStateException.class, audio::length))
                .hasMessageContaining("select the entity");
            return;
          }
          audio.append("c");
          assertThat(audio.length()).isEqualTo(3);
        });
    inTransaction(
        s -> {
          AppendableBlob first = projection(s, id);
          Track track = find(s, id);
          assertThat(track.audio().length()).isEqualTo(tracks().handles() ? 3 : 2);
          assertThat(first.toString()).matches("AppendableBlob\\[handle (\\d+|null)]");
          assertThat(track.audio().toString())
              .isEqualTo("AppendableBlob[%s#%d.audio]".formatted(track.getClass().getName(), id));
        });
  }

  @Test
  default void cachedSelectedBlob_isAttachedToTheSession() throws Exception {
    long id = tracks().persisted("ab");
    Orm orm = tracks().cached();
    orm.inTransaction(s -> projection(s, id));
    orm.inTransaction(
        s -> {
          AppendableBlob cached = projection(s, id);
          assertThat(Expect.refused(BlobStateException.class, cached::length))
              .hasMessageContaining(tracks().handles() ? "in(session)" : "select the entity");
          if (tracks().handles()) {
            assertThat(cached.in(s).length()).isEqualTo(2);
          }
        });
  }

  @Test
  default void selectedBlobOfTwoSessions_worksInEach() throws Exception {
    long id = tracks().persisted("ab");
    Orm orm = tracks().cached();
    orm.inTransaction(s -> projection(s, id));
    orm.inTransaction(
        one ->
            orm.inTransaction(
                two -> {
                  AppendableBlob ofOne = projection(one, id);
                  AppendableBlob ofTwo = projection(two, id);
                  if (!tracks().handles()) {
                    return;
                  }
                  for (AppendableBlob selected : List.of(ofOne, ofTwo)) {
                    assertThat(Expect.refused(BlobStateException.class, () -> selected.append("x")))
                        .hasMessageContaining("in(session)");
                  }
                  ofTwo.in(two).append("c");
                  assertThat(ofTwo.in(two).length()).isEqualTo(3);
                  assertThat(ofOne.in(one).length()).as("not committed").isEqualTo(2);
                }));
    assertThat(tracks().content(id)).isEqualTo(tracks().handles() ? "abc" : "ab");
  }

  @Test
  default void firstSelectedBlob_isSharedWithTheQueryCache() throws Exception {
    long id = tracks().persisted("ab");
    tracks()
        .cached()
        .inTransaction(
            s -> {
              AppendableBlob selected = projection(s, id);
              assertThat(Expect.refused(BlobStateException.class, selected::length))
                  .hasMessageContaining(tracks().handles() ? "in(session)" : "select the entity");
            });
  }

  @Test
  default void parameter_comparesHandles() throws Exception {
    long id = tracks().persisted("ab");
    tracks().persisted("ab");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          if (tracks().handles()) {
            assertThat(having(s, audio)).extracting(t -> t.id).containsExactly(id);
          } else {
            assertThatThrownBy(() -> having(s, audio))
                .hasStackTraceContaining("compare the identifier");
          }
        });
  }

  @Test
  default void transientParameter_isRefused_andCreatesNothing() throws Exception {
    assertThatThrownBy(() -> inTransaction(s -> having(s, AppendableBlob.of("x"))))
        .hasStackTraceContaining(
            tracks().handles() ? "before you use it as a parameter" : "compare the identifier");
  }

  @Test
  default void isNull_checksTheColumn() throws Exception {
    long with = tracks().persisted("");
    long without = tracks().persisted(null);
    inTransaction(
        s -> {
          String query = "select t.id from " + tracks().entity() + " t where t.audio is ";
          assertThat(s.createSelectionQuery(query + "null", Long.class).getResultList())
              .containsExactly(without);
          assertThat(s.createSelectionQuery(query + "not null", Long.class).getResultList())
              .containsExactly(with);
        });
  }

  @Test
  default void bulkUpdateToNull_deletesContent() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s ->
            s.createMutationQuery("update " + tracks().entity() + " set audio = null")
                .executeUpdate());
    assertThat(tracks().content(id)).isNull();
  }

  @Test
  default void query_seesContentSetBefore() throws Exception {
    long id = tracks().persisted(null);
    inTransaction(
        s -> {
          find(s, id).audio(AppendableBlob.of("x"));
          assertThat(
                  s.createSelectionQuery(
                          "select count(*) from "
                              + tracks().entity()
                              + " t where t.audio is not null",
                          Long.class)
                      .getSingleResult())
              .isEqualTo(1);
        });
  }
}
