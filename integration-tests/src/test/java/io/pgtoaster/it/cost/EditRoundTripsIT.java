package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.SetOptions;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Counts the round trips of an edit in plain SQL, with and without prepared statements. */
class EditRoundTripsIT {
  private static final int WARM = 21;
  private static final Map<String, Integer> ROLE = Map.of("year", 1999, "place", 4);

  private static final SetOptions CREATE = SetOptions.defaults().withCreateParents(true);

  @AutoClose private static DocumentFixture fx;

  /**
   * An edit.
   *
   * @param messages the maximum number of messages
   * @param name the name of the edit
   * @param call executes it for the n-th time
   */
  record Edit(int messages, String name, Call call) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  interface Call {
    void on(DocumentColumn documents, Object key, int n);
  }

  @BeforeAll
  static void start() throws Exception {
    fx =
        new DocumentFixture(
            new Setting(PostgresServers.newest(), true),
            DocumentSpec.keyed("{\"leaf_size\": 1024}"));
  }

  static Stream<Arguments> edits() {
    return Stream.of(true, false)
        .flatMap(prepared -> list().stream().map(edit -> Arguments.of(edit, prepared)));
  }

  private static List<Edit> list() {
    return List.of(
        new Edit(1, "a member of the row", (d, key, n) -> d.at(key, "id").set(n)),
        new Edit(1, "a value in a leaf", (d, key, n) -> d.at(key, "list[7].year").set(n)),
        new Edit(1, "an object in a leaf", (d, key, n) -> d.at(key, "list[7]").set(ROLE)),
        new Edit(
            1,
            "a long string in a leaf",
            (d, key, n) -> d.at(key, "list[8].t").set("x".repeat(9_000))),
        new Edit(1, "a sum", (d, key, n) -> d.at(key, "list[9].year").increment(BigDecimal.ONE)),
        new Edit(1, "an insert", (d, key, n) -> d.at(key, "list[3]").insert(ROLE)),
        new Edit(1, "a removal", (d, key, n) -> d.at(key, "list[3]").remove()),
        new Edit(1, "an append", (d, key, n) -> d.at(key, "list").append(ROLE)),
        new Edit(
            1, "a member out of line", (d, key, n) -> d.at(key, "m1").set("n".repeat(300 + n))),
        new Edit(
            2,
            "a value without room in the row",
            (d, key, n) -> d.at(key, "id").set("n".repeat(n % 2 == 0 ? 1 : 2_500))),
        new Edit(
            1,
            "a value with its parents in the row",
            (d, key, n) -> d.at(key, "made.m" + n + ".x").set(n, CREATE)),
        new Edit(
            1,
            "a value with its parents in a leaf",
            (d, key, n) -> d.at(key, "list[7].made.m" + n + ".x").set(n, CREATE)),
        new Edit(1, "several edits", (d, key, n) -> d.edit(key, several(n))),
        new Edit(
            2, "a member that goes with its branch", (d, key, n) -> d.at(key, "m" + n).remove()));
  }

  private static List<JsonEdit> several(int n) {
    ArrayNode added = JsonNodeFactory.instance.arrayNode().add(n);
    return List.of(
        new JsonEdit.Set(DocumentPath.parse("id"), added.get(0), true),
        new JsonEdit.Increment(DocumentPath.parse("list[7].year"), BigDecimal.TEN),
        new JsonEdit.Append(DocumentPath.parse("list"), added),
        new JsonEdit.Remove(DocumentPath.parse("nothing")));
  }

  @ParameterizedTest(name = "{0}, prepared: {1}")
  @MethodSource("edits")
  void edit_sendsNoMoreMessagesThanNeeded(Edit edit, boolean prepared) throws Exception {
    Object key =
        fx.row(
            IntStream.range(0, 200)
                    .mapToObj("{\"year\": %d, \"t\": \"a title\"}"::formatted)
                    .collect(Collectors.joining(", ", "{\"id\": 1, \"list\": [", "]"))
                + IntStream.rangeClosed(0, WARM)
                    .mapToObj(i -> ", \"m%d\": \"%s\"".formatted(i, "m".repeat(400)))
                    .collect(Collectors.joining("", "", "}")));
    try (Cuts cuts = new Cuts(fx.database());
        Connection connection = cuts.connect(prepared)) {
      DocumentColumn documents =
          PgToaster.on(connection).documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
      for (int i = 0; i < WARM; i++) {
        edit.call().on(documents, key, i);
      }
      cuts.allow(edit.messages(), () -> edit.call().on(documents, key, WARM));
      assertThat(documents.verify(key)).isEmpty();
    }
  }
}
