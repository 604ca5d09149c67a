package io.pgtoaster.it.blob.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ContentTooLongException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Expect;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
  default void reader_ofCharactersSplitAcrossAppends_joinsThem() throws Exception {
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
  default void writer_appendsToTheExistingContent() throws Exception {
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

  @Test
  default void appendText_keepsEveryCharacter() {
    Object key = fx().row();
    int bytes = SAMPLE.getBytes(StandardCharsets.UTF_8).length;
    assertThat(fx().blobs().appendText(key, SAMPLE)).isEqualTo(new AppendResult(0, bytes, false));
    fx().blobs().appendText(key, CharBuffer.wrap(SAMPLE.repeat(300)));
    assertThat(fx().blobs().appendText(key, "").offset()).isEqualTo(301L * bytes);
    assertThat(new String(fx().read(key), StandardCharsets.UTF_8)).isEqualTo(SAMPLE.repeat(301));
  }

  @Test
  default void appendText_ofALoneSurrogate_isRefusedAndNothingChanges() {
    Object key = fx().row();
    for (String text : List.of("ab\uD83Dc", "ab\uDC18", "ab\uD83D")) {
      assertThatThrownBy(() -> fx().blobs().appendText(key, text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at index 2");
    }
    assertThat(fx().blobs().info(key)).isEmpty();
  }

  @Test
  default void readerFromAnOffset_startsWithTheNextCharacter() throws Exception {
    Object key = fx().row();
    String text = "aä€\uD83D\uDC18b";
    fx().own().appendText(key, text);
    int[] characters = {0, 1, 3, 6, 10, 11};
    for (int offset = 0; offset <= 11; offset++) {
      int from = offset;
      int next = IntStream.of(characters).filter(c -> c >= from).findFirst().orElseThrow();
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      try (Reader reader = fx().blobs().reader(key, offset)) {
        StringWriter read = new StringWriter();
        reader.transferTo(read);
        assertThat(read.toString())
            .isEqualTo(new String(bytes, next, bytes.length - next, StandardCharsets.UTF_8));
      }
    }
    Expect.refused(InvalidOffsetException.class, () -> fx().blobs().reader(key, 12));
  }

  @Test
  default void tail_returnsTheLastLines() throws Exception {
    Object key = fx().row();
    List<String> lines =
        IntStream.range(0, 5000)
            .mapToObj(i -> "line " + i + " ä€\uD83D\uDC18".repeat(i % 7))
            .toList();
    fx().own().appendText(key, String.join("\n", lines) + "\n");
    for (int wanted : new int[] {0, 1, 2, 500, 4999, 5000, 5001, Integer.MAX_VALUE}) {
      assertThat(fx().blobs().tail(key, wanted))
          .isEqualTo(lines.subList(Math.max(0, 5000 - wanted), 5000));
    }
    byte[] content = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    try (BlobReader reader = fx().blobs().open(key)) {
      for (int wanted : new int[] {0, 1, 500, 5000, Integer.MAX_VALUE}) {
        int start = (int) reader.startOfLastLines(wanted);
        assertThat(
                new String(content, start, content.length - start, StandardCharsets.UTF_8).lines())
            .isEqualTo(lines.subList(Math.max(0, 5000 - wanted), 5000));
      }
    }
    assertThatThrownBy(() -> fx().blobs().tail(key, -1))
        .isInstanceOf(IllegalArgumentException.class);
    Expect.refused(BlobNotFoundException.class, () -> fx().blobs().tail(fx().row(), 1));
    Expect.refused(RowNotFoundException.class, () -> fx().blobs().tail(fx().unknownKey(), 1));
  }

  @Test
  default void tail_countsLineTerminators() {
    Map<String, List<String>> cases =
        Map.of(
            "", List.of(),
            "\n", List.of(""),
            "a", List.of("a"),
            "a\n", List.of("a"),
            "a\n\n", List.of("a", ""),
            "\na", List.of("", "a"),
            "a\r\nb\r\n", List.of("a", "b"),
            "10%\r20%\nb", List.of("10%\r20%", "b"));
    cases.forEach(
        (text, lines) -> {
          Object key = fx().row(text.getBytes(StandardCharsets.UTF_8));
          assertThat(fx().blobs().tail(key, 2)).isEqualTo(lines);
        });
  }

  @Test
  default void tail_ofALineThatFillsABlock_isWhole() {
    for (int length = 16_382; length <= 16_386; length++) {
      String line = "b".repeat(length);
      Object key = fx().row(("a\n" + line + "\n").getBytes(StandardCharsets.UTF_8));
      assertThat(fx().blobs().tail(key, 1)).isEqualTo(List.of(line));
      assertThat(fx().blobs().tail(key, 2)).isEqualTo(List.of("a", line));
    }
  }

  @Test
  default void tail_ofTooLongALine_isRefused() {
    Object key = fx().row(fx().content(1, 9));
    InputStream line = new ByteArrayInputStream("x".repeat(17 << 20).getBytes(US_ASCII));
    fx().own().replace(key, line);
    fx().own().appendText(key, "\nlast\n");
    assertThat(fx().blobs().tail(key, 1)).isEqualTo(List.of("last"));
    assertThat(Expect.refused(ContentTooLongException.class, () -> fx().blobs().tail(key, 2)))
        .hasMessageContaining("key " + key)
        .hasMessageContaining("16777216 bytes");
  }

  @Test
  default void write_ofAStream_mayCutCharactersOfTheOldText() {
    Object key = fx().row("€".repeat(2_000_000).getBytes(StandardCharsets.UTF_8));
    String change = "abc".repeat(1_500_000);
    fx().blobs().write(key, 0, new ByteArrayInputStream(change.getBytes(US_ASCII)));
    assertThat(new String(fx().read(key), StandardCharsets.UTF_8))
        .isEqualTo(change + "€".repeat(500_000));
  }

  /** Tests for columns that accept any bytes. */
  interface Malformed extends Contract {
    @Test
    default void tail_ofMalformedText_throws() {
      Object key = fx().row(new byte[] {'a', (byte) 0xC3, '\n', 'b', '\n'});
      assertThat(fx().blobs().tail(key, 1)).isEqualTo(List.of("b"));
      assertThatThrownBy(() -> fx().blobs().tail(key, 2))
          .hasRootCauseInstanceOf(CharacterCodingException.class);
    }

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
