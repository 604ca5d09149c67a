package io.pgtoaster.it.blob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Bytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** UTF-8 text in a blob. */
public interface TextContract extends Contract {
  String SAMPLE = "log line: äöü € \u1E9E \uD83D\uDC18 end\n";

  @Test
  default void writer_andReader_keepEveryCharacter() throws Exception {
    Object key = fx().row();
    String text = SAMPLE.repeat(3000);
    try (Writer writer = fx().own().writer(key)) {
      for (int i = 0; i < text.length(); i += 777) {
        writer.write(text, i, Math.min(777, text.length() - i));
      }
    }
    assertThat(fx().read(key)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    StringWriter read = new StringWriter();
    try (Reader reader = fx().blobs().reader(key)) {
      reader.transferTo(read);
    }
    assertThat(read.toString()).isEqualTo(text);
  }

  @Test
  default void reader_ofCharactersSplitOverAppends_joinsThem() throws Exception {
    Object key = fx().row();
    byte[] bytes = SAMPLE.repeat(500).getBytes(StandardCharsets.UTF_8);
    if (fx().spec().isText()) {
      fx().own().append(key, bytes);
    } else {
      for (int at = 0; at < bytes.length; at += 1009) {
        fx().own().append(key, Bytes.slice(bytes, at, 1009));
      }
    }
    try (BufferedReader reader = new BufferedReader(fx().blobs().reader(key))) {
      assertThat(reader.lines()).hasSize(500).allMatch(line -> SAMPLE.equals(line + "\n"));
    }
  }

  @Test
  default void writer_appendsBehindWhatIsThere() throws Exception {
    Object key = fx().row("one\n".getBytes(StandardCharsets.UTF_8));
    try (Writer writer = fx().own().writer(key)) {
      writer.write("zwö\n");
      writer.flush();
      assertThat(fx().own().length(key)).isEqualTo(9);
      writer.write("drei\n");
    }
    assertThat(new String(fx().read(key), StandardCharsets.UTF_8)).isEqualTo("one\nzwö\ndrei\n");
  }

  @Test
  default void writer_ofASurrogatePairInTwoWrites_keepsIt() throws Exception {
    Object key = fx().row();
    try (Writer writer = fx().own().writer(key)) {
      writer.write('\uD83D');
      writer.write('\uDC18');
    }
    assertThat(new String(fx().read(key), StandardCharsets.UTF_8)).isEqualTo("\uD83D\uDC18");
  }

  @Test
  default void writer_ofALoneSurrogate_throws() {
    Object key = fx().row();
    assertThatThrownBy(
            () -> {
              try (Writer writer = fx().own().writer(key)) {
                writer.write("a\uD83Db");
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  default void writer_whenClosed_throws() throws Exception {
    Object key = fx().row();
    Writer writer = fx().own().writer(key);
    writer.close();
    assertThatThrownBy(() -> writer.write("a")).isInstanceOf(IOException.class);
  }

  /** What a column that takes any bytes may hold. */
  interface Malformed extends Contract {
    @Test
    default void reader_ofMalformedText_throws() {
      Object key = fx().row(new byte[] {'a', (byte) 0xC3, 'b'});
      assertThatThrownBy(
              () -> {
                try (Reader reader = fx().blobs().reader(key)) {
                  reader.transferTo(Writer.nullWriter());
                }
              })
          .isInstanceOf(CharacterCodingException.class);
    }
  }
}
