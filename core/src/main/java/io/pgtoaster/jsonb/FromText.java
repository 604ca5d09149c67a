package io.pgtoaster.jsonb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Converts the text of a value. */
@FunctionalInterface
interface FromText<T> {
  @Nullable T read(InputStream text) throws IOException;

  static String utf8(InputStream text) throws IOException {
    return new String(text.readAllBytes(), StandardCharsets.UTF_8);
  }
}
