package io.pgtoaster.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The three standard streams: which of them are terminals, and their bytes as they are. */
public final class Terminal {
  private Terminal() {}

  /**
   * Opens standard input for bytes.
   *
   * @return the stream, without a buffer
   */
  public static InputStream standardInput() {
    return new FileInputStream(FileDescriptor.in);
  }

  /**
   * Opens standard output for bytes. {@link System#out} would hide that its reader has gone.
   *
   * @return the stream, without a buffer
   */
  public static OutputStream standardOutput() {
    return new FileOutputStream(FileDescriptor.out);
  }

  /**
   * Tells whether a standard stream is a terminal. The launcher, which can ask the system, says it
   * in the property {@code pgtoaster.tty}, such as {@code 02} for input and errors.
   *
   * @param descriptor 0, 1 or 2
   * @return false if it is not, or if that cannot be told
   */
  public static boolean isTerminal(int descriptor) {
    @Nullable String known = System.getProperty("pgtoaster.tty");
    if (known != null) {
      return known.indexOf((char) ('0' + descriptor)) >= 0;
    }
    String target = target(descriptor);
    return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
  }

  /**
   * Tells whether writing to standard output failed because its reader has gone, as in {@code cat
   * KEY | head}.
   *
   * @param e what the write threw
   * @return true if so
   */
  public static boolean readerHasGone(IOException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return message.contains("pipe") || target(1).startsWith("pipe:");
  }

  /** Returns the width of the terminal in characters. */
  static int width() {
    @Nullable Integer columns = Integer.getInteger("pgtoaster.columns");
    return columns == null || columns < 40 ? 80 : columns;
  }

  private static String target(int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }
}
