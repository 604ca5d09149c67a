package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.Markers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Nodes in memory in the form of the store. Converts nodes back to a value. */
final class Nodes implements NodeSink {
  record Inner(char kind, List<Child> children) {}

  final Map<Long, LeafContent> leaves = new LinkedHashMap<>();
  final Map<Long, Inner> inners = new LinkedHashMap<>();

  @Override
  public long leaf(LeafContent piece) {
    long id = Ids.next();
    leaves.put(id, piece);
    return id;
  }

  @Override
  public long inner(char kind, List<Child> children) {
    long id = Ids.next();
    inners.put(id, new Inner(kind, children));
    return id;
  }

  /** Returns the value of a stub, without markers and escaped keys. */
  JsonNode whole(JsonNode stub) {
    JsonNode header = stub.isObject() ? stub.get(Markers.KEY) : null;
    if (header == null || !header.isArray()) {
      return value(stub);
    }
    ObjectNode members = ((ObjectNode) stub).deepCopy();
    members.remove(Markers.KEY);
    JsonNode rest = header.size() > 1 ? branch(header.get(1).longValue()) : null;
    if (rest == null) {
      return value(members);
    }
    if (members.isEmpty() && !rest.isObject()) {
      return rest;
    }
    ObjectNode all = (ObjectNode) value(members);
    all.setAll((ObjectNode) rest);
    return all;
  }

  private JsonNode value(JsonNode stored) {
    Long branch = Markers.branch(stored);
    if (branch != null) {
      return branch(branch);
    }
    if (stored.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      stored.properties().forEach(m -> copy.set(Markers.unescape(m.getKey()), value(m.getValue())));
      return copy;
    }
    if (stored.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      stored.forEach(e -> copy.add(value(e)));
      return copy;
    }
    return stored;
  }

  private JsonNode branch(long id) {
    List<LeafContent> pieces = new ArrayList<>();
    collect(id, pieces);
    JsonNode first = Json.readStored(pieces.get(0).text());
    if (pieces.size() == 1) {
      return value(first);
    }
    if (first.isString()) {
      StringBuilder text = new StringBuilder();
      pieces.forEach(p -> text.append(Json.readStored(p.text()).stringValue()));
      return JsonNodeFactory.instance.stringNode(text.toString());
    }
    if (first.isArray()) {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      pieces.forEach(p -> all.addAll((ArrayNode) value(Json.readStored(p.text()))));
      return all;
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    pieces.forEach(p -> all.setAll((ObjectNode) value(Json.readStored(p.text()))));
    return all;
  }

  private void collect(long id, List<LeafContent> pieces) {
    Inner inner = inners.get(id);
    if (inner == null) {
      pieces.add(leaves.get(id));
    } else {
      inner.children().forEach(c -> collect(c.id(), pieces));
    }
  }
}
