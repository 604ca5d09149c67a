package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.hibernate.jsonb.KnownDocument.Found;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.spi.JsonVtable.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * Answers questions about a value without loading it.
 *
 * @param state of the document
 */
record DocumentQuestions(DocumentState state) {
  Optional<JsonType> type(DocumentPath path) {
    Found found = state.foundOrUnplaced(path);
    if (found.known()) {
      return Optional.ofNullable(found.value()).map(JsonType::of);
    }
    return state.readable(path, found).type();
  }

  OptionalLong size(DocumentPath path) {
    Found found = state.foundOrUnplaced(path);
    if (found.known()) {
      JsonNode value = found.value();
      return value != null && value.isContainer()
          ? OptionalLong.of(value.size())
          : OptionalLong.empty();
    }
    return state.readable(path, found).size();
  }

  Optional<List<String>> keys(DocumentPath path) {
    Found found = state.foundOrUnplaced(path);
    if (found.known()) {
      JsonNode value = found.value();
      return value != null && value.isObject()
          ? Optional.of(value.propertyNames().stream().sorted(KeyOrder.JSONB).toList())
          : Optional.empty();
    }
    return state.readable(path, found).keys();
  }

  Optional<List<JsonNode>> slice(DocumentPath path, Slice range) {
    Found found = state.foundOrUnplaced(path);
    if (!found.known()) {
      return state.readable(path, found).slice(range.from(), range.to());
    }
    JsonNode value = found.value();
    if (value == null || !value.isArray()) {
      return Optional.empty();
    }
    List<JsonNode> elements = new ArrayList<>();
    Slice there = range.within(value.size());
    for (long i = there.from(); i < Math.min(there.to(), value.size()); i++) {
      elements.add(JsonCopies.copy(value.get((int) i)));
    }
    return Optional.of(elements);
  }
}
