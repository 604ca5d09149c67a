package io.pgtoaster.hibernate.query;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.java.ImmutableMutabilityPlan;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** JSON as the result of a function; numbers keep every digit. */
final class JsonNodeType extends AbstractClassJavaType<JsonNode> {
  private static final long serialVersionUID = 1;
  static final JsonNodeType INSTANCE = new JsonNodeType();

  private JsonNodeType() {
    super(JsonNode.class, ImmutableMutabilityPlan.instance());
  }

  @Override
  public <X> @Nullable X unwrap(@Nullable JsonNode value, Class<X> type, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (type.isAssignableFrom(String.class)) {
      return type.cast(JsonbText.text(value));
    }
    if (type.isInstance(value)) {
      return type.cast(value);
    }
    throw unknownUnwrap(type);
  }

  @Override
  public <X> @Nullable JsonNode wrap(@Nullable X value, WrapperOptions options) {
    if (value == null) {
      return null;
    }
    if (value instanceof JsonNode node) {
      return node;
    }
    if (value instanceof String text) {
      return Json.readTree(text);
    }
    throw unknownWrap(value.getClass());
  }
}
