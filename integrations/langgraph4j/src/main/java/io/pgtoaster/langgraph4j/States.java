package io.pgtoaster.langgraph4j;

import io.pgtoaster.chatmemory.Conversations;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.PlainTextStateSerializer;
import org.bsc.langgraph4j.serializer.StateSerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checkpoints as JSON: {"id": .., "node": .., "next": .., "state": ..}. States have one of two
 * forms. If the serializer writes JSON, the state is {"json": ..}. Otherwise it is {"bytes": {..}}
 * with Base64 text for each value, and for each element of a list.
 */
record States(StateSerializer<?> serializer) {
  ObjectNode toJson(Checkpoint checkpoint) throws IOException {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", checkpoint.getId());
    json.put("node", checkpoint.getNodeId());
    json.put("next", checkpoint.getNextNodeId());
    json.set("state", toJson(checkpoint.getState()));
    return json;
  }

  Checkpoint fromJson(ObjectNode json) {
    try {
      return Checkpoint.builder()
          .id(json.get("id").asString())
          .nodeId(json.get("node").isNull() ? null : json.get("node").asString())
          .nextNodeId(json.get("next").asString())
          .state(state(json.get("state")))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException("a checkpoint cannot be deserialized", e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class of a checkpoint does not exist", e);
    }
  }

  private JsonNode toJson(Map<String, Object> state) throws IOException {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    if (serializer instanceof PlainTextStateSerializer<?> text
        && serializer.contentType().equals("application/json")) {
      try {
        json.set("json", Conversations.parse(text.writeDataAsString(state)));
        return json;
      } catch (InvalidJsonException e) {
        // Such as a zero character, which jsonb cannot store. Bytes can be stored.
      }
    }
    ObjectNode bytes = json.putObject("bytes");
    for (Map.Entry<String, Object> member : state.entrySet()) {
      bytes.set(member.getKey(), encode(member.getValue()));
    }
    Json.check(json);
    return json;
  }

  private Map<String, @Nullable Object> state(JsonNode stored)
      throws IOException, ClassNotFoundException {
    if (stored.has("bytes")) {
      Map<String, @Nullable Object> state = new HashMap<>();
      for (Map.Entry<String, JsonNode> member : stored.get("bytes").properties()) {
        state.put(member.getKey(), decode(member.getValue()));
      }
      return state;
    }
    if (serializer instanceof PlainTextStateSerializer<?> text) {
      return new LinkedHashMap<>(text.readDataFromString(stored.get("json").toString()));
    }
    throw new IllegalStateException(
        "a serializer of JSON wrote this checkpoint, but "
            + serializer.getClass().getName()
            + " does not read JSON; use the serializer that wrote the checkpoint");
  }

  private JsonNode encode(@Nullable Object value) throws IOException {
    // Serializers return any list of the JDK as an ArrayList, but may keep the type of others.
    if (value instanceof List<?> list && value.getClass().getPackageName().equals("java.util")) {
      ArrayNode elements = JsonNodeFactory.instance.arrayNode();
      for (Object element : list) {
        elements.add(encode(element));
      }
      return elements;
    }
    byte[] bytes = serializer.dataToBytes(Collections.singletonMap("", value));
    return JsonNodeFactory.instance.stringNode(Base64.getEncoder().encodeToString(bytes));
  }

  private @Nullable Object decode(JsonNode stored) throws IOException, ClassNotFoundException {
    if (stored.isArray()) {
      List<@Nullable Object> elements = new ArrayList<>(stored.size());
      for (JsonNode element : stored) {
        elements.add(decode(element));
      }
      return elements;
    }
    return serializer.dataFromBytes(Base64.getDecoder().decode(stored.asString())).get("");
  }
}
