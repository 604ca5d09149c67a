package io.pgtoaster.langgraph4j;

import io.pgtoaster.chatmemory.Conversations;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bsc.langgraph4j.serializer.PlainTextStateSerializer;
import org.bsc.langgraph4j.serializer.StateSerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * States as JSON, in one of two forms. If the serializer writes JSON, the state is {"json": ..}.
 * Otherwise it is {"bytes": {..}} with Base64 text for each value, and for each element of a list.
 */
final class States {
  private final StateSerializer<?> serializer;

  States(StateSerializer<?> serializer) {
    this.serializer = serializer;
  }

  JsonNode toJson(Map<String, Object> state) throws IOException {
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
      Object value = member.getValue();
      if (isPlainList(value)) {
        ArrayNode elements = bytes.putArray(member.getKey());
        for (Object element : (List<?>) value) {
          elements.add(encode(element));
        }
      } else {
        bytes.put(member.getKey(), encode(value));
      }
    }
    Json.check(json);
    return json;
  }

  Map<String, Object> fromJson(JsonNode state) throws IOException, ClassNotFoundException {
    JsonNode json = state.get("json");
    if (json == null) {
      return fromBytes(state.path("bytes"));
    }
    if (serializer instanceof PlainTextStateSerializer<?> text) {
      return text.readDataFromString(json.toString());
    }
    throw new IllegalStateException(
        "a serializer of JSON wrote this checkpoint, but "
            + serializer.getClass().getName()
            + " does not read JSON; use the serializer that wrote the checkpoint");
  }

  private Map<String, Object> fromBytes(JsonNode bytes) throws IOException, ClassNotFoundException {
    Map<String, Object> state = new HashMap<>();
    for (Map.Entry<String, JsonNode> member : bytes.properties()) {
      if (member.getValue().isArray()) {
        List<@Nullable Object> elements = new ArrayList<>(member.getValue().size());
        for (JsonNode element : member.getValue()) {
          elements.add(decode(element));
        }
        state.put(member.getKey(), elements);
      } else {
        state.put(member.getKey(), decode(member.getValue()));
      }
    }
    return state;
  }

  /** Serializers return any list of the JDK as an ArrayList, but may keep the type of others. */
  private static boolean isPlainList(@Nullable Object value) {
    return value instanceof List<?> && value.getClass().getPackageName().equals("java.util");
  }

  private String encode(@Nullable Object value) throws IOException {
    return Base64.getEncoder()
        .encodeToString(serializer.dataToBytes(Collections.singletonMap("", value)));
  }

  private @Nullable Object decode(JsonNode text) throws IOException, ClassNotFoundException {
    byte[] bytes = Base64.getDecoder().decode(text.asString());
    return serializer.dataFromBytes(bytes).get("");
  }
}
