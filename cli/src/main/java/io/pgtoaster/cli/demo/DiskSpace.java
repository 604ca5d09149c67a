package io.pgtoaster.cli.demo;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.terminal.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What fits on the embedded server's disk; nothing is known of another server's. */
final class DiskSpace {
  /** Write-ahead log that may pile up, and some air. */
  private static final long RESERVE = 3_000_000_000L;

  private final long usable;

  DiskSpace(@Nullable Path directory) throws IOException {
    this.usable =
        directory == null ? Long.MAX_VALUE : Files.getFileStore(directory).getUsableSpace();
  }

  void requireForTransfers(long bytes, int rounds) {
    long needed = Math.addExact(RESERVE, bytes * 4 * rounds);
    if (needed > usable) {
      throw new Failure(
          ExitCode.FAILED,
          "the demo needs "
              + ByteSize.format(needed)
              + " of disk space, and there are "
              + ByteSize.format(usable)
              + "\ngive a smaller FILE or fewer --rounds");
    }
  }

  /** Leaves out the sizes that do not fit beside the transfers. */
  List<Long> fitting(List<Long> sizes, long transferBytes, int rounds) {
    long left = usable - RESERVE - transferBytes * 4 * rounds;
    return sizes.stream().filter(size -> size < left / 6).toList();
  }
}
