package io.pgtoaster.springai;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of messages. */
final class MessageJson {
  /** Each message adds its type to its metadata. */
  private static final String TYPE = "messageType";

  private MessageJson() {}

  static JsonNode write(Message message) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", message.getMessageType().name());
    json.put("text", message.getText());
    Map<String, Object> metadata = new LinkedHashMap<>(message.getMetadata());
    metadata.remove(TYPE);
    if (!metadata.isEmpty()) {
      json.set("metadata", MetadataJson.writeMap(metadata));
    }
    if (message instanceof MediaContent content) {
      array(json, "media", content.getMedia(), MessageJson::media);
    }
    if (message instanceof AssistantMessage assistant) {
      array(json, "toolCalls", assistant.getToolCalls(), MessageJson::call);
    }
    if (message instanceof ToolResponseMessage tool) {
      array(json, "responses", tool.getResponses(), MessageJson::response);
    }
    return json;
  }

  private static <T> void array(
      ObjectNode json, String name, List<T> values, Function<T, JsonNode> write) {
    if (!values.isEmpty()) {
      ArrayNode array = json.putArray(name);
      values.forEach(value -> array.add(write.apply(value)));
    }
  }

  private static JsonNode call(AssistantMessage.ToolCall call) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", call.id())
        .put("type", call.type())
        .put("name", call.name())
        .put("arguments", call.arguments());
  }

  private static JsonNode response(ToolResponseMessage.ToolResponse response) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", response.id())
        .put("name", response.name())
        .put("data", response.responseData());
  }

  private static JsonNode media(Media media) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", media.getId());
    json.put("mimeType", media.getMimeType().toString());
    json.put("name", media.getName());
    if (media.getData() instanceof byte[] bytes) {
      json.put("bytes", Base64.getEncoder().encodeToString(bytes));
    } else {
      json.put("uri", media.getData().toString());
    }
    return json;
  }

  static Message read(JsonNode json) {
    MessageType type = MessageType.valueOf(json.path("type").asString());
    @Nullable String text = text(json, "text");
    Map<String, Object> metadata = MetadataJson.readMap(json.path("metadata"));
    return switch (type) {
      case USER ->
          UserMessage.builder()
              .text(text == null ? "" : text)
              .media(list(json.path("media"), MessageJson::media))
              .metadata(metadata)
              .build();
      case ASSISTANT ->
          AssistantMessage.builder()
              .content(text)
              .properties(metadata)
              .toolCalls(list(json.path("toolCalls"), MessageJson::call))
              .media(list(json.path("media"), MessageJson::media))
              .build();
      case SYSTEM ->
          SystemMessage.builder().text(text == null ? "" : text).metadata(metadata).build();
      case TOOL ->
          ToolResponseMessage.builder()
              .responses(list(json.path("responses"), MessageJson::response))
              .metadata(metadata)
              .build();
    };
  }

  private static <T> List<T> list(JsonNode array, Function<JsonNode, T> read) {
    List<T> values = new ArrayList<>();
    array.forEach(element -> values.add(read.apply(element)));
    return values;
  }

  private static AssistantMessage.ToolCall call(JsonNode json) {
    return new AssistantMessage.ToolCall(
        string(json, "id"), string(json, "type"), string(json, "name"), string(json, "arguments"));
  }

  private static ToolResponseMessage.ToolResponse response(JsonNode json) {
    return new ToolResponseMessage.ToolResponse(
        string(json, "id"), string(json, "name"), string(json, "data"));
  }

  private static Media media(JsonNode json) {
    Media.Builder media =
        Media.builder().mimeType(MimeTypeUtils.parseMimeType(string(json, "mimeType")));
    @Nullable String id = text(json, "id");
    if (id != null) {
      media.id(id);
    }
    media.name(string(json, "name"));
    @Nullable String bytes = text(json, "bytes");
    return bytes == null
        ? media.data(string(json, "uri")).build()
        : media.data(Base64.getDecoder().decode(bytes)).build();
  }

  private static @Nullable String text(JsonNode json, String name) {
    JsonNode value = json.path(name);
    return value.isString() ? value.stringValue() : null;
  }

  /** Returns text that the constructors require, although some providers omit it. */
  @SuppressWarnings("NullAway")
  private static String string(JsonNode json, String name) {
    return text(json, name);
  }
}
