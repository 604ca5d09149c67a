package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;

/** Creates a new document from JSON, whose numbers keep their digits. */
final class KeyedJsonDeserializer extends StdDeserializer<KeyedJson<?>> {
  private final Type type;

  KeyedJsonDeserializer() {
    this(Object.class);
  }

  private KeyedJsonDeserializer(Type type) {
    super(KeyedJson.class);
    this.type = type;
  }

  @Override
  public ValueDeserializer<?> createContextual(
      DeserializationContext context, @Nullable BeanProperty property) {
    JavaType here = context.getContextualType();
    return here == null || here.containedTypeCount() == 0
        ? this
        : new KeyedJsonDeserializer(here.containedType(0));
  }

  @Override
  public KeyedJson<?> deserialize(JsonParser parser, DeserializationContext context) {
    try {
      return KeyedJson.with(DocumentState.of(Json.readTree(parser), type));
    } catch (InvalidJsonException e) {
      return context.reportInputMismatch(this, "%s", e.getMessage());
    }
  }

  @Override
  public Object deserializeWithType(
      JsonParser parser, DeserializationContext context, TypeDeserializer types) {
    return deserialize(parser, context);
  }
}
