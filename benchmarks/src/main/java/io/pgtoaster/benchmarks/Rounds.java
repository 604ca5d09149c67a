package io.pgtoaster.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.pgtoaster.benchmarks.server.ServerCpu;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs contenders in turn, round after round, so that whatever else a machine does meets all of
 * them. JMH runs one after the other has finished, and cannot do this.
 *
 * @param count rounds that count
 * @param warmUps rounds before them that do not
 * @param cpu of the server
 */
record Rounds(int count, int warmUps, ServerCpu cpu) {
  List<Result> run(List<Contender> contenders) throws Exception {
    List<Log> logs = contenders.stream().map(contender -> new Log()).toList();
    for (int round = -warmUps; round < count; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        Contender contender = contenders.get(i);
        ServerCpu.Reading server = cpu.read();
        long client = clientNanos();
        double figure = contender.measure().run();
        double clientMillis = (clientNanos() - client) / 1e6;
        double serverMillis = cpu.millisSince(server);
        if (round >= 0) {
          logs.get(i).add(figure, serverMillis, clientMillis);
        }
      }
    }
    return IntStream.range(0, logs.size())
        .mapToObj(i -> logs.get(i).result(contenders.get(i).name()))
        .toList();
  }

  private static long clientNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }

  private static final class Log {
    private final List<Double> figures = new ArrayList<>();
    private final List<Double> server = new ArrayList<>();
    private final List<Double> client = new ArrayList<>();

    void add(double figure, double serverMillis, double clientMillis) {
      figures.add(figure);
      server.add(serverMillis);
      client.add(clientMillis);
    }

    Result result(String name) {
      return new Result(name, new Samples(figures), new Samples(server), new Samples(client));
    }
  }
}
