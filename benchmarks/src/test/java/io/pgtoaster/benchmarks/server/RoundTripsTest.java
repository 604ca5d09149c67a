package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class RoundTripsTest {
  @Test
  void requestAndResponse_areOneRoundTrip_inAnyNumberOfParts() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new RoundTrips().createSocket()) {
      client.connect(server.getLocalSocketAddress());
      try (Socket other = server.accept()) {
        other.getOutputStream().write(new byte[100]);
        OutputStream out = client.getOutputStream();
        InputStream in = client.getInputStream();
        long before = RoundTrips.count();

        in.readNBytes(10);
        assertThat(RoundTrips.count() - before).as("nothing was sent").isZero();

        out.write(1);
        out.write(new byte[5], 0, 5);
        in.readNBytes(10);
        in.readNBytes(10);
        assertThat(RoundTrips.count() - before).isEqualTo(1);

        out.write(2);
        in.read();
        assertThat(RoundTrips.count() - before).isEqualTo(2);
      }
    }
  }
}
