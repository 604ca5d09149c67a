package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random edits with pgtoaster's SQL functions, of a split document and of the same document in the
 * plain column {@code plain}. Both edits have the same result, or both are rejected for the same
 * reason.
 */
public final class RandomSqlEdits implements RandomRuns.Steps {
  private static final int MOST = 40_000;
  private static final int VERIFY_EVERY = 25;

  private static final String DONE = "done";

  /** A placeholder for the column in an expression. */
  private static final String DOCUMENT = "<document>";

  private final DocumentFixture fx;
  private final String relation;
  private final Connection connection;
  private final Random random;
  private final RandomParts json;
  private final RandomPatch patches;
  private final long seed;
  private final Object key;
  private int number;
  private int done;
  private int split;

  public RandomSqlEdits(DocumentFixture fx, long seed) {
    this(fx, seed, "item");
  }

  /**
   * Creates a row with a document.
   *
   * @param relation the table or view to update
   */
  public RandomSqlEdits(DocumentFixture fx, long seed, String relation) {
    this.fx = fx;
    this.relation = relation;
    this.connection = fx.connect();
    this.random = new Random(seed);
    this.json = new RandomParts(random);
    this.patches = new RandomPatch(random, json);
    this.seed = seed;
    this.key = fx.row();
    fx.run("ALTER TABLE item ADD COLUMN IF NOT EXISTS plain jsonb");
  }

  @Override
  public Runnable remember() {
    throw new UnsupportedOperationException("each edit is its own transaction");
  }

  @Override
  public void step() throws Exception {
    String model = Sql.string(connection, "SELECT CAST(plain AS text) FROM item" + fx.where(key));
    if (model == null || model.length() > MOST || random.nextInt(60) == 0) {
      model = put();
    } else if (random.nextInt(40) == 0) {
      fx.own().compact(key);
    }
    JsonNode tree = Json.readTree(model);
    String expression = DOCUMENT;
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      expression = edit(tree, expression);
    }
    number++;
    split +=
        Sql.string(connection, "SELECT doc->'$pgtoaster' FROM item" + fx.where(key)) == null
            ? 0
            : 1;
    String what = "seed %d, edit %d: %s".formatted(seed, number, expression);
    String plain = change("plain", expression);
    assertThat(change("doc", expression)).as(what).isEqualTo(plain);
    done += plain.equals(DONE) ? 1 : 0;
    assertThat(Sql.strings(connection, same())).as(what).containsExactly("t");
    if (number % VERIFY_EVERY == 0) {
      assertThat(fx.own().verify(key)).as(what).isEmpty();
    }
  }

  @Override
  public void finish() {
    assertThat(fx.own().verify(key)).as("seed %d", seed).isEmpty();
    assertThat(split).as("edits of a split document").isGreaterThan(number * 3 / 4);
    assertThat(done).as("edits that were not rejected").isGreaterThan(number / 2);
    fx.own().clear(key);
  }

  private String same() {
    return "SELECT CAST(pgtoaster.expand(doc) AS text) = CAST(plain AS text) FROM item"
        + fx.where(key);
  }

  private String put() throws SQLException {
    ObjectNode document = members(120);
    for (int i = 0; i < 30; i++) {
      document.withArray("list").add(json.value(4));
    }
    String text = JsonbText.text(document);
    fx.own().putJson(key, text);
    Sql.run(
        connection,
        "UPDATE item SET plain = CAST(" + Sql.literal(text) + " AS jsonb)" + fx.where(key));
    return text;
  }

  /**
   * Returns an object without reserved names at the top level, which a plain column would reject.
   */
  private ObjectNode members(int parts) {
    ObjectNode object = json.object(parts);
    object.remove(List.of("$pgtoaster", "$$pgtoaster"));
    return object;
  }

  private String edit(JsonNode tree, String document) {
    int kind = random.nextInt(100);
    if (kind < 12) {
      return "pgtoaster.merge(%s, %s)".formatted(document, value(members(1 + random.nextInt(6))));
    } else if (kind < 18) {
      return "pgtoaster.patch(%s, %s)".formatted(document, Sql.literal(patches.next(tree, 2)));
    }
    List<String> steps = json.path(tree);
    if (steps.isEmpty() || steps.get(0).endsWith("$pgtoaster")) {
      steps = List.of("list", Integer.toString(random.nextInt(40) - 3));
    }
    String path = steps.stream().map(Sql::literal).collect(Collectors.joining(", ", "ARRAY[", "]"));
    JsonNode value = json.value(random.nextInt(20) == 0 ? 60 : 1 + random.nextInt(4));
    boolean flag = random.nextBoolean();
    if (kind < 40) {
      return "pgtoaster.set(%s, %s, %s, %s)".formatted(document, path, value(value), flag);
    } else if (kind < 60) {
      return "pgtoaster.insert(%s, %s, %s, %s)".formatted(document, path, value(value), flag);
    } else if (kind < 78) {
      return "pgtoaster.remove(%s, %s)".formatted(document, path);
    } else if (kind < 81) {
      return "pgtoaster.keep_last(%s, %s, %s)".formatted(document, path, random.nextInt(40));
    } else if (kind < 90) {
      return "pgtoaster.append(%s, %s, %s)".formatted(document, path, value(value));
    }
    return "pgtoaster.increment(%s, %s, %s)"
        .formatted(document, path, json.number().toPlainString());
  }

  private static String value(JsonNode value) {
    return "CAST(" + Sql.literal(JsonbText.text(value)) + " AS jsonb)";
  }

  /** Returns the SQLState if the statement is refused. */
  private String change(String column, String expression) {
    try {
      Sql.run(
          connection,
          "UPDATE %s SET %s = %s%s"
              .formatted(relation, column, expression.replace(DOCUMENT, column), fx.where(key)));
      return DONE;
    } catch (SQLException e) {
      return e.getSQLState() + " " + e.getMessage().lines().findFirst().orElse("");
    }
  }
}
