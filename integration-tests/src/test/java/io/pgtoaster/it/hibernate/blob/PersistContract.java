package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New content is written together with its entity. */
interface PersistContract extends Suite {
  @Test
  default void persist_writesRowThenContent() throws Exception {
    tracks().persisted("warm up: the column is looked up once");
    Track track = tracks().make(AppendableBlob.of("hello"));
    inTransaction(s -> s.persist(track));
    List<String> sql = orm().sql();
    int insert = tracks().handles() ? 1 : 0;
    if (tracks().handles()) {
      assertThat(sql.get(0)).startsWith("INSERT INTO pgtoaster.store_1_head");
    }
    assertThat(sql.get(insert)).startsWith("insert into " + tracks().entity() + " (audio,");
    assertThat(sql.subList(insert + 1, sql.size()))
        .as("the content")
        .hasSize(1)
        .noneMatch(q -> q.startsWith("update"));
    assertThat(tracks().content(track.id)).isEqualTo("hello");
    assertThat(tracks().version(track.id)).isZero();
  }

  @Test
  default void persist_withEmptyBlob_isEmptyAndNotNull() throws Exception {
    assertThat(tracks().content(tracks().persisted(""))).isEmpty();
    Track track = tracks().make(new AppendableBlob());
    inTransaction(s -> s.persist(track));
    assertThat(orm().sql()).hasSize(tracks().handles() ? 2 : 1);
    assertThat(tracks().content(track.id)).isEmpty();
  }

  @Test
  default void persist_withoutBlob_isNull() throws Exception {
    long id = tracks().persisted(null);
    assertThat(tracks().content(id)).isNull();
    inTransaction(s -> assertThat(audio(s, id)).isNull());
  }

  @Test
  default void persist_readsAStreamWhenTheSessionIsFlushed() throws Exception {
    byte[] bytes = new byte[3_000_000];
    new java.util.Random(1).nextBytes(bytes);
    Track track = tracks().make(AppendableBlob.of(new ByteArrayInputStream(bytes)));
    inTransaction(s -> s.persist(track));
    assertThat(tracks().column().read(track.id, 0, 4_000_000)).isEqualTo(bytes);
  }

  @Test
  default void persist_readsAFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("audio"), "from a file");
    Track track = tracks().make(AppendableBlob.of(file));
    inTransaction(s -> s.persist(track));
    assertThat(tracks().content(track.id)).isEqualTo("from a file");
  }

  @Test
  default void blobBeforeTheFlush_collectsAppends() throws Exception {
    AppendableBlob audio = new AppendableBlob();
    assertThat(audio.append("a").offset()).isZero();
    assertThat(audio.append("bc").offset()).isEqualTo(1);
    audio.append(new ByteArrayInputStream("de".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    assertThat(audio.append("f").offset()).isEqualTo(-1);
    Track track = tracks().make(audio);
    inTransaction(
        s -> {
          s.persist(track);
          track.audio().append("g");
          s.flush();
          assertThat(track.audio().append("h").offset()).isEqualTo(7);
        });
    assertThat(tracks().content(track.id)).isEqualTo("abcdefgh");
  }

  @Test
  default void batch_isOneInsert_andCreatesHandlesInOneCall() throws Exception {
    tracks().persisted("warm up");
    List<Track> many =
        IntStream.range(0, 10).mapToObj(i -> tracks().make(AppendableBlob.of("n" + i))).toList();
    inTransaction(s -> many.forEach(s::persist));
    List<String> sql = orm().sql();
    assertThat(sql).filteredOn(q -> q.startsWith("insert into")).hasSize(1);
    assertThat(sql)
        .filteredOn(q -> q.startsWith("INSERT INTO"))
        .hasSize(tracks().handles() ? 1 : 0);
    for (int i = 0; i < 10; i++) {
      assertThat(tracks().content(many.get(i).id)).isEqualTo("n" + i);
    }
  }

  @Test
  default void flushOfManyChanges_writesEach(@TempDir Path folder) throws Exception {
    long appended = tracks().persisted("old");
    long replaced = tracks().persisted("old");
    long first = tracks().persisted(null);
    List<Track> many =
        IntStream.range(0, 9).mapToObj(i -> tracks().make(AppendableBlob.of("n" + i))).toList();
    Track stream = tracks().make(AppendableBlob.of(new ByteArrayInputStream(new byte[] {'s'})));
    Track file = tracks().make(AppendableBlob.of(Files.writeString(folder.resolve("f"), "file")));
    Track empty = tracks().make(new AppendableBlob());
    Track nothing = tracks().make(null);
    Track shared = tracks().make(many.get(1).audio());
    Track removed = tracks().make(AppendableBlob.of("removed"));
    inTransaction(
        s -> {
          find(s, replaced).audio(AppendableBlob.of("new"));
          find(s, first).audio(AppendableBlob.of("first"));
          many.subList(0, 3).forEach(s::persist);
          List.of(stream, file, empty, nothing, shared, removed).forEach(s::persist);
          many.subList(3, 9).forEach(s::persist);
          s.remove(removed);
          audio(s, appended).append("!");
          s.flush();
          many.get(0).audio().append("!");
          assertThat(many.get(5).audio().length()).isEqualTo(2);
          many.get(4).audio(AppendableBlob.of("again"));
        });
    assertThat(Stream.of(stream, file, empty, nothing, shared).map(t -> tracks().content(t.id)))
        .containsExactly("s", "file", "", null, "n1");
    assertThat(many.stream().map(t -> tracks().content(t.id)))
        .containsExactly("n0!", "n1", "n2", "n3", "again", "n5", "n6", "n7", "n8");
    assertThat(Stream.of(appended, replaced, first).map(tracks()::content))
        .containsExactly("old!", "new", "first");
    assertThat(tracks().version(replaced)).isEqualTo(1);
    assertThat(tracks().version(first)).isEqualTo(1);
    assertThat(tracks().version(many.get(2).id)).isZero();
  }

  @Test
  default void removedEntity_deletesItsContent() throws Exception {
    long id = tracks().persisted("gone");
    inTransaction(s -> s.remove(find(s, id)));
    Track never = tracks().make(AppendableBlob.of("never"));
    inTransaction(
        s -> {
          s.persist(never);
          s.flush();
          s.remove(never);
        });
    inTransaction(
        s -> {
          Track other = tracks().make(AppendableBlob.of("never"));
          s.persist(other);
          s.remove(other);
        });
    assertThat(tracks().database().number("SELECT count(*) FROM " + tracks().table())).isZero();
  }

  @Test
  default void bulkDelete_deletesContent() throws Exception {
    tracks().persisted("one");
    tracks().persisted("two");
    inTransaction(s -> s.createMutationQuery("delete from " + tracks().entity()).executeUpdate());
  }
}
