package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.it.kit.Wait;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Tokens and sealing, which only handle columns support. */
interface HandleOnlyContract extends Suite {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  default void append_withToken_isAppliedOnce() throws Exception {
    long id = tracks().persisted("abc");
    AppendOptions once = AppendOptions.defaults().withToken(new AppendToken(UUID.randomUUID(), 1));
    for (boolean repeated : new boolean[] {false, true}) {
      inTransaction(
          s -> assertThat(audio(s, id).append(bytes("x"), once).repeated()).isEqualTo(repeated));
    }
    assertThat(tracks().content(id)).isEqualTo("abcx");
  }

  /** Creating the handles, inserting, a savepoint, appending, releasing it, and the commit. */
  @Test
  default void contentsOfNewEntities_takeOneCall() throws Exception {
    List<Track> many = newTracks(20, 1_000);
    try (Cuts cuts = new Cuts(tracks().database());
        Connection connection = cuts.connect();
        Session session = orm().factory().withOptions().connection(connection).openSession()) {
      session.doWork(c -> c.setAutoCommit(false));
      cuts.allow(
          6,
          () -> {
            session.beginTransaction();
            many.forEach(session::persist);
            session.getTransaction().commit();
          });
    }
    for (Track track : many) {
      assertThat(tracks().content(track.id)).isEqualTo(track.title.repeat(1_000));
    }
  }

  private List<Track> newTracks(int count, int repeated) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              String title = Character.toString('a' + i);
              Track track = tracks().make(AppendableBlob.of(title.repeat(repeated)));
              track.title = title;
              return track;
            })
        .toList();
  }

  @Test
  default void contentsOfNewEntities_areSentInBoundedCalls() throws Exception {
    tracks().persisted("warm up");
    List<Track> many = newTracks(25, 60_000);
    many.get(7).audio(AppendableBlob.of("h".repeat(70_000)));
    inTransaction(s -> many.forEach(s::persist));
    List<Statement> appends =
        orm().statements().stream().filter(s -> s.largestParameter() > 50_000).toList();
    assertThat(appends).hasSize(3);
    // An array is recorded in hexadecimal.
    assertThat(appends).allMatch(s -> s.parameterBytes() < 2_200_000);
    for (Track track : many) {
      int length = track == many.get(7) ? 70_000 : 60_000;
      assertThat(tracks().content(track.id)).isEqualTo(track.title.repeat(length));
    }
  }

  @Test
  default void contentsOfNewEntities_ifARowIsMissing_failWithItsKey() throws Exception {
    List<Track> many = newTracks(8, 10);
    long missing = many.get(3).id;
    tracks()
        .database()
        .run(
            "CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN DELETE FROM recording WHERE id = NEW.id; RETURN NULL; END'",
            "CREATE TRIGGER drop_row AFTER INSERT ON recording FOR EACH ROW WHEN (NEW.id = "
                + missing
                + ") EXECUTE FUNCTION drop_row()");
    try {
      assertThatThrownBy(
              () ->
                  inTransaction(
                      s -> {
                        many.forEach(s::persist);
                        s.flush();
                      }))
          .isInstanceOf(RowNotFoundException.class)
          .hasMessageContaining("recording.audio")
          .hasMessageContaining("key " + missing);
    } finally {
      tracks().database().run("DROP FUNCTION drop_row CASCADE");
    }
    assertThat(tracks().database().number("SELECT count(*) FROM recording")).isZero();
    inTransaction(s -> many.forEach(s::persist));
    assertThat(tracks().content(missing)).isEqualTo("d".repeat(10));
  }

  @Test
  default void parameter_afterFirstAppendToNull_isFound() throws Exception {
    long id = tracks().persisted(null);
    inTransaction(
        s -> {
          find(s, id).audio(AppendableBlob.of("x"));
          s.flush();
          assertThat(
                  s.createSelectionQuery(
                          "select r.id from Recording r where r.audio = :audio", Long.class)
                      .setParameter("audio", audio(s, id))
                      .getResultList())
              .containsExactly(id);
        });
  }

  @Test
  default void follow_seesWhatIsCommittedUntilItIsSealed() throws Exception {
    long id = tracks().persisted("ab");
    InputStream in = fromTransaction(s -> audio(s, id).follow(Options.follow(0, Wait.DEADLINE)));
    assertThat(in.readNBytes(2)).isEqualTo(bytes("ab"));
    inTransaction(
        s -> {
          audio(s, id).append("cd");
          audio(s, id).seal();
        });
    assertThat(in.readAllBytes()).isEqualTo(bytes("cd"));
    in.close();
  }
}
