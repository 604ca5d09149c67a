package io.pgtoaster.examples.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A proxy between browser and application that cuts connections on demand. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Long> cutsAt = new ArrayDeque<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger answersToLose = new AtomicInteger();
  private volatile String losing = "";

  CuttingProxy(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Cuts all connections each time this many more bytes have been sent to the application. */
  synchronized void cutAfter(long... bytes) {
    long at = sent.get();
    for (long count : bytes) {
      at += count;
      cutsAt.add(at);
    }
  }

  /** Forwards requests that begin with this text, and cuts the connection before the response. */
  void loseAnswers(String request, int count) {
    losing = request;
    answersToLose.set(count);
  }

  int answersToLose() {
    return answersToLose.get();
  }

  int cuts() {
    return cuts.get();
  }

  void cutNow() {
    cuts.incrementAndGet();
    sockets.forEach(CuttingProxy::close);
    sockets.clear();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket browser = server.accept();
        Socket application = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(browser);
        sockets.add(application);
        AtomicBoolean lost = new AtomicBoolean();
        threads.execute(() -> copy(browser, application, true, lost));
        threads.execute(() -> copy(application, browser, false, lost));
      } catch (IOException e) {
        // Accept the next connection, or end if the server socket is closed.
      }
    }
  }

  private void copy(Socket from, Socket to, boolean counted, AtomicBoolean lost) {
    byte[] buffer = new byte[16 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (counted) {
          lost.set(isLost(new String(buffer, 0, count, StandardCharsets.ISO_8859_1)));
        } else if (lost.get()) {
          answersToLose.decrementAndGet();
          cutNow();
          return;
        }
        out.write(buffer, 0, count);
        if (counted && isDue(count)) {
          cutNow();
        }
      }
    } catch (IOException e) {
      // The connection was cut.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private boolean isLost(String request) {
    return answersToLose.get() > 0 && request.startsWith(losing);
  }

  private synchronized boolean isDue(int count) {
    long now = sent.addAndGet(count);
    if (cutsAt.isEmpty() || cutsAt.element() > now) {
      return false;
    }
    cutsAt.remove();
    return true;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    sockets.forEach(CuttingProxy::close);
    threads.shutdownNow();
  }
}
