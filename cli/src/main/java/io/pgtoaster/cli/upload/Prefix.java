package io.pgtoaster.cli.upload;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.terminal.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Checks whether the stored content is a prefix of a file. */
public final class Prefix {
  private static final int BUFFER = 1 << 18;

  private Prefix() {}

  /**
   * Compares the stored content with the file, byte by byte.
   *
   * @param blobs the column
   * @param key key of the row
   * @param file file that was being uploaded
   * @param last how many of the last stored bytes to compare
   * @param quiet whether to show no progress
   * @return length of the stored content, where the upload continues
   * @throws IOException if either cannot be read
   * @throws Failure if the stored content is not a prefix of the file
   */
  public static long check(BlobColumn blobs, List<String> key, Path file, long last, boolean quiet)
      throws IOException {
    if (blobs.info(key).isEmpty()) {
      return 0;
    }
    try (BlobReader reader = blobs.open(key)) {
      long length = reader.length();
      long size = Files.size(file);
      if (length > size) {
        throw new Failure(
            ExitCode.CONFLICT,
            "cannot resume: the blob already has "
                + length
                + " bytes, but "
                + file
                + " has only "
                + size);
      }
      compare(reader, Math.max(0, length - last), length, file, quiet);
      return length;
    }
  }

  private static void compare(BlobReader reader, long from, long to, Path file, boolean quiet)
      throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream stored = reader.inputStream(from, to - from);
        Progress progress = Progress.start("compare", to - from, quiet)) {
      in.skipNBytes(from);
      byte[] expected = new byte[BUFFER];
      byte[] found = new byte[BUFFER];
      for (long at = from; at < to; ) {
        int n = stored.readNBytes(found, 0, (int) Math.min(BUFFER, to - at));
        int m = in.readNBytes(expected, 0, n);
        int difference = Arrays.mismatch(found, 0, n, expected, 0, m);
        if (difference >= 0 || n == 0) {
          throw new Failure(
              ExitCode.CONFLICT,
              "cannot resume: the stored content differs from "
                  + file
                  + " at offset "
                  + (at + Math.max(0, difference))
                  + "\ntruncate the blob to that offset and resume again, or use another key");
        }
        at += n;
        progress.add(n);
      }
    }
  }
}
