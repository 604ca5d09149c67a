package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.PatchFailedException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One operation of a JSON Patch.
 *
 * @param number its position in the patch, from 1
 * @param type kind of operation
 * @param path of the target
 * @param from source path; null except for moves and copies
 * @param value null for moves, copies and removals
 */
record PatchOperation(
    int number,
    Type type,
    DocumentPath path,
    @Nullable DocumentPath from,
    @Nullable JsonNode value) {
  private static final int SHOWN_CHARS = 200;

  /** The operations of RFC 6902. */
  enum Type {
    ADD,
    REMOVE,
    REPLACE,
    MOVE,
    COPY,
    TEST;

    boolean hasValue() {
      return this == ADD || this == REPLACE || this == TEST;
    }

    boolean hasFrom() {
      return this == MOVE || this == COPY;
    }

    static @Nullable Type named(String name) {
      for (Type type : values()) {
        if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
          return type;
        }
      }
      return null;
    }
  }

  static PatchOperation read(JsonNode given, int number) {
    if (!given.isObject()) {
      throw unreadable(number, "it is not an object", null);
    }
    Type type = Type.named(text(given, "op", number));
    if (type == null) {
      throw unreadable(
          number, "its \"op\" is not one of add, remove, replace, move, copy, test", null);
    }
    DocumentPath path = pointer(given, "path", number);
    DocumentPath from = type.hasFrom() ? pointer(given, "from", number) : null;
    JsonNode value = type.hasValue() ? given.get("value") : null;
    if (type.hasValue() && value == null) {
      throw unreadable(number, "it has no \"value\"", null);
    }
    return new PatchOperation(number, type, path, from, value);
  }

  private static String text(JsonNode given, String member, int number) {
    JsonNode text = given.get(member);
    if (text == null || !text.isString()) {
      throw unreadable(number, "it has no string \"" + member + "\"", null);
    }
    return text.stringValue();
  }

  private static DocumentPath pointer(JsonNode given, String member, int number) {
    String text = text(given, member, number);
    if (!text.isEmpty() && text.charAt(0) != '/') {
      throw unreadable(number, "its \"" + member + "\" is not a JSON Pointer", null);
    }
    try {
      return DocumentPath.parse(text);
    } catch (InvalidPathException e) {
      throw unreadable(number, "its \"" + member + "\" is not a JSON Pointer", e);
    }
  }

  private static PatchFailedException unreadable(
      int number, String reason, @Nullable Throwable cause) {
    return new PatchFailedException(
        "operation " + number + " of the patch cannot be read: " + reason, cause);
  }

  /** Returns an exception for an operation that cannot be applied at one of its paths. */
  PatchFailedException failed(DocumentPath where, String reason) {
    return failed(where, reason, null);
  }

  PatchFailedException failed(DocumentPath where, String reason, @Nullable Throwable cause) {
    String pointer = where.toPointer();
    return new PatchFailedException(
        "operation %s of the patch (%s) failed at %s: %s"
            .formatted(
                number,
                type.name().toLowerCase(Locale.ROOT),
                (pointer.isEmpty() ? "the whole document" : shortened(pointer)),
                reason),
        cause);
  }

  private static String shortened(String pointer) {
    return pointer.length() <= SHOWN_CHARS ? pointer : pointer.substring(0, SHOWN_CHARS) + "...";
  }
}
