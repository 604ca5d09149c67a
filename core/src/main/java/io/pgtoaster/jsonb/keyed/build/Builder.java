package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.internal.json.Strings;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Builds values of a split document from tokens. Entries that are too large get their own branches.
 * Containers that are too large become trees of leaves. It needs memory for about one leaf per open
 * level, and for all entries of an object except their moved-out parts. Not thread-safe.
 */
public final class Builder {
  private static final int MAX_KEYS = 1_000;

  private final SplitPolicy policy;
  private final NodeSink sink;
  private final Ids dropped = new Ids();
  private final SmallText text = new SmallText();
  private final Map<String, SmallText.Key> keys = new HashMap<>();
  private boolean escapes;

  public Builder(SplitPolicy policy, NodeSink sink) {
    this.policy = policy;
    this.sink = sink;
  }

  /** Returns true if there were keys that look like a marker's. */
  boolean escapes() {
    return escapes;
  }

  /** Returns the branches of members that a later member with the same key has replaced. */
  public Ids dropped() {
    return dropped;
  }

  SortedMembers members() {
    return new SortedMembers(dropped);
  }

  /**
   * An open container. It counts as small until its content is large enough for {@link LeafBuilder}
   * to end a leaf in it.
   */
  private final class Open {
    final boolean array;
    final boolean whole;
    private SmallText.@Nullable Container small;
    private @Nullable LeafBuilder elements;
    private @Nullable Levels levels;
    private @Nullable SortedMembers members;
    private SmallText.@Nullable Key key;

    Open(boolean array, boolean whole) {
      this.array = array;
      this.whole = whole;
      this.small = text.new Container(array ? 'a' : 'o');
    }

    void key(String name) {
      key = storedKey(name);
    }

    /** Begins an entry; returns false if it must be {@linkplain #add added} as a whole. */
    boolean begin() {
      if (small != null) {
        small.begin(key == null ? SmallText.NO_KEY : key);
      }
      return small != null;
    }

    /** Ends an entry after its text was written. */
    void end(long size, Ids kids) throws SQLException {
      SmallText.Container entries = Objects.requireNonNull(small, "small");
      entries.end(size, kids);
      if (policy.isCut(entries.bytes())) {
        grow(entries);
      }
    }

    /** Adds a value as the entry that {@link #begin} has begun. */
    void add(Fragment value) throws SQLException {
      Fragment entry = !whole && policy.movesOutOfLeaf(value.size()) ? branch(value) : value;
      if (small != null) {
        text.text().append(entry.text());
        end(entry.size(), entry.kids());
      } else {
        take(key == null ? "" : key.name(), entry);
      }
    }

    private void take(String name, Fragment entry) throws SQLException {
      if (elements != null) {
        elements.add(entry);
      } else if (members != null) {
        members.add(name, entry);
      }
    }

    private void grow(SmallText.Container entries) throws SQLException {
      if (array) {
        levels = new Levels('a', policy, sink);
        elements = new LeafBuilder('a', policy, whole, sink, levels::add);
      } else {
        members = members();
      }
      small = null;
      entries.leave(this::take);
    }

    /** Ends the container. The parent, if any, has begun an entry for it. */
    @Nullable Fragment close(@Nullable Open parent) throws SQLException {
      if (small != null && !array && !small.sort()) {
        grow(small);
      }
      if (small == null) {
        return large();
      }
      if (parent == null || parent.small == null) {
        return small.fragment();
      }
      parent.end(small.bytes(), small.close());
      return null;
    }

    private Fragment large() throws SQLException {
      if (elements != null && levels != null) {
        return finish(elements, levels);
      }
      return object(Objects.requireNonNull(members, "members"), whole);
    }

    void discard() {
      if (members != null) {
        members.close();
      }
    }
  }

  /**
   * Reads the value at the parser's current token.
   *
   * @param whole whether it must stay in one piece
   * @return the value, or the marker of its branch
   */
  Fragment read(JsonParser parser, boolean whole) throws SQLException {
    try {
      return value(parser, whole);
    } catch (JacksonException | NumberFormatException e) {
      throw Json.failure(e);
    }
  }

  private Fragment value(JsonParser parser, boolean whole) throws SQLException {
    Deque<Open> open = new ArrayDeque<>();
    text.clear();
    try {
      return value(parser, whole, open);
    } finally {
      open.forEach(Open::discard);
    }
  }

  private Fragment value(JsonParser parser, boolean whole, Deque<Open> open) throws SQLException {
    JsonToken token = parser.currentToken();
    while (true) {
      if (token == null) {
        throw new InvalidJsonException("the text ends within a JSON value");
      }
      Open in = open.peek();
      if (token == JsonToken.PROPERTY_NAME && in != null) {
        in.key(parser.currentName());
      } else if (token.isStructStart()) {
        boolean unused = in != null && in.begin();
        open.push(new Open(token == JsonToken.START_ARRAY, whole));
      } else {
        Fragment done;
        if (token.isStructEnd() && in != null) {
          open.pop();
          done = close(in, open.peek());
        } else {
          done = scalar(parser, token, in);
        }
        if (done != null) {
          if (open.isEmpty()) {
            return done;
          }
          open.element().add(done);
        }
      }
      token = parser.nextToken();
    }
  }

  private static @Nullable Fragment close(Open ended, @Nullable Open parent) throws SQLException {
    try {
      return ended.close(parent);
    } finally {
      ended.discard();
    }
  }

  /** Returns the stored form of a key. Keys repeat, so up to 1,000 of them are cached. */
  private SmallText.Key storedKey(String name) {
    SmallText.Key known = keys.get(name);
    if (known == null) {
      String key = key(name);
      known = new SmallText.Key(key, JsonbText.string(key), JsonbSize.key(key));
      if (keys.size() < MAX_KEYS) {
        keys.put(name, known);
      }
    }
    return known;
  }

  String key(String name) {
    Json.checkString(name);
    boolean special = Markers.looksLikeOne(name);
    escapes |= special;
    return special ? Markers.escape(name) : name;
  }

  /** Writes a scalar into its small container; returns it as a value if that is not possible. */
  private @Nullable Fragment scalar(JsonParser parser, JsonToken token, @Nullable Open in)
      throws SQLException {
    if (in == null || !in.begin()) {
      return scalar(parser, token);
    }
    long size = write(parser, token);
    if (size < 0) {
      return scalar(parser, token);
    }
    in.end(size, Ids.NONE);
    return null;
  }

  /** Writes the text of a common scalar; returns its size, or -1 if nothing was written. */
  private long write(JsonParser parser, JsonToken token) {
    StringBuilder out = text.text();
    switch (token) {
      case VALUE_STRING -> {
        int length = parser.getStringLength();
        if (policy.isCut(length)) {
          return -1;
        }
        if (parser.hasStringCharacters()) {
          char[] chars = parser.getStringCharacters();
          int from = parser.getStringOffset();
          if (!Strings.isPlain(chars, from, length)) {
            return -1;
          }
          out.append('"').append(chars, from, length);
        } else {
          String string = parser.getString();
          if (!Strings.isPlain(string)) {
            return -1;
          }
          out.append('"').append(string);
        }
        out.append('"');
        return length;
      }
      case VALUE_NUMBER_INT -> {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          return -1;
        }
        long number = parser.getLongValue();
        out.append(number);
        return JsonbSize.number(number);
      }
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> {
        out.append(token.asString());
        return 0;
      }
      default -> {
        return -1;
      }
    }
  }

  private Fragment scalar(JsonParser parser, JsonToken token) {
    return switch (token) {
      case VALUE_STRING -> {
        String text = parser.getString();
        if (Strings.isPlain(text)) {
          yield Fragment.string('"' + text + '"', text.length());
        }
        Json.checkString(text);
        yield string(text);
      }
      case VALUE_NUMBER_INT -> number(integer(parser));
      case VALUE_NUMBER_FLOAT -> {
        var decimal = parser.getDecimalValue();
        Json.checkNumber(decimal);
        yield number(JsonNodeFactory.instance.numberNode(decimal));
      }
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> Fragment.scalar(token.asString(), 0);
      case VALUE_EMBEDDED_OBJECT -> string(parser.getString());
      default -> throw new InvalidJsonException("the JSON value is not complete");
    };
  }

  private static JsonNode integer(JsonParser parser) {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      var big = parser.getBigIntegerValue();
      Json.checkNumber(new BigDecimal(big));
      return JsonNodeFactory.instance.numberNode(big);
    }
    return JsonNodeFactory.instance.numberNode(parser.getLongValue());
  }

  private static Fragment number(JsonNode number) {
    return Fragment.scalar(JsonbText.number(number), JsonbSize.element(number) - JsonbSize.DATUM);
  }

  static Fragment string(String text) {
    return Fragment.string(JsonbText.string(text), KeyOrder.utf8Length(text));
  }

  /** Returns an object, or the marker of the branch that it became. */
  Fragment object(SortedMembers members, boolean whole) throws SQLException {
    Levels levels = new Levels('o', policy, sink);
    LeafBuilder pieces = new LeafBuilder('o', policy, whole, sink, levels::add);
    members.forEach(pieces::add);
    return finish(pieces, levels);
  }

  private static Fragment finish(LeafBuilder pieces, Levels levels) throws SQLException {
    if (!pieces.wasCut()) {
      return pieces.asFragment();
    }
    pieces.close();
    return Fragment.marker(levels.root());
  }

  /** Moves a value into its own branch; returns the marker. */
  Fragment branch(Fragment value) throws SQLException {
    if (value.marker()) {
      return value;
    }
    if (value.kind() == 's' && policy.cutsString(value.size())) {
      return Fragment.marker(longString(value));
    }
    return Fragment.marker(
        sink.leaf(
            new LeafContent(
                value.kind(), value.text(), value.size(), value.kids(), 1, LeafContent.NO_LOW)));
  }

  private long longString(Fragment value) throws SQLException {
    String text = Json.readStored(value.text()).asString();
    Levels levels = new Levels('s', policy, sink);
    int from = 0;
    while (from < text.length()) {
      int to = policy.pieceEnd(text, from);
      Fragment part = string(text.substring(from, to));
      levels.add(new LeafContent('s', part.text(), part.size(), Ids.NONE, 1, LeafContent.NO_LOW));
      from = to;
    }
    return levels.root();
  }
}
