package io.pgtoaster.internal.json;

import io.pgtoaster.error.InvalidJsonException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON within PostgreSQL's limits. Numbers keep their digits and scale. The last of duplicate
 * keys wins; the replaced values are not checked. Anything that {@code jsonb} cannot store causes
 * an {@link InvalidJsonException}, whose message never contains part of the text.
 */
public final class Json {
  /**
   * Maximum nesting depth. At its default {@code max_stack_depth}, PostgreSQL 15 accepts a depth of
   * about 14,500. A higher setting does not raise this limit.
   */
  public static final int MAX_DEPTH = 20_000;

  /** Longest string or key that one {@code jsonb} can store, in bytes of UTF-8. */
  public static final int MAX_STRING_BYTES = 268_435_455;

  /** Name of the system property that sets {@link #MAX_STRING_CHARS}. */
  static final String MAX_STRING_PROPERTY = "pgtoaster.json.maxStringLength";

  /**
   * Longest string or key in JSON text, in characters. Several copies of a whole string are in
   * memory, while the rest of a document is read in pieces. Each character takes about nine bytes
   * of heap until it is stored. With a heap of less than 512 MB the limit is therefore lower, so
   * that it is reached before the heap is full.
   */
  static final int MAX_STRING_CHARS =
      Math.max(
          1,
          Integer.getInteger(
              MAX_STRING_PROPERTY,
              (int) Math.min(32 << 20, Runtime.getRuntime().maxMemory() / 16)));

  /**
   * Longest text, in bytes, that is faster to read as a string than through a decoder with buffers.
   */
  private static final int SHORT_BYTES = 8_000;

  private Json() {}

  /** Returns the shared mapper. */
  public static JsonMapper mapper() {
    return Mapper.SHARED;
  }

  /**
   * Opens JSON text. Bytes that are not UTF-8 are rejected.
   *
   * @return a parser before its first token
   */
  public static JsonParser parser(InputStream utf8) {
    return parser(
        new InputStreamReader(
            utf8,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)));
  }

  /**
   * Opens JSON text. Bytes that are not UTF-8 are rejected.
   *
   * @return a parser before its first token
   */
  public static JsonParser parser(byte[] utf8) {
    if (utf8.length <= SHORT_BYTES) {
      String text = new String(utf8, StandardCharsets.UTF_8);
      // U+FFFD replaces bytes that are not UTF-8, but it may also be part of the text.
      if (text.indexOf('\uFFFD') < 0) {
        return parser(text);
      }
    }
    return parser(new ByteArrayInputStream(utf8));
  }

  /**
   * Opens JSON text.
   *
   * @return a parser before its first token
   */
  public static JsonParser parser(Reader text) {
    return Mapper.SHARED.createParser(text);
  }

  /**
   * Opens JSON text.
   *
   * @return a parser before its first token
   */
  public static JsonParser parser(String text) {
    return Mapper.SHARED.createParser(text);
  }

  /** Reads JSON text that contains one value, and checks the value. Does not close the stream. */
  public static JsonNode readTree(InputStream utf8) {
    return whole(parser(utf8));
  }

  /** Reads JSON text that contains one value, and checks the value. */
  public static JsonNode readTree(byte[] utf8) {
    return whole(parser(utf8));
  }

  /** Reads JSON text that contains one value, and checks the value. */
  public static JsonNode readTree(String text) {
    return whole(parser(text));
  }

  /**
   * Reads the parser's current value, and checks it. Nothing after the value is read.
   *
   * @param parser positioned at the value's first token, or before it
   * @return the value; the parser then has no current token, and its next token is the one after
   *     the value
   */
  public static JsonNode readTree(JsonParser parser) {
    JsonNode value;
    try {
      value = read(parser);
    } catch (JacksonException | NumberFormatException e) {
      throw failure(e);
    }
    check(value);
    return value;
  }

  /**
   * Reads a value that PostgreSQL printed. Short text or a string is read into memory as a whole.
   *
   * @param utf8 from {@code jsonb::text}; not closed
   * @throws IOException if the stream fails
   */
  public static JsonNode readPrinted(InputStream utf8) throws IOException {
    if (utf8 instanceof BytesString string) {
      return Mapper.SHARED.getNodeFactory().stringNode(string.value());
    }
    if (utf8 instanceof ByteArrayInputStream memory) {
      memory.mark(1);
      int first = memory.read();
      memory.reset();
      return first == '"' || memory.available() <= SHORT_BYTES
          ? readPrinted(memory.readAllBytes())
          : readTree(memory);
    }
    PushbackInputStream text = new PushbackInputStream(utf8);
    int first = text.read();
    if (first >= 0) {
      text.unread(first);
    }
    return first == '"' ? readPrinted(text.readAllBytes()) : readTree(text);
  }

  /** Reads a value that PostgreSQL printed. */
  private static JsonNode readPrinted(byte[] utf8) {
    String string = StringText.read(utf8);
    return string == null ? readTree(utf8) : Mapper.SHARED.getNodeFactory().stringNode(string);
  }

  /** Reads a value that PostgreSQL printed, without checking it. */
  public static JsonNode readStored(String text) {
    try (JsonParser parser = parser(text)) {
      return read(parser);
    } catch (JacksonException e) {
      throw failure(e);
    }
  }

  private static JsonNode whole(JsonParser parser) {
    JsonNode value = readTree(parser);
    requireEnd(parser);
    return value;
  }

  /**
   * Rejects text that continues after its value.
   *
   * @param parser at the value's last token
   * @throws InvalidJsonException if it does
   */
  public static void requireEnd(JsonParser parser) {
    try {
      if (parser.nextToken() != null) {
        throw new InvalidJsonException(
            "there is more text after the JSON value"
                + ParseFailure.place(parser.currentTokenLocation()));
      }
    } catch (JacksonException e) {
      throw failure(e);
    }
  }

  private static JsonNode read(JsonParser parser) {
    JsonNode value =
        parser.currentToken() == null && parser.nextToken() == null
            ? null
            : Mapper.SHARED.readTree(parser);
    if (value == null || value.isMissingNode()) {
      throw new InvalidJsonException("the text is empty; a JSON value is expected");
    }
    return value;
  }

  /**
   * Returns a whole document or patch. Rejects text, which would become a JSON string.
   *
   * @param forText the method that takes JSON text, for the message
   */
  public static Object notText(Object given, String forText) {
    if (given instanceof CharSequence || given instanceof InputStream || given instanceof Reader) {
      throw new InvalidJsonException(
          "this method takes a document as an object, not as text; for JSON text, call "
              + forText
              + "; to store a JSON string, pass a StringNode");
    }
    return given;
  }

  /**
   * Converts a value to a tree, as Jackson does, and checks it. The value is a tree, an object that
   * Jackson can serialize, or null for the JSON null.
   */
  public static JsonNode toTree(@Nullable Object value) {
    JsonNode tree;
    if (value == null) {
      tree = Mapper.SHARED.nullNode();
    } else if (value instanceof JsonNode node) {
      tree = node;
    } else {
      tree = serialized(value, Mapper.SHARED, Object.class);
    }
    check(tree);
    return tree;
  }

  /**
   * Converts an object to a tree with a mapper of the application, and checks it.
   *
   * @param value an object other than a tree
   * @param type declared type of the value; its type arguments decide whether Jackson writes type
   *     ids of elements
   */
  public static JsonNode toTree(Object value, JsonMapper mapper, Type type) {
    JsonNode tree = serialized(value, mapper, type);
    check(tree);
    return tree;
  }

  private static JsonNode serialized(Object value, JsonMapper mapper, Type type) {
    try {
      return ObjectTree.of(value, mapper, type);
    } catch (JacksonException e) {
      throw new InvalidJsonException(
          "an object of " + value.getClass().getName() + " cannot be converted to JSON", e);
    } catch (StackOverflowError e) {
      throw new InvalidJsonException(
          "an object of " + value.getClass().getName() + " is nested too deeply for JSON");
    }
  }

  /**
   * Rejects a value that {@code jsonb} cannot store: a string or key that contains {@code \u0000}
   * or an unpaired surrogate or is too long, a number that is not finite or has too many digits,
   * too many levels, or nodes that are not JSON.
   *
   * @throws InvalidJsonException naming the place as a JSON Pointer
   */
  public static void check(JsonNode value) {
    new Check().run(value);
  }

  /**
   * Rejects a string that {@code jsonb} cannot store.
   *
   * @throws InvalidJsonException if {@code jsonb} cannot store it
   */
  public static void checkString(String text) {
    refuse(Strings.refusal(text, "a string or key"));
  }

  /**
   * Rejects a number that {@code jsonb} cannot store.
   *
   * @throws InvalidJsonException if {@code jsonb} cannot store it
   */
  public static void checkNumber(BigDecimal number) {
    refuse(Numbers.refusal(number));
  }

  private static void refuse(@Nullable String reason) {
    if (reason != null) {
      throw new InvalidJsonException("jsonb cannot store this: " + reason);
    }
  }

  /**
   * Translates an exception of a parser: a {@link JacksonException}, or a {@link
   * NumberFormatException}, which a parser throws if a number's exponent is beyond all limits.
   *
   * @return {@link InvalidJsonException}; {@link UncheckedIOException} if the source failed; the
   *     same exception if it is neither
   */
  public static RuntimeException failure(RuntimeException e) {
    return ParseFailure.translated(e);
  }
}
