package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.hibernate.jsonb.KnownDocument.Found;
import io.pgtoaster.internal.json.JsonCopies;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.spi.JsonVtable.Slice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;

/**
 * Answers questions about a value without loading it.
 *
 * @param state of the document
 */
record DocumentQuestions(DocumentState state) {
  /** Answers from the known value, else from the stored one. */
  private <T> T ask(
      DocumentPath path, Function<Optional<JsonNode>, T> known, Function<DocumentValue, T> stored) {
    Found found = state.foundOrUnplaced(path);
    return found.known()
        ? known.apply(Optional.ofNullable(found.value()))
        : stored.apply(state.readable(path, found));
  }

  Optional<JsonType> type(DocumentPath path) {
    return ask(path, value -> value.map(JsonType::of), DocumentValue::type);
  }

  OptionalLong size(DocumentPath path) {
    return ask(
        path,
        value ->
            value
                .filter(JsonNode::isContainer)
                .map(v -> OptionalLong.of(v.size()))
                .orElseGet(OptionalLong::empty),
        DocumentValue::size);
  }

  Optional<List<String>> keys(DocumentPath path) {
    return ask(
        path,
        value ->
            value
                .filter(JsonNode::isObject)
                .map(v -> v.propertyNames().stream().sorted(KeyOrder.JSONB).toList()),
        DocumentValue::keys);
  }

  Optional<List<JsonNode>> slice(DocumentPath path, Slice range) {
    return ask(
        path,
        value -> value.filter(JsonNode::isArray).map(array -> elements(array, range)),
        stored -> stored.slice(range.from(), range.to()));
  }

  private static List<JsonNode> elements(JsonNode array, Slice range) {
    Slice there = range.within(array.size());
    return LongStream.range(there.from(), Math.min(there.to(), array.size()))
        .mapToObj(i -> JsonCopies.copy(array.get((int) i)))
        .toList();
  }
}
