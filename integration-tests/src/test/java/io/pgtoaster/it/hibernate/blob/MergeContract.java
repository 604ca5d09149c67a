package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A merge keeps the content of the row unless the detached entity has a new blob. */
interface MergeContract extends Suite {
  private Track detached(long id) throws Exception {
    return fromTransaction(s -> find(s, id));
  }

  private static Track serialized(Track track) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(track);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (Track) in.readObject();
    }
  }

  @Test
  default void detachedEntity_keepsItsContent() throws Exception {
    long id = tracks().persisted("kept");
    for (Track track : new Track[] {detached(id), serialized(detached(id))}) {
      track.title = "merged";
      inTransaction(
          s -> {
            Track merged = s.merge(track);
            assertThat(merged.audio().length()).isEqualTo(4);
            merged.title += "!";
          });
      assertThat(tracks().content(id)).isEqualTo("kept");
      inTransaction(s -> assertThat(find(s, id).title).isEqualTo("merged!"));
      inTransaction(s -> find(s, id).title = "x");
      tracks().database().run("UPDATE " + tracks().table() + " SET version = 0");
    }
  }

  @Test
  default void newBlob_replaces() throws Exception {
    long id = tracks().persisted("old");
    Track track = detached(id);
    track.audio(AppendableBlob.of("new"));
    Track sent = serialized(track);
    inTransaction(s -> s.merge(track).audio());
    assertThat(tracks().content(id)).isEqualTo("new");
    sent.version = 1;
    sent.audio().append("er");
    inTransaction(s -> s.merge(sent).audio().append("!"));
    assertThat(tracks().content(id)).isEqualTo("newer!");
    assertThat(tracks().version(id)).isEqualTo(2);
  }

  @Test
  default void null_deletes() throws Exception {
    long id = tracks().persisted("old");
    Track track = detached(id);
    track.audio(null);
    inTransaction(s -> s.merge(track));
    assertThat(tracks().content(id)).isNull();
  }

  @Test
  default void newEntity_isInsertedWithItsContent() throws Exception {
    Track track = tracks().make(AppendableBlob.of("new"));
    inTransaction(s -> assertThat(s.merge(track)).isNotSameAs(track));
    assertThat(tracks().content(track.id)).isEqualTo("new");
  }

  @Test
  default void blobOfAnotherDetachedEntity_isCopied() throws Exception {
    long id = tracks().persisted("old");
    long source = tracks().persisted("source");
    Track track = detached(id);
    track.audio(detached(source).audio());
    inTransaction(s -> s.merge(track));
    assertThat(tracks().content(id)).isEqualTo("source");
    assertThat(tracks().content(source)).isEqualTo("source");
  }

  @Test
  default void streamsAreNotSerialized() {
    Track track = tracks().make(AppendableBlob.of(new ByteArrayInputStream(new byte[0])));
    Assertions.assertThatThrownBy(() -> serialized(track))
        .isInstanceOf(NotSerializableException.class);
  }
}
