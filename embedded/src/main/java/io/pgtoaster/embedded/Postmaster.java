package io.pgtoaster.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The server process in the {@code postmaster.pid} of a data directory. */
record Postmaster(long pid, int port, String status) {
  private static final byte[] SSL_REQUEST = {0, 0, 0, 8, 4, (byte) 210, 22, 47};
  private static final int TIMEOUT_MILLIS = 2000;

  /** A process id that no system assigns. */
  private static final String NO_PID = "2147483646";

  /** Returns the server that runs on a data directory, ready or not. */
  static Optional<Postmaster> of(Path dataDirectory) {
    return read(dataDirectory).filter(postmaster -> postmaster.runsIn(dataDirectory));
  }

  private static Optional<Postmaster> read(Path dataDirectory) {
    try {
      // Latin-1: the file may contain a directory name in any encoding.
      List<String> lines = Files.readAllLines(file(dataDirectory), StandardCharsets.ISO_8859_1);
      long pid = Long.parseLong(lines.get(0).strip());
      int port = lines.size() > 3 ? Integer.parseInt(lines.get(3).strip()) : 0;
      return Optional.of(new Postmaster(pid, port, lines.size() > 7 ? lines.get(7).strip() : ""));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException absentOrHalfWritten) {
      return Optional.empty();
    }
  }

  /**
   * Neutralises the files of a dead server. Its process id may belong to another process of the
   * same user after a reboot, or to a zombie; the next server would then refuse to start. Only the
   * process id in postmaster.pid is replaced, so the server still checks that no orphan of the old
   * one uses its shared memory.
   */
  static void disarmStaleFiles(Path dataDirectory) throws IOException {
    Path file = file(dataDirectory);
    if (!Files.exists(file) || of(dataDirectory).isPresent()) {
      return;
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (text.contains("\n")) {
      String rest = text.substring(text.indexOf('\n'));
      Files.writeString(file, NO_PID + rest, StandardCharsets.ISO_8859_1);
    }
    try (var sockets = Files.newDirectoryStream(dataDirectory, ".s.PGSQL.*")) {
      for (Path socket : sockets) {
        Files.deleteIfExists(socket);
      }
    }
  }

  private static Path file(Path dataDirectory) {
    return dataDirectory.resolve("postmaster.pid");
  }

  /**
   * Checks the process's working directory, which for a server is the data directory, because the
   * id may belong to another process now.
   */
  private boolean runsIn(Path dataDirectory) {
    Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    if (process.isEmpty()) {
      return false;
    }
    Path proc = Path.of("/proc", Long.toString(pid));
    if (!Files.exists(Path.of("/proc/self/cwd"))) {
      return process.get().info().command().map(name -> name.contains("postgres")).orElse(true);
    }
    try {
      return Files.isSameFile(proc.resolve("cwd"), dataDirectory);
    } catch (AccessDeniedException notOurs) {
      return isNamedPostgres(proc);
    } catch (NoSuchFileException goneOrZombie) {
      return false;
    } catch (IOException e) {
      return isNamedPostgres(proc);
    }
  }

  private static boolean isNamedPostgres(Path proc) {
    try {
      return Files.readString(proc.resolve("comm")).startsWith("postgres");
    } catch (IOException gone) {
      return false;
    }
  }

  /** Returns true if the server reports that it accepts connections, and accepts one. */
  boolean isReady() {
    if (!status.equals("ready") && !status.equals("standby")) {
      return false;
    }
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
          TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(SSL_REQUEST);
      InputStream in = socket.getInputStream();
      int answer = in.read();
      return answer == 'S' || answer == 'N';
    } catch (IOException e) {
      return false;
    }
  }
}
