package io.pgtoaster.hibernate.jsonb;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes the document itself as JSON, including changes, value by value. It reads members that are
 * not loaded, so the session must be open.
 */
final class KeyedJsonSerializer extends StdSerializer<KeyedJson<?>> {
  KeyedJsonSerializer() {
    super(KeyedJson.class);
  }

  @Override
  public void serialize(KeyedJson<?> document, JsonGenerator json, SerializationContext context) {
    context.writeValue(json, document.state().whole());
  }

  @Override
  public void serializeWithType(
      KeyedJson<?> document,
      JsonGenerator json,
      SerializationContext context,
      TypeSerializer type) {
    serialize(document, json, context);
  }
}
