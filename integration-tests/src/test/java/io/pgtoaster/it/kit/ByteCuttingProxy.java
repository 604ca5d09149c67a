package io.pgtoaster.it.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/**
 * Stands between client and server, counts the bytes that go one way after {@link #arm}, and cuts
 * the connection behind the n-th, once. The server does what it was sent before that.
 */
public final class ByteCuttingProxy implements AutoCloseable {
  /** No cut. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** Which way bytes go. */
  public enum Way {
    TO_SERVER,
    TO_CLIENT
  }

  private final ServerSocket listener;
  private Way way = Way.TO_SERVER;
  private long limit = NEVER;
  private long count;

  public ByteCuttingProxy(int target) throws IOException {
    this.listener = new ServerSocket(0, 50, InetAddress.getByAddress(LOOPBACK));
    Wait.background(
        () -> {
          while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getByAddress(LOOPBACK), target);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Wait.background(() -> fromClient(client, server));
            Wait.background(() -> fromServer(client, server));
          }
        });
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Counts from now on, and cuts behind a number of bytes. */
  public synchronized void arm(Way way, long bytes) {
    this.way = way;
    this.limit = bytes;
    this.count = 0;
  }

  /** Does not cut any more. */
  public synchronized void disarm() {
    limit = NEVER;
  }

  /** The bytes that went the way since it was armed. */
  public synchronized long count() {
    return count;
  }

  /** Of bytes that came, how many may go on; fewer at the cut. */
  private synchronized int pass(Way direction, int bytes) {
    if (direction != way) {
      return bytes;
    }
    int passed = (int) Math.min(bytes, limit - count);
    count += passed;
    return passed;
  }

  /** True once: the next connection is whole. */
  private synchronized boolean isCut(Way direction) {
    if (direction != way || count < limit) {
      return false;
    }
    limit = NEVER;
    return true;
  }

  private Void fromClient(Socket client, Socket server) throws IOException {
    byte[] buffer = new byte[65_536];
    try {
      InputStream in = client.getInputStream();
      OutputStream out = server.getOutputStream();
      int n;
      while ((n = in.read(buffer)) >= 0) {
        out.write(buffer, 0, pass(Way.TO_SERVER, n));
        if (isCut(Way.TO_SERVER)) {
          break;
        }
      }
    } catch (SocketException e) {
      // The client went, or was cut by the other way.
    }
    client.close();
    server.shutdownOutput();
    return null;
  }

  /** Goes on until the server has done all that it was sent, also when nobody listens any more. */
  private Void fromServer(Socket client, Socket server) throws IOException {
    byte[] buffer = new byte[65_536];
    try (client;
        server) {
      InputStream in = server.getInputStream();
      int n;
      while ((n = in.read(buffer)) >= 0) {
        if (!client.isClosed()) {
          write(client, buffer, pass(Way.TO_CLIENT, n));
        }
      }
    } catch (SocketException e) {
      return null;
    }
    return null;
  }

  private void write(Socket client, byte[] buffer, int count) throws IOException {
    try {
      client.getOutputStream().write(buffer, 0, count);
      if (isCut(Way.TO_CLIENT)) {
        client.close();
      }
    } catch (SocketException e) {
      client.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
