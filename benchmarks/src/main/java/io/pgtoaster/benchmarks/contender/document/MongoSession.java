package io.pgtoaster.benchmarks.contender.document;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import io.pgtoaster.column.DocumentPath;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The calls that an application of MongoDB makes. Each call changes one document, for which MongoDB
 * needs no transaction.
 *
 * @param documents all of them
 * @param slices whether the server can return one element of an array
 */
record MongoSession(MongoCollection<RawBsonDocument> documents, boolean slices)
    implements StoreSession {
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
    MongoPath place = new MongoPath(path, slices);
    BsonDocument found = documents.find(Filters.eq(id)).projection(place.projection()).first();
    return found == null ? null : place.text(found);
  }

  @Override
  public Map<Long, String> getAll(Collection<Long> ids, DocumentPath path) {
    MongoPath place = new MongoPath(path, slices);
    Map<Long, String> values = new LinkedHashMap<>();
    for (BsonDocument found :
        documents.find(Filters.in("_id", ids)).projection(place.projection())) {
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
    update(
        id,
        Updates.pushEach(
            new MongoPath(array, slices).name(),
            List.of(value),
            new PushOptions().position(position)));
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
