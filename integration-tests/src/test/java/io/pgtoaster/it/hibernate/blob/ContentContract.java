package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.kit.Expect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.util.List;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;

/** Content is read and appended in the session's transaction. */
interface ContentContract extends Suite {
  @Test
  default void streamThatFailedToClose_appendsNothingLater() throws Exception {
    long id = tracks().persisted("ab");
    try (Session s = orm().factory().openSession()) {
      s.beginTransaction();
      OutputStream out = audio(s, id).outputStream();
      out.write(new byte[] {'c', 'd'});
      s.getTransaction().rollback();
      assertThatThrownBy(out::close).isInstanceOf(IOException.class);
      s.beginTransaction();
      assertThatThrownBy(out::flush).isInstanceOf(IOException.class);
      out.close();
      s.getTransaction().commit();
    }
    assertThat(tracks().content(id)).isEqualTo("ab");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  default void append_updatesNoEntityAndNoVersion() throws Exception {
    long id = tracks().persisted("ab");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          assertThat(orm().sql()).hasSize(1);
          assertThat(audio.append("cd").offset()).isEqualTo(2);
          assertThat(orm().sql()).hasSize(1);
          assertThat(tracks().content(id)).as("committed").isEqualTo("ab");
          s.flush();
          assertThat(orm().sql()).as("nothing is flushed").isEmpty();
        });
    assertThat(orm().sql()).isEmpty();
    assertThat(tracks().content(id)).isEqualTo("abcd");
    assertThat(tracks().version(id)).isZero();
  }

  @Test
  default void load_readsNoContent() throws Exception {
    long id = tracks().persisted("x".repeat(100_000));
    inTransaction(s -> assertThat(find(s, id).audio().toString()).doesNotContain("xx"));
    List<String> sql = orm().sql();
    assertThat(sql).hasSize(1);
    assertThat(sql.get(0)).contains(tracks().handles() ? ".audio" : "octet_length(");
  }

  @Test
  default void read_returnsARange() throws Exception {
    long id = tracks().persisted("0123456789");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          assertThat(audio.length()).isEqualTo(10);
          assertThat(audio.read(3, 4)).isEqualTo(bytes("3456"));
          assertThat(audio.info().length()).isEqualTo(10);
          try (InputStream in = audio.inputStream(8, 5)) {
            assertThat(in.readAllBytes()).isEqualTo(bytes("89"));
          }
          audio.append("ä");
          try (Reader reader = audio.reader()) {
            assertThat(reader.transferTo(java.io.Writer.nullWriter())).isEqualTo(11);
          }
          assertThat(audio.verify()).isEmpty();
        });
  }

  @Test
  default void append_withWrongExpectedOffset_isRefused_andTheTransactionContinues()
      throws Exception {
    long id = tracks().persisted("abc");
    inTransaction(
        s -> {
          AppendOptions at = AppendOptions.defaults().withExpectedOffset(2);
          Expect.conflict(3, () -> audio(s, id).append(bytes("x"), at));
          assertThat(audio(s, id).append(bytes("x"), at.withExpectedOffset(3)).end()).isEqualTo(4);
        });
    assertThat(tracks().content(id)).isEqualTo("abcx");
  }

  @Test
  default void streams_writeInTheTransaction() throws Exception {
    long id = tracks().persisted("");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          try (OutputStream out = audio.outputStream()) {
            out.write('a');
            out.write(new byte[600_000]);
            out.flush();
            assertThat(audio.length()).isEqualTo(600_001);
          }
          try (Writer writer = audio.writer()) {
            writer.write("ü");
          }
          audio.append(new ByteArrayInputStream(bytes("end")));
          assertThat(tracks().column().length(id)).isZero();
        });
    assertThat(tracks().column().length(id)).isEqualTo(600_006);
    assertThat(tracks().column().read(id, 600_001, 5)).isEqualTo(bytes("üend"));
  }

  @Test
  default void channelAndBlob_workInTheTransaction() throws Exception {
    long id = tracks().persisted("0123456789");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          try (SeekableByteChannel channel = audio.channel()) {
            channel.position(10).write(ByteBuffer.wrap(bytes("ab")));
            assertThat(channel.size()).isEqualTo(12);
            ByteBuffer two = ByteBuffer.allocate(2);
            channel.position(4).read(two);
            assertThat(two.array()).isEqualTo(bytes("45"));
            assertThat(channel.position()).isEqualTo(6);
            channel.truncate(11);
          }
          Blob blob = audio.sqlBlob();
          assertThat(blob.length()).isEqualTo(11);
          assertThat(blob.getBytes(11, 1)).isEqualTo(bytes("a"));
          assertThat(blob.position(bytes("89"), 1)).isEqualTo(9);
          assertThat(blob.setBytes(1, bytes("X"))).isEqualTo(1);
          try (OutputStream out = blob.setBinaryStream(12)) {
            out.write('b');
          }
          try (InputStream in = blob.getBinaryStream(10, 5)) {
            assertThat(in.readAllBytes()).isEqualTo(bytes("9ab"));
          }
          blob.truncate(11);
        });
    assertThat(tracks().content(id)).isEqualTo("X123456789a");
    assertThat(tracks().version(id)).isZero();
  }

  @Test
  default void writeAndTruncate_changeContentImmediately() throws Exception {
    long id = tracks().persisted("0123456789");
    inTransaction(
        s -> {
          AppendableBlob audio = audio(s, id);
          audio.write(2, bytes("ab"));
          audio.truncate(5);
          audio.compact();
          assertThat(audio.read(0, 10)).isEqualTo(bytes("01ab4"));
        });
    assertThat(tracks().content(id)).isEqualTo("01ab4");
  }

  @Test
  default void streamOfAnEndedTransaction_fails() throws Exception {
    long id = tracks().persisted("x".repeat(10));
    inTransaction(
        s -> {
          InputStream in = audio(s, id).inputStream();
          s.getTransaction().commit();
          assertThatThrownBy(in::read)
              .isInstanceOf(IOException.class)
              .hasMessageContaining("has ended");
          s.beginTransaction();
        });
  }
}
