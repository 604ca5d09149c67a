package io.pgtoaster.spi.json;

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
 * Reading JSON within PostgreSQL's limits: numbers keep their digits and scale, the last of
 * duplicate keys wins, and what {@code jsonb} cannot hold is refused with {@link
 * InvalidJsonException}, whose message never has a part of the text. A value that a later one of
 * the same key replaces is not looked at.
 */
public final class Json {
  /**
   * Containers within each other. PostgreSQL 15 takes some 14,500 in a value at its default {@code
   * max_stack_depth}; who raises that gets no further than this here.
   */
  public static final int MAX_DEPTH = 20_000;

  /** Length of a string or key in UTF-8 that one {@code jsonb} can have. */
  public static final int MAX_STRING_BYTES = 268_435_455;

  /** Name of the system property that sets {@link #MAX_STRING_CHARS}. */
  static final String MAX_STRING_PROPERTY = "pgtoaster.json.maxStringLength";

  /**
   * Characters of a string or key in a text: one is in memory as a whole, several times over, while
   * the rest of a document is read in pieces. Each takes some nine bytes of heap until it is
   * stored, so that in a heap of less than 512 MB the limit is lower, and met before the heap is
   * full.
   */
  static final int MAX_STRING_CHARS =
      Math.max(
          1,
          Integer.getInteger(
              MAX_STRING_PROPERTY,
              (int) Math.min(32 << 20, Runtime.getRuntime().maxMemory() / 16)));

  /** A text up to here is read faster as a string than through a decoder and its buffers. */
  private static final int SHORT_BYTES = 8_000;

  private Json() {}

  /** Returns the mapper that all share. */
  public static JsonMapper mapper() {
    return Mapper.SHARED;
  }

  /**
   * Opens a text. Bytes that are not UTF-8 are refused.
   *
   * @return before its first token
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
   * Opens a text. Bytes that are not UTF-8 are refused.
   *
   * @return before its first token
   */
  public static JsonParser parser(byte[] utf8) {
    if (utf8.length <= SHORT_BYTES) {
      String text = new String(utf8, StandardCharsets.UTF_8);
      // Stands for bytes that are not UTF-8, if not for itself.
      if (text.indexOf('\uFFFD') < 0) {
        return parser(text);
      }
    }
    return parser(new ByteArrayInputStream(utf8));
  }

  /**
   * Opens a text.
   *
   * @return before its first token
   */
  public static JsonParser parser(Reader text) {
    return Mapper.SHARED.createParser(text);
  }

  /**
   * Opens a text.
   *
   * @return before its first token
   */
  public static JsonParser parser(String text) {
    return Mapper.SHARED.createParser(text);
  }

  /**
   * Reads a text that is one value, and checks it.
   *
   * @param utf8 the text; not closed
   */
  public static JsonNode readTree(InputStream utf8) {
    return whole(parser(utf8));
  }

  /** Reads a text that is one value, and checks it. */
  public static JsonNode readTree(byte[] utf8) {
    return whole(parser(utf8));
  }

  /**
   * Reads a text that is one value, and checks it.
   *
   * @param text the text; not closed
   */
  public static JsonNode readTree(Reader text) {
    return whole(parser(text));
  }

  /** Reads a text that is one value, and checks it. */
  public static JsonNode readTree(String text) {
    return whole(parser(text));
  }

  /**
   * Reads the value that a parser stands at, and checks it. Nothing behind it is read.
   *
   * @param parser at the value's first token, or before it
   * @return the value; the parser has no current token, its next is what follows
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
   * Reads a value that PostgreSQL has printed, all of it in memory if it is short or a string.
   *
   * @param utf8 from {@code jsonb::text}; not closed
   * @throws IOException as the stream throws it
   */
  public static JsonNode readPrinted(InputStream utf8) throws IOException {
    if (utf8 instanceof KnownString string) {
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

  /** Reads a value that PostgreSQL has printed. */
  private static JsonNode readPrinted(byte[] utf8) {
    String string = StringText.read(utf8);
    return string == null ? readTree(utf8) : Mapper.SHARED.getNodeFactory().stringNode(string);
  }

  /** Reads a value that PostgreSQL has printed, unchecked. */
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
   * Refuses a text that goes on behind its value.
   *
   * @param parser at the value's last token
   * @throws InvalidJsonException if so
   */
  public static void requireEnd(JsonParser parser) {
    try {
      if (parser.nextToken() != null) {
        throw new InvalidJsonException(
            "something follows the JSON value" + ParseFailure.place(parser.currentTokenLocation()));
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
      throw new InvalidJsonException("the text is empty where a JSON value is expected");
    }
    return value;
  }

  /**
   * Turns a value into a tree, as Jackson does, and checks it.
   *
   * @param value a tree, or what Jackson can serialize; null for the JSON null
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
   * Turns an object into a tree, as a mapper of the application does, and checks it.
   *
   * @param value no tree
   * @param type that the value is declared with; its type arguments decide whether Jackson writes
   *     type ids of elements
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
          "an object of " + value.getClass().getName() + " cannot be turned into JSON", e);
    } catch (StackOverflowError e) {
      throw new InvalidJsonException(
          "an object of " + value.getClass().getName() + " is nested too deeply for JSON");
    }
  }

  /**
   * Refuses a value that {@code jsonb} cannot hold: a string or key with {@code \u0000}, with half
   * of a surrogate pair or too long, a number that is not finite or has too many digits, too many
   * levels, nodes that are no JSON.
   *
   * @throws InvalidJsonException which names the place as a JSON Pointer
   */
  public static void check(JsonNode value) {
    new Check().run(value);
  }

  /**
   * Refuses a string that {@code jsonb} cannot hold.
   *
   * @throws InvalidJsonException if so
   */
  public static void checkString(String text) {
    refuse(Strings.refusal(text, "a string or key"));
  }

  /**
   * Refuses a number that {@code jsonb} cannot hold.
   *
   * @throws InvalidJsonException if so
   */
  public static void checkNumber(BigDecimal number) {
    refuse(Numbers.refusal(number));
  }

  private static void refuse(@Nullable String reason) {
    if (reason != null) {
      throw new InvalidJsonException("jsonb cannot hold this: " + reason);
    }
  }

  /**
   * Turns what a parser throws into what pgtoaster throws: {@link JacksonException}, and {@link
   * NumberFormatException}, which comes out where a number's exponent is beyond all limits.
   *
   * @return {@link InvalidJsonException}; {@link UncheckedIOException} if the source failed; the
   *     same if it is none of these two
   */
  public static RuntimeException failure(RuntimeException e) {
    return ParseFailure.translated(e);
  }
}
