package io.pgtoaster.benchmarks.server;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** An in-memory server with MongoDB's protocol, on a free port. */
public final class MemoryMongo implements AutoCloseable {
  private final MongoServer server = new MongoServer(new MemoryBackend());
  private final String url = server.bindAndGetConnectionString();

  /** Returns a target with this server and without PostgreSQL. */
  public Target target(boolean durable) {
    return new Target("jdbc:postgresql://localhost:1/none", url, durable);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
