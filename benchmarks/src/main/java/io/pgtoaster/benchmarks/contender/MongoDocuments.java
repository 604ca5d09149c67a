package io.pgtoaster.benchmarks.contender;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
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
  public Session session() {
    return new Calls(documents(durable ? JOURNALED : ACKNOWLEDGED), slices);
  }

  @Override
  public Session loader() {
    return new Calls(documents(ACKNOWLEDGED), slices);
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

  /**
   * The calls of an application. Each changes one document, for which MongoDB needs no transaction.
   */
  private record Calls(MongoCollection<RawBsonDocument> documents, boolean slices)
      implements Session {
    /** The text is parsed directly into BSON, without a tree. */
    private static RawBsonDocument document(long id, String json) {
      return RawBsonDocument.parse("{\"_id\": " + id + ", \"data\": " + json + "}");
    }

    @Override
    public void insert(long id, String json) {
      documents.insertOne(document(id, json));
    }

    @Override
    public void put(long id, String json) {
      changed(documents.replaceOne(Filters.eq(id), document(id, json)));
    }

    @Override
    public String load(long id) {
      return String.valueOf(get(id, DocumentPath.root()));
    }

    @Override
    public @Nullable String get(long id, DocumentPath path) {
      return getAll(List.of(id), path).get(id);
    }

    @Override
    public Map<Long, String> getAll(Collection<Long> ids, DocumentPath path) {
      MongoPath place = new MongoPath(path, slices);
      Bson wanted = ids.size() == 1 ? Filters.eq(ids.iterator().next()) : Filters.in("_id", ids);
      Map<Long, String> values = new LinkedHashMap<>();
      for (BsonDocument found : documents.find(wanted).projection(place.projection())) {
        values.put(found.getNumber("_id").longValue(), place.text(found));
      }
      return values;
    }

    @Override
    public void set(long id, DocumentPath path, Object value) {
      update(id, Updates.set(new MongoPath(path, slices).name(), value));
    }

    @Override
    public void append(long id, DocumentPath array, Object value) {
      update(id, Updates.push(new MongoPath(array, slices).name(), value));
    }

    @Override
    public void insertAt(long id, DocumentPath element, Object value) {
      int last = element.steps().size() - 1;
      DocumentPath array = new DocumentPath(element.steps().subList(0, last));
      int position = Integer.parseInt(element.steps().get(last));
      PushOptions at = new PushOptions().position(position);
      update(id, Updates.pushEach(new MongoPath(array, slices).name(), List.of(value), at));
    }

    private void update(long id, Bson update) {
      changed(documents.updateOne(Filters.eq(id), update));
    }

    private static void changed(UpdateResult result) {
      if (result.getMatchedCount() != 1) {
        throw new IllegalStateException("there is no such document");
      }
    }

    /** Keeps the client open, because other sessions share it. */
    @Override
    public void close() {}
  }
}
