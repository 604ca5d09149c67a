package io.pgtoaster.it.cli;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Runs the commands one after another in one JVM, because starting a JVM takes longer than most
 * commands. Each command reads and writes files through the descriptors of the three standard
 * streams.
 */
final class CliHost implements AutoCloseable {
  private final Process process;
  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  /**
   * Starts the JVM.
   *
   * @param builder starts a command; its class path contains the command line's jar and {@link
   *     #classes}
   */
  CliHost(ProcessBuilder builder) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listener.setSoTimeout(60_000);
      builder.command().add(CliHost.class.getName());
      builder.command().add(Integer.toString(listener.getLocalPort()));
      this.process = builder.inheritIO().start();
      this.socket = listener.accept();
    }
    this.in = new DataInputStream(socket.getInputStream());
    this.out = new DataOutputStream(socket.getOutputStream());
  }

  /** Runs a command and returns its exit code. */
  int run(Path input, Path output, Path errors, String... args) throws IOException {
    out.writeUTF(input.toString());
    out.writeUTF(output.toString());
    out.writeUTF(errors.toString());
    out.writeInt(args.length);
    for (String arg : args) {
      out.writeUTF(arg);
    }
    return in.readInt();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    process.onExit().join();
  }

  /** Runs in the other JVM: executes commands from a port until it is closed. */
  public static void main(String... args) throws Exception {
    Method commandLine = Class.forName("io.pgtoaster.cli.Main").getDeclaredMethod("commandLine");
    commandLine.setAccessible(true);
    int port = Integer.parseInt(args[0]);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      while (true) {
        String[] streams = {in.readUTF(), in.readUTF(), in.readUTF()};
        String[] words = new String[in.readInt()];
        for (int i = 0; i < words.length; i++) {
          words[i] = in.readUTF();
        }
        out.writeInt(run(commandLine, streams, words));
      }
    } catch (EOFException e) {
      return; // the tests have ended
    }
  }

  private static int run(Method commandLine, String[] streams, String[] words) throws Exception {
    PrintStream itsOwn = System.err;
    try (FileInputStream input = new FileInputStream(streams[0]);
        FileOutputStream output = new FileOutputStream(streams[1]);
        FileOutputStream errors = new FileOutputStream(streams[2])) {
      give(input.getFD(), FileDescriptor.in);
      give(output.getFD(), FileDescriptor.out);
      give(errors.getFD(), FileDescriptor.err);
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
      Object line = commandLine.invoke(null);
      Method execute = line.getClass().getMethod("execute", String[].class);
      int code = (int) execute.invoke(line, (Object) words);
      give(FileDescriptor.in, input.getFD());
      give(FileDescriptor.out, output.getFD());
      give(FileDescriptor.err, errors.getFD());
      return code;
    } finally {
      System.setErr(itsOwn);
    }
  }

  /** Makes the second descriptor refer to the first one's file, or to none if that is closed. */
  private static void give(FileDescriptor from, FileDescriptor to) throws Exception {
    Field fd = FileDescriptor.class.getDeclaredField("fd");
    fd.setAccessible(true);
    fd.set(to, fd.get(from));
    Field closed = FileDescriptor.class.getDeclaredField("closed");
    closed.setAccessible(true);
    closed.set(to, false);
  }

  /** Returns the directory of this class. */
  static Path classes() throws Exception {
    return Path.of(CliHost.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
