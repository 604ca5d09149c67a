package io.pgtoaster.hibernate.blob;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.jsontype.TypeDeserializer;

/**
 * Creates a new blob from Base64. JSON with only a length is rejected, because it has no content.
 */
final class AppendableBlobDeserializer extends StdDeserializer<AppendableBlob> {
  AppendableBlobDeserializer() {
    super(AppendableBlob.class);
  }

  @Override
  public AppendableBlob deserialize(JsonParser parser, DeserializationContext context) {
    if (!parser.hasToken(JsonToken.VALUE_STRING)
        && !parser.hasToken(JsonToken.VALUE_EMBEDDED_OBJECT)) {
      return context.reportInputMismatch(
          this,
          "a blob is read from a string in Base64, not from its length: omit the property, or"
              + " annotate it with @JsonProperty(access = READ_ONLY)");
    }
    return AppendableBlob.of(parser.getBinaryValue(context.getBase64Variant()));
  }

  @Override
  public Object deserializeWithType(
      JsonParser parser, DeserializationContext context, TypeDeserializer types) {
    return deserialize(parser, context);
  }
}
