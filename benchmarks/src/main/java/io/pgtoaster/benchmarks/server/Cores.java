package io.pgtoaster.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the measuring thread and its session on one processor, on Linux. Otherwise a round trip
 * takes 25 microseconds in one run and 90 in another, because an idle processor must sometimes be
 * woken up, and the session's processor time doubles.
 */
final class Cores {
  private Cores() {}

  /** Puts sessions and the calling thread on the last processor of this process. */
  static void together(List<String> sessions) {
    int last = Runtime.getRuntime().availableProcessors() - 1;
    Path self = Path.of("/proc/thread-self");
    if (last == 0 || !Files.exists(self)) {
      return;
    }
    try {
      List<String> all = new ArrayList<>(sessions);
      // The link's target ends with the number of the calling thread.
      all.add(String.valueOf(Files.readSymbolicLink(self).getFileName()));
      for (String process : all) {
        new ProcessBuilder("taskset", "-cp", Integer.toString(last), process)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
      }
    } catch (IOException e) {
      // Without taskset, the times vary more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
