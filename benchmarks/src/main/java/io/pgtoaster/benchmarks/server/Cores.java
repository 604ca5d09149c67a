package io.pgtoaster.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * Keeps the measuring thread and its session on one processor, on Linux. Otherwise a round trip
 * takes 25 microseconds in one run and 90 in another, because an idle processor must sometimes be
 * woken up, and the session's processor time doubles.
 */
public final class Cores {
  private Cores() {}

  /** Puts sessions and the calling thread on the last processor of this process. */
  static void together(Collection<Long> sessions) {
    Optional<String> last = last();
    boolean moved = last.isPresent();
    for (long session : sessions) {
      moved = moved && set(last.orElseThrow(), Long.toString(session));
    }
    try {
      // The link's target ends in the number of the calling thread.
      Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
      if (moved && thread != null) {
        set(last.orElseThrow(), thread.toString());
      }
    } catch (IOException e) {
      // This is not Linux.
    }
  }

  /** Returns whether a session can be moved: its process is on this machine and permits it. */
  public static boolean reaches(long session) {
    return last().filter(last -> set("0-" + last, Long.toString(session))).isPresent();
  }

  /** Returns the number of the last processor of this process; empty if it has only one. */
  private static Optional<String> last() {
    int last = Runtime.getRuntime().availableProcessors() - 1;
    return last == 0 ? Optional.empty() : Optional.of(Integer.toString(last));
  }

  private static boolean set(String processors, String process) {
    try {
      return new ProcessBuilder("taskset", "-cp", processors, process)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
