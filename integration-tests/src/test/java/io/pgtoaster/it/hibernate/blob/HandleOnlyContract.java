package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.Wait;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
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
      orm()
          .inTransaction(
              s ->
                  assertThat(audio(s, id).append(bytes("x"), once).repeated()).isEqualTo(repeated));
    }
    assertThat(tracks().content(id)).isEqualTo("abcx");
  }

  @Test
  default void parameter_afterFirstAppendToNull_isFound() throws Exception {
    long id = tracks().persisted(null);
    orm()
        .inTransaction(
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
    InputStream in =
        orm().fromTransaction(s -> audio(s, id).follow(Options.follow(0, Wait.DEADLINE)));
    assertThat(in.readNBytes(2)).isEqualTo(bytes("ab"));
    orm()
        .inTransaction(
            s -> {
              audio(s, id).append("cd");
              audio(s, id).seal();
            });
    assertThat(in.readAllBytes()).isEqualTo(bytes("cd"));
    in.close();
  }
}
