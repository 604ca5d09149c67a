package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.report.Question;
import io.pgtoaster.benchmarks.server.MemoryMongo;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.trial.Available;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Scale;
import io.pgtoaster.benchmarks.trial.Trial;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the trials of MongoDB's cells without JMH and without PostgreSQL. */
class MongoTrialsTest {
  private static final MemoryMongo server = new MemoryMongo();

  @BeforeAll
  static void use() {
    server.target(true).use();
  }

  @AfterAll
  static void stop() {
    for (String name : List.of("bench.url", "bench.mongodb", "bench.durable")) {
      System.clearProperty(name);
    }
    server.close();
  }

  static List<Cell> cells() {
    Plan plan = new Plan(Scale.QUICK, new Available(true, true, "MongoDB", true, false, 2, true));
    Question.all().forEach(plan::add);
    return plan.cells().stream().filter(c -> c.contender().equals(Names.MONGODB)).toList();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void eachCell_isMeasuredAndChecked_andLeavesNothing(Cell cell) throws Exception {
    Trial trial = Task.of(cell.benchmark()).opener().open(cell);
    Trial.Operation operation = trial.operation(0);
    for (int iteration = 0; iteration < 2; iteration++) {
      trial.begin();
      Meter.begin(trial.database());
      for (int i = 0; i < 100; i++) {
        operation.run();
      }
      trial.end(Meter.end(trial.database()));
    }
    trial.close();

    try (MongoClient client = MongoServer.connect(server.target(true))) {
      assertThat(client.listDatabaseNames()).isEmpty();
    }
  }
}
