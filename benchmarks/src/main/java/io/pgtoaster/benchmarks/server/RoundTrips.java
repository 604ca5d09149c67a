package io.pgtoaster.benchmarks.server;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import javax.net.SocketFactory;

/**
 * Creates the driver's sockets and counts round trips: how often the driver reads a response after
 * it has sent something.
 */
public final class RoundTrips extends SocketFactory {
  private static final LongAdder COUNT = new LongAdder();

  /** Returns the round trips of all connections of this process so far. */
  static long count() {
    return COUNT.sum();
  }

  @Override
  public Socket createSocket() {
    return new Counted();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Socket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return new Socket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return new Socket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return new Socket(host, port, local, localPort);
  }

  private static final class Counted extends Socket {
    private volatile boolean sent;

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          return answered(in.read());
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
          return answered(in.read(buffer, offset, length));
        }
      };
    }

    private int answered(int result) {
      if (sent) {
        sent = false;
        COUNT.increment();
      }
      return result;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int one) throws IOException {
          sent = true;
          out.write(one);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
          sent = true;
          out.write(buffer, offset, length);
        }
      };
    }
  }
}
