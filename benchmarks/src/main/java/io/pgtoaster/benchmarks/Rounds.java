package io.pgtoaster.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
    List<List<Double>> figures =
        Stream.generate(() -> (List<Double>) new ArrayList<Double>())
            .limit(contenders.size())
            .toList();
    List<List<Double>> spent =
        Stream.generate(() -> (List<Double>) new ArrayList<Double>())
            .limit(contenders.size())
            .toList();
    for (int round = -warmUps; round < count; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        Contender contender = contenders.get(i);
        contender.prepare().run();
        ServerCpu.Reading before = cpu.read();
        double figure = contender.measure().run();
        double millis = cpu.millisSince(before);
        if (round >= 0) {
          figures.get(i).add(figure);
          spent.get(i).add(millis);
        }
      }
    }
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      results.add(
          new Result(
              contenders.get(i).name(), new Samples(figures.get(i)), new Samples(spent.get(i))));
    }
    return results;
  }
}
