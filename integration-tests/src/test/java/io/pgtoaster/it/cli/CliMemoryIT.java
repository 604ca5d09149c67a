package io.pgtoaster.it.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The client's memory depends on its buffers, not on the size of the values. */
@Tag("ci")
@Tag("turn-2")
class CliMemoryIT {
  private static final int SIZE = 80 << 20;

  @Test
  void eightyMegabytes_areStreamedByAJvmWith32Megabytes() throws Exception {
    List<String> small = List.of("-Xmx32m");
    try (CliHome home = CliHome.create()) {
      MessageDigest sent = MessageDigest.getInstance("SHA-256");
      Process append = home.command(small, "append", "big").start();
      byte[] piece = new byte[1 << 20];
      Random random = new Random(1);
      try (OutputStream out = append.getOutputStream()) {
        for (int at = 0; at < SIZE; at += piece.length) {
          random.nextBytes(piece);
          sent.update(piece);
          out.write(piece);
        }
      }
      assertThat(new String(append.getErrorStream().readAllBytes(), UTF_8)).contains("" + SIZE);
      assertThat(append.waitFor()).isZero();

      MessageDigest received = MessageDigest.getInstance("SHA-256");
      Process cat = home.command(small, "cat", "big").start();
      try (InputStream in = new DigestInputStream(cat.getInputStream(), received)) {
        assertThat(in.transferTo(OutputStream.nullOutputStream())).isEqualTo(SIZE);
      }
      assertThat(cat.waitFor()).isZero();
      assertThat(received.digest()).isEqualTo(sent.digest());
    }
  }
}
