package io.pgtoaster.cli.io;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the command line writes it. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}

  /** Returns JSON on one line. */
  public static String line(Object value) {
    return MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
  }

  public static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }
}
