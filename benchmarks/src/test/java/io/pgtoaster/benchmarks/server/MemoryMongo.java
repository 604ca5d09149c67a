package io.pgtoaster.benchmarks.server;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** A server that answers MongoDB's protocol from memory, on a free port. */
public final class MemoryMongo implements AutoCloseable {
  private final MongoServer server = new MongoServer(new MemoryBackend());
  private final String url = server.bindAndGetConnectionString();

  /** The servers of a run that has this one, and none of PostgreSQL. */
  public Target target(boolean durable) {
    return new Target("jdbc:postgresql://localhost:1/none", null, url, durable);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
