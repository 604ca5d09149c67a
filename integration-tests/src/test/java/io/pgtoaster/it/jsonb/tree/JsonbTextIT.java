package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonChanges;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.RandomJson;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The library processes JSON exactly like the server. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class JsonbTextIT {
  private static final int OPERATIONS = 10_000;
  private static final String[] KINDS = {"set", "insert", "remove", "append", "increment", "get"};

  private static final String CHANGE =
      """
      CREATE FUNCTION change(kind text, d jsonb, p text[], v jsonb, flag boolean) RETURNS text
      LANGUAGE plpgsql AS $$
      BEGIN
        RETURN CASE kind
          WHEN 'set' THEN jsonb_set(d, p, v, flag)
          WHEN 'insert' THEN jsonb_insert(d, p, v, flag)
          WHEN 'remove' THEN d #- p
          WHEN 'get' THEN d #> p
          WHEN 'append' THEN CASE
            WHEN jsonb_typeof(d #> p) IS DISTINCT FROM 'array' THEN d
            WHEN p = '{}' THEN d || jsonb_build_array(v)
            ELSE jsonb_set(d, p, (d #> p) || jsonb_build_array(v), false) END
          WHEN 'increment' THEN CASE
            -- Not ::numeric, which makes a JSON null an SQL NULL from 18 on.
            WHEN jsonb_typeof(d #> p) <> 'number' THEN to_jsonb(jsonb_typeof(d #> p)::numeric)
            WHEN p = '{}' THEN to_jsonb(d::numeric + v::numeric)
            WHEN d #> p IS NOT NULL THEN
              jsonb_set(d, p, to_jsonb((d #> p)::numeric + v::numeric), false)
            WHEN jsonb_typeof(d #> p[:cardinality(p) - 1]) = 'object' THEN
              jsonb_set(d, p, to_jsonb(v::numeric))
            ELSE d END
          END::text;
      EXCEPTION WHEN invalid_parameter_value OR invalid_text_representation THEN
        RETURN '!';
      END $$
      """;

  private static final String TAKES =
      """
      CREATE FUNCTION takes(given text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM given::jsonb;
        RETURN true;
      EXCEPTION WHEN data_exception THEN
        RETURN false;
      END $$
      """;

  @Parameter int version;

  private final long seed = Long.getLong("pgtoaster.test.seed", 20261120);
  private final Random random = new Random(seed);
  private final RandomJson json = new RandomJson(random, true);
  @AutoClose private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = PostgresServers.shared(version).database().connect();
    try (PreparedStatement change = connection.prepareStatement(CHANGE);
        PreparedStatement takes = connection.prepareStatement(TAKES)) {
      change.execute();
      takes.execute();
    }
  }

  private @Nullable String ask(String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    }
  }

  @Test
  void text_matchesTheServer() throws SQLException {
    for (int i = 0; i < OPERATIONS / 2; i++) {
      String given = json.value(5);
      String expected = ask("SELECT ?::jsonb::text", given);
      String as = "seed " + seed + ", value " + i + ": " + given;
      assertThat(JsonbText.text(Json.readTree(given))).as(as).isEqualTo(expected);
      assertThat(JsonbText.text(Json.readStored(expected))).as(as).isEqualTo(expected);
    }
  }

  @Test
  void size_isCloseToTheServers() throws SQLException {
    int compared = 0;
    for (int i = 0; i < 2_000; i++) {
      StringBuilder given = new StringBuilder("[");
      for (int n = 1 + random.nextInt(20); n > 0; n--) {
        given.append(json.value(4)).append(n == 1 ? "]" : ",");
      }
      String text = given.toString();
      long expected = Long.parseLong(ask("SELECT pg_column_size(?::jsonb)", text));
      if (expected > 500) {
        compared++;
        assertThat((double) JsonbSize.size(Json.readTree(text)) / expected)
            .as("seed " + seed + ", value " + i + ": " + text)
            .isCloseTo(1, within(0.1));
      }
    }
    assertThat(compared).isPositive();
  }

  @Test
  void changes_matchTheServer() throws SQLException {
    int applied = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      String kind = KINDS[random.nextInt(KINDS.length)];
      String document = json.document(3);
      List<String> path = json.path();
      String value = kind.equals("increment") ? json.number() : json.document(1);
      boolean flag = random.nextBoolean();
      String before = JsonbText.text(Json.readTree(document));
      String as = "seed " + seed + ", " + i + ": " + kind + document + path + value + flag;
      String expected =
          ask(
              "SELECT change(?, ?::jsonb, ?, ?::jsonb, ?)",
              kind,
              document,
              path.toArray(String[]::new),
              value,
              flag);
      String actual = changed(kind, document, path, value, flag);
      assertThat(actual).as(as).isEqualTo(expected);
      applied += before.equals(actual) || "!".equals(actual) ? 0 : 1;
    }
    assertThat(applied).isGreaterThan(OPERATIONS / 20);
  }

  private static @Nullable String changed(
      String kind, String document, List<String> path, String value, boolean flag) {
    JsonNode root = Json.readTree(document);
    JsonNode given = Json.readTree(value);
    try {
      return switch (kind) {
        case "set" -> JsonbText.text(JsonChanges.set(root, path, given, flag, false).root());
        case "insert" -> JsonbText.text(JsonChanges.insert(root, path, given, flag).root());
        case "remove" -> JsonbText.text(JsonChanges.remove(root, path).root());
        case "append" -> {
          ArrayNode elements = Json.mapper().createArrayNode().add(given);
          yield JsonbText.text(JsonChanges.append(root, path, elements).root());
        }
        case "increment" ->
            JsonbText.text(JsonChanges.increment(root, path, new BigDecimal(value)).root());
        default -> {
          JsonNode found = JsonChanges.get(root, path);
          yield found == null ? null : JsonbText.text(found);
        }
      };
    } catch (InvalidPathException e) {
      return "!";
    }
  }

  /**
   * Uses distinct keys, because the library does not check a value that a later one with the same
   * key replaces.
   */
  @Test
  void refusedTexts_areAlsoRefusedByTheServer() throws SQLException {
    RandomJson distinct = new RandomJson(random, false);
    for (int i = 0; i < OPERATIONS; i++) {
      String text = distinct.spoiled(distinct.value(3));
      boolean expected = "t".equals(ask("SELECT takes(?)", text));
      assertThat(isTaken(text))
          .as("seed " + seed + ", text " + i + ": " + text)
          .isEqualTo(expected);
    }
  }

  private static boolean isTaken(String text) {
    try {
      return !JsonbText.text(Json.readTree(text)).isEmpty();
    } catch (InvalidJsonException e) {
      return false;
    }
  }

  @Test
  void depthAcceptedByTheServer_isAccepted() throws SQLException {
    String tooDeep = "[".repeat(Json.MAX_DEPTH + 1) + "]".repeat(Json.MAX_DEPTH + 1);
    assertThat(isTaken(tooDeep)).isFalse();
    int taken = 0;
    for (int depth = 1_000; depth <= 30_000; depth += 1_000) {
      taken = takes("[".repeat(depth) + "]".repeat(depth)) ? depth : taken;
    }
    assertThat(taken).isBetween(5_000, Json.MAX_DEPTH);
  }

  private boolean takes(String text) throws SQLException {
    try {
      return ask("SELECT length(?::jsonb::text)", text) != null;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("54001");
      return false;
    }
  }

  @Test
  void codesOfKeys_sortInTheServersOrder() throws SQLException {
    StringBuilder object = new StringBuilder("{");
    for (int i = 0; i < 300; i++) {
      object.append(i == 0 ? "" : ",").append(json.string()).append(": 0");
    }
    String text = object.append('}').toString();
    String expected = ask("SELECT json_agg(k) FROM jsonb_object_keys(?::jsonb) AS k", text);
    byte[] before = {};
    for (JsonNode key : Json.readTree(expected)) {
      byte[] code = KeyOrder.code(key.stringValue());
      assertThat(Arrays.compareUnsigned(before, code)).as("seed " + seed).isNegative();
      before = code;
    }
  }
}
