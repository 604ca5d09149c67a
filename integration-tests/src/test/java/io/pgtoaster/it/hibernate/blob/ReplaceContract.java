package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Setting the attribute replaces, deletes or copies content. */
interface ReplaceContract extends Suite {
  @Test
  default void newBlob_replacesContentAndIncrementsTheVersionOnce() throws Exception {
    long id = tracks().persisted("old");
    inTransaction(
        s -> {
          Track track = find(s, id);
          track.audio(AppendableBlob.of("new"));
          s.flush();
          track.audio().append("er");
          track.title = "changed";
        });
    assertThat(tracks().content(id)).isEqualTo("newer");
    assertThat(tracks().version(id)).isEqualTo(2);
    inTransaction(
        s -> {
          Track track = find(s, id);
          track.title = "changed again";
          track.audio(
              AppendableBlob.of(
                  new ByteArrayInputStream("stream".getBytes(StandardCharsets.UTF_8))));
        });
    assertThat(tracks().content(id)).isEqualTo("stream");
    assertThat(tracks().version(id)).isEqualTo(3);
  }

  @Test
  default void null_deletesContentAndIncrementsTheVersion() throws Exception {
    long id = tracks().persisted("old");
    inTransaction(s -> find(s, id).audio(null));
    assertThat(tracks().content(id)).isNull();
    assertThat(tracks().version(id)).isEqualTo(1);
    inTransaction(s -> find(s, id).audio(AppendableBlob.of("again")));
    assertThat(tracks().content(id)).isEqualTo("again");
    assertThat(tracks().version(id)).isEqualTo(2);
    inTransaction(s -> find(s, id).audio(new AppendableBlob()));
    assertThat(tracks().content(id)).isEmpty();
  }

  @Test
  default void blobSetBetweenPersistAndFlush_isTheContent() throws Exception {
    Track one = tracks().make(AppendableBlob.of("first"));
    Track two = tracks().make(null);
    Track three = tracks().make(AppendableBlob.of("first"));
    inTransaction(
        s -> {
          s.persist(one);
          s.persist(two);
          s.persist(three);
          one.audio(AppendableBlob.of("second"));
          two.audio(AppendableBlob.of("second"));
          three.audio(null);
        });
    assertThat(tracks().content(one.id)).isEqualTo("second");
    assertThat(tracks().content(two.id)).isEqualTo("second");
    assertThat(tracks().content(three.id)).isNull();
  }

  @Test
  default void blobOfAnotherEntity_isNotSharedWhenTheRowIsAlsoUpdated() throws Exception {
    long id = tracks().persisted("source");
    long target = tracks().persisted("target");
    inTransaction(
        s -> {
          Track from = find(s, id);
          Track to = find(s, target);
          to.audio(from.audio());
          to.title = "changed";
          s.flush();
          from.audio().append(" grows");
          to.audio().append(" copied");
        });
    assertThat(tracks().content(id)).isEqualTo("source grows");
    assertThat(tracks().content(target)).isEqualTo("source copied");
  }

  @Test
  default void blobOfAnotherEntity_isCopied() throws Exception {
    long id = tracks().persisted("source");
    long target = tracks().persisted("target");
    Track fresh = tracks().make(null);
    inTransaction(
        s -> {
          Track source = find(s, id);
          find(s, target).audio(source.audio());
          fresh.audio(source.audio());
          s.persist(fresh);
          s.flush();
          assertThat(fresh.audio()).isNotSameAs(source.audio());
          source.audio().append("!");
          fresh.audio().append("?");
        });
    assertThat(tracks().content(id)).isEqualTo("source!");
    assertThat(tracks().content(target)).isEqualTo("source");
    assertThat(tracks().content(fresh.id)).isEqualTo("source?");
  }

  @Test
  default void newBlobInTwoEntities_isWrittenToBoth() throws Exception {
    AppendableBlob audio = AppendableBlob.of("both");
    Track one = tracks().make(audio);
    Track two = tracks().make(audio);
    inTransaction(
        s -> {
          s.persist(one);
          s.persist(two);
        });
    assertThat(tracks().content(one.id)).isEqualTo("both");
    assertThat(tracks().content(two.id)).isEqualTo("both");
  }

  @Test
  default void swappedBlobs_areRefusedInOneFlush() throws Exception {
    long one = tracks().persisted("one");
    long two = tracks().persisted("two");
    assertThatThrownBy(
            () ->
                inTransaction(
                    s -> {
                      AppendableBlob audio = audio(s, one);
                      find(s, one).audio(audio(s, two));
                      find(s, two).audio(audio);
                    }))
        .hasStackTraceContaining("flush the session between the two");
    assertThat(tracks().content(one)).isEqualTo("one");
    assertThat(tracks().content(two)).isEqualTo("two");
  }

  @Test
  default void movedBlob_leavesNothingBehind() throws Exception {
    long id = tracks().persisted("moved");
    Track target = tracks().make(null);
    inTransaction(
        s -> {
          target.audio(audio(s, id));
          s.persist(target);
          s.flush();
          find(s, id).audio(null);
        });
    assertThat(tracks().content(id)).isNull();
    assertThat(tracks().content(target.id)).isEqualTo("moved");
  }
}
