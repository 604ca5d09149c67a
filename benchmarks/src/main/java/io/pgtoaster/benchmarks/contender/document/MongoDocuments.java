package io.pgtoaster.benchmarks.contender.document;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.Target;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * MongoDB: a collection in which {@code _id} is the document's number and the member {@code data}
 * is the document, as BSON. Any kind of server works, but one without a replica set does the least
 * work.
 */
final class MongoDocuments implements DocumentStore {
  /** Waits only for the server, like a commit with {@code synchronous_commit} off. */
  private static final WriteConcern ACKNOWLEDGED = WriteConcern.W1;

  /** Waits for the disk. */
  private static final WriteConcern JOURNALED = ACKNOWLEDGED.withJournal(true);

  private final boolean durable;

  /** Whether a read can name one element of an array. FerretDB returns the array. */
  private final boolean slices;

  private final MongoClient client;
  private final MongoDatabase database;

  MongoDocuments(Target target) throws SQLException {
    durable = target.durable();
    slices = MongoServer.name(target).equals(Names.MONGODB);
    client = MongoServer.connect(target);
    database = client.getDatabase(MongoServer.newDatabase());
  }

  private MongoCollection<RawBsonDocument> documents(WriteConcern concern) {
    return database.getCollection("docs", RawBsonDocument.class).withWriteConcern(concern);
  }

  @Override
  public @Nullable Database database() {
    return null;
  }

  /** The client has a pool of connections; each call of a session uses one of them. */
  @Override
  public StoreSession session() {
    return new MongoSession(documents(durable ? JOURNALED : ACKNOWLEDGED), slices);
  }

  @Override
  public StoreSession loader() {
    return new MongoSession(documents(ACKNOWLEDGED), slices);
  }

  @Override
  public void addOthers() {
    database
        .getCollection("docs", BsonDocument.class)
        .insertMany(
            IntStream.rangeClosed(1, OTHERS)
                .mapToObj(i -> new BsonDocument("_id", new BsonInt64(-i)))
                .toList());
  }

  /** The journal is sequential: when this write is on disk, all earlier writes are, too. */
  @Override
  public void settle() {
    database
        .getCollection("settled")
        .withWriteConcern(JOURNALED)
        .replaceOne(Filters.eq(0L), new Document("_id", 0L), new ReplaceOptions().upsert(true));
  }

  @Override
  public long count() {
    return documents(ACKNOWLEDGED).countDocuments(Filters.gte("_id", 0L));
  }

  @Override
  public void close() {
    try (client) {
      database.drop();
    }
  }
}
