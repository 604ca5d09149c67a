package io.pgtoaster.it.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;

/**
 * A proxy between client and server. After {@link #arm} it counts the bytes of the newest
 * connection in one direction, and cuts the connection after the n-th byte. The server executes
 * everything that it has received before.
 */
public final class ByteCuttingProxy implements AutoCloseable {
  /** Never cuts a connection. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** The direction of bytes. */
  public enum Way {
    TO_SERVER,
    TO_CLIENT
  }

  /** A connection; {@code ended} completes when the server has ended its session. */
  private record Session(Socket client, Socket server, CompletableFuture<Boolean> ended) {}

  private final ServerSocket listener;
  private Session newest;
  private Session armed;
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
            Session session = begin(client, server);
            Wait.background(() -> fromClient(session));
            Wait.background(() -> fromServer(session));
          }
        });
  }

  private synchronized Session begin(Socket client, Socket server) {
    newest = new Session(client, server, new CompletableFuture<>());
    return newest;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Starts to count the bytes of the newest connection, and cuts it after this number. */
  public synchronized void arm(Way way, long bytes) {
    this.armed = newest;
    this.way = way;
    this.limit = bytes;
    this.count = 0;
  }

  /** Returns the bytes in that direction since the call of {@link #arm}. */
  public synchronized long count() {
    return count;
  }

  /**
   * Returns whether the proxy has cut the connection. If so, waits until the server has ended the
   * session. It has then executed everything that it received.
   */
  public boolean awaitCut() throws Exception {
    Session session = cut();
    return session != null && Wait.get(session.ended);
  }

  private synchronized Session cut() {
    return count < limit ? null : armed;
  }

  /** Returns how many of the received bytes to pass on; fewer at the cut. */
  private synchronized int pass(Session session, Way direction, int bytes) {
    if (!session.equals(armed) || direction != way) {
      return bytes;
    }
    int passed = (int) Math.min(bytes, limit - count);
    count += passed;
    return passed;
  }

  private synchronized boolean isCut(Session session, Way direction) {
    return session.equals(armed) && direction == way && count >= limit;
  }

  private Void fromClient(Session session) throws IOException {
    byte[] buffer = new byte[65_536];
    try {
      InputStream in = session.client.getInputStream();
      OutputStream out = session.server.getOutputStream();
      int n;
      while ((n = in.read(buffer)) >= 0) {
        out.write(buffer, 0, pass(session, Way.TO_SERVER, n));
        if (isCut(session, Way.TO_SERVER)) {
          break;
        }
      }
    } catch (SocketException e) {
      // The client closed the connection, or the other direction was cut.
    }
    session.client.close();
    session.server.shutdownOutput();
    return null;
  }

  /** Reads until the server has executed all that it received, even after the client is gone. */
  private Void fromServer(Session session) throws IOException {
    byte[] buffer = new byte[65_536];
    try (Socket client = session.client;
        Socket server = session.server) {
      InputStream in = server.getInputStream();
      int n;
      while ((n = in.read(buffer)) >= 0) {
        if (!client.isClosed()) {
          write(session, buffer, pass(session, Way.TO_CLIENT, n));
        }
      }
    } catch (SocketException e) {
      return null;
    } finally {
      session.ended.complete(true);
    }
    return null;
  }

  private void write(Session session, byte[] buffer, int count) throws IOException {
    try {
      session.client.getOutputStream().write(buffer, 0, count);
      if (isCut(session, Way.TO_CLIENT)) {
        session.client.close();
      }
    } catch (SocketException e) {
      session.client.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
