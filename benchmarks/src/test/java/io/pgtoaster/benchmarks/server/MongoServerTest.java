package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.client.MongoClient;
import java.sql.SQLException;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class MongoServerTest {
  @Test
  void server_reportsItsVersion() throws Exception {
    try (MemoryMongo server = new MemoryMongo()) {
      assertThat(MongoServer.version(server.target(true))).matches("\\d+[.]\\d+[.]\\d+");
    }
  }

  @Test
  void unreachableServer_isReported() {
    Target target =
        new Target("", null, "mongodb://localhost:1/?serverSelectionTimeoutMS=100", true);

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> MongoServer.version(target))
        .withMessageContaining("MongoDB's server does not answer")
        .withMessageContaining("localhost:1");
  }

  @Test
  void anotherUrl_isRefused() {
    MongoServer.checkUrl("mongodb://localhost:27017");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> MongoServer.checkUrl("jdbc:postgresql://localhost/postgres"))
        .withMessageStartingWith("--mongodb is mongodb://host:port");
  }

  @Test
  void onlyLeftoversOfTrials_areDropped() throws Exception {
    try (MemoryMongo server = new MemoryMongo();
        MongoClient client = MongoServer.connect(server.target(true))) {
      for (String name : new String[] {MongoServer.newDatabase(), "others"}) {
        client.getDatabase(name).getCollection("docs").insertOne(new Document("_id", 1));
      }

      MongoServer.drop(server.target(true));

      assertThat(client.listDatabaseNames()).contains("others").hasSize(1);
    }
  }
}
