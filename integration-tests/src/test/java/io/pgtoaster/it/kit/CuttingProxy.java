package io.pgtoaster.it.kit;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between client and server. It cuts the connection at the n-th message that the client
 * sends after {@link #arm}, either before the server receives it or after the server has responded.
 */
public final class CuttingProxy implements AutoCloseable {
  /** Never cuts a connection. */
  public static final int NEVER = Integer.MAX_VALUE;

  /** A message that is sent together with the next one. */
  private static final byte[] BEGIN = "BEGIN\0".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final ServerSocket listener;
  private final int target;
  private final AtomicInteger remaining = new AtomicInteger(NEVER);
  private volatile boolean deliver;
  private volatile boolean cut;

  public CuttingProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getByAddress(LOOPBACK));
    Wait.background(
        () -> {
          while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getByAddress(LOOPBACK), target);
            // Send messages immediately, without waiting for the responses to earlier ones.
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            AtomicBoolean deaf = new AtomicBoolean();
            Wait.background(() -> fromClient(client, server, deaf));
            Wait.background(() -> fromServer(client, server, deaf));
          }
        });
  }

  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Cuts at a message.
   *
   * @param message the number of the message from now on, from 1
   * @param delivered whether the server still receives the message, so that only its response is
   *     lost
   */
  public void arm(int message, boolean delivered) {
    deliver = delivered;
    cut = false;
    remaining.set(message);
  }

  public boolean hasCut() {
    return cut;
  }

  private Void fromClient(Socket client, Socket server, AtomicBoolean deaf) throws IOException {
    try {
      DataInputStream in = new DataInputStream(client.getInputStream());
      OutputStream out = server.getOutputStream();
      write(out, -1, body(in));
      while (true) {
        int type = in.readUnsignedByte();
        byte[] body = body(in);
        if (counts(type, body) && remaining.get() != NEVER && remaining.decrementAndGet() == 0) {
          remaining.set(NEVER);
          cut = true;
          deaf.set(true);
          if (deliver) {
            write(out, type, body);
          }
          break;
        }
        write(out, type, body);
      }
    } catch (EOFException | SocketException e) {
      deaf.set(true);
    }
    client.close();
    server.shutdownOutput();
    return null;
  }

  /**
   * Sync, Query and CopyDone are counted, because the client then waits for the server; BEGIN is
   * not.
   */
  private static boolean counts(int type, byte[] body) {
    return type == 'S' || type == 'c' || (type == 'Q' && !Arrays.equals(body, BEGIN));
  }

  /** Reads until the server has executed all that it received, even after the client is gone. */
  private static Void fromServer(Socket client, Socket server, AtomicBoolean deaf)
      throws IOException {
    byte[] buffer = new byte[65_536];
    try (client;
        server) {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      int n;
      while ((n = in.read(buffer)) >= 0) {
        if (!deaf.get()) {
          out.write(buffer, 0, n);
        }
      }
    } catch (SocketException e) {
      return null;
    }
    return null;
  }

  private static byte[] body(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - 4];
    in.readFully(body);
    return body;
  }

  private static void write(OutputStream out, int type, byte[] body) throws IOException {
    byte[] message = new byte[body.length + 5];
    message[0] = (byte) type;
    int length = body.length + 4;
    for (int i = 1; i <= 4; i++) {
      message[i] = (byte) (length >>> (32 - 8 * i));
    }
    System.arraycopy(body, 0, message, 5, body.length);
    int from = type < 0 ? 1 : 0;
    out.write(message, from, message.length - from);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  @Override
  public String toString() {
    return "proxy to port " + target;
  }
}
