package io.pgtoaster.cli.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ContentOutputTest {
  @TempDir Path temp;

  /** If the name were free for a moment, another user could create a link with it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void file_isCreatedOnce_andWritten() throws Exception {
    Path file = temp.resolve("part");
    try (WatchService events = FileSystems.getDefault().newWatchService()) {
      temp.register(events, StandardWatchEventKinds.ENTRY_CREATE);
      ContentOutput.toFile(new ByteArrayInputStream(new byte[] {7}), file, 1, true);
      List<String> created = new ArrayList<>();
      while (!created.contains("part")) {
        WatchKey key = events.take();
        for (WatchEvent<?> event : key.pollEvents()) {
          for (int i = 0; i < event.count(); i++) {
            created.add(String.valueOf(event.context()));
          }
        }
        key.reset();
      }
      assertThat(created).hasSize(2);
    }
    assertThat(file).hasBinaryContent(new byte[] {7});
  }
}
