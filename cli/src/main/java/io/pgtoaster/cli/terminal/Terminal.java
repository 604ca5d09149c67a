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

/** The three standard streams: whether they are terminals, and their unmodified bytes. */
public final class Terminal {
  private Terminal() {}

  /**
   * Opens standard input for bytes.
   *
   * @return the stream, unbuffered
   */
  public static InputStream standardInput() {
    return new FileInputStream(FileDescriptor.in);
  }

  /**
   * Opens standard output for bytes. {@link System#out} would hide that its reader has closed the
   * pipe.
   *
   * @return the stream, unbuffered
   */
  public static OutputStream standardOutput() {
    return new FileOutputStream(FileDescriptor.out);
  }

  /**
   * Returns whether a standard stream is a terminal. The launcher, which can ask the operating
   * system, sets the property {@code pgtoaster.tty}, such as {@code 02} for input and errors.
   *
   * @param descriptor 0, 1 or 2
   * @return false if it is not a terminal, or if that is unknown
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
   * Returns whether writing to standard output failed because its reader closed the pipe, as in
   * {@code cat KEY | head}.
   *
   * @param e exception that the write threw
   * @return true if so
   */
  public static boolean readerHasClosed(IOException e) {
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
