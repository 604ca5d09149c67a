package io.pgtoaster.jooq;

import tools.jackson.databind.JsonNode;

/** Converts documents to {@code JsonNode}. The code generator can use it for a forced type. */
public final class JsonNodeConverter extends DocumentConverter<JsonNode> {
  private static final long serialVersionUID = 1;

  /** Creates the converter. */
  public JsonNodeConverter() {
    super(JsonNode.class);
  }
}
