package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

class BodyBufferTest {
  private static Set<Path> files() throws IOException {
    try (var all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(file -> file.getFileName().toString().startsWith("pgtoaster-upload"))
          .collect(Collectors.toSet());
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void largeBody_isStored_andLeavesNoFileIfTheProcessIsKilled() throws Exception {
    byte[] content = new byte[1_000_000];
    new Random(2).nextBytes(content);
    Body body =
        new Body(
            new ByteArrayInputStream(content),
            content.length,
            new UploadQueue.Turn(),
            new Heartbeat(System::nanoTime, Long.MAX_VALUE, () -> {}));
    Set<Path> before = files();
    try (BodyBuffer buffer = BodyBuffer.of(body, UploadChecksum.parse("crc32 AAAAAA=="))) {
      assertThat(before).containsAll(files());
      assertThat(buffer.length()).isEqualTo(content.length);
      try (InputStream in = buffer.open()) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
    }
  }
}
