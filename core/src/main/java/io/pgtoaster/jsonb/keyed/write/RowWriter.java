package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.keyed.build.Builder;
import io.pgtoaster.jsonb.keyed.build.StubBuilder;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the owner's row after an edit; moves members out if the row became too large. */
public final class RowWriter {
  private final KeyedStore store;
  private final Connection connection;
  private final RowKey key;
  private @Nullable Long document;

  public RowWriter(KeyedStore store, Connection connection, RowKey key, @Nullable Long document) {
    this.store = store.at(key);
    this.connection = connection;
    this.key = key;
    this.document = document;
  }

  /** Returns the number of the document; creates a head if it has no number yet. */
  long document() throws SQLException {
    Long known = document;
    if (known == null) {
      known =
          Query.list(connection, store.sql(KeyedSql.CREATE_HEAD), r -> r.getLong(1), key).stream()
              .findFirst()
              .orElseThrow(Refusals::noRow);
      document = known;
    }
    return known;
  }

  /** Sets the document of the row. */
  void name(long stored) {
    document = stored;
  }

  boolean isNamed() {
    return document != null;
  }

  /** Returns the number of the document; 0 if it has no number yet. */
  long documentIfNamed() {
    Long known = document;
    return known == null ? 0 : known;
  }

  /**
   * Writes the row.
   *
   * @param before text of the stub before the edit
   * @param tree the stub, or plain document, after the edit
   * @param otherBytes bytes of the row's other columns
   */
  public void write(String before, JsonNode tree, long otherBytes) throws SQLException {
    boolean split = document != null;
    long budget = store.policy().inlineBudget(otherBytes);
    boolean escapes = !split && Markers.hasSuchKey(tree);
    if (!escapes
        && (store.policy().sizeBesidePinned(tree) <= budget - (split ? SplitPolicy.MARKER : 0)
            || JsonbSize.size(tree) <= JsonbSize.size(Json.readStored(before)))) {
      update(JsonbText.text(tree));
      return;
    }
    NodeWriter writer = new NodeWriter(store, connection, this::document);
    JsonNode header = split ? tree.get(Markers.KEY) : null;
    JsonNode overflow = header == null ? null : header.get(1);
    if (header != null && tree instanceof ObjectNode stub) {
      stub.remove(Markers.KEY);
    }
    StubBuilder builder =
        new StubBuilder(
            store.policy(),
            new Builder(store.policy(), writer, split),
            this::document,
            budget,
            split,
            overflow == null ? null : (Long) overflow.longValue());
    try (JsonParser parser = Json.mapper().treeAsTokens(tree)) {
      parser.nextToken();
      StubBuilder.Stub stub = builder.read(parser);
      writer.flush();
      update(stub.text());
    }
  }

  private void update(String row) throws SQLException {
    Script script = new Script();
    script.add(store.sql(KeyedSql.UPDATE_ROW), Query.untyped(row), key);
    script.run(connection);
  }
}
