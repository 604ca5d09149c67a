package io.pgtoaster.benchmarks.question;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.server.MemoryMongo;
import io.pgtoaster.benchmarks.server.MongoServer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the trials of MongoDB's cells without JMH and without PostgreSQL. */
class MongoTrialsTest {
  static List<Cell> cells() {
    return Question.all().stream()
        .flatMap(q -> q.cells("quick", name -> name).stream())
        .filter(c -> c.contender().equals(Names.MONGODB))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void eachCell_isMeasuredAndChecked_andLeavesNothing(Cell cell) throws Exception {
    try (MemoryMongo server = new MemoryMongo()) {
      server.target(true).use();
      Trial trial = Trial.open(cell);
      Trial.Operation operation = trial.operation(0);
      for (int iteration = 0; iteration < 2; iteration++) {
        trial.begin();
        for (int i = 0; i < 10; i++) {
          operation.run();
        }
        trial.end();
      }
      trial.close();
      try (MongoClient client = MongoServer.connect(server.target(true))) {
        assertThat(client.listDatabaseNames()).isEmpty();
      }
    }
  }
}
