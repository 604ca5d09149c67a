package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.ThreePatched;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

/**
 * {@code pgtoaster.patch} in SQL has the same result as the Java API, on split and plain documents.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlPatchIT {
  private static final String DOCUMENT =
      """
      {"name": "Ada", "n": 1.50, "none": null, "few": [], "a/b": {"m~n": 1, "": 2}, "text": "%1$s", "list": [%2$s],
       "map": {%3$s}, "deep": {"a": [[1, "%1$s"], {"b": [%2$s]}]}, "odd": {"$pgtoaster": 7, "t": "%1$s"}}\
      """
          .formatted(
              Documents.words(1, 900),
              IntStream.range(0, 60)
                  .mapToObj(i -> "{\"i\": %d, \"t\": \"%s\"}".formatted(i, Documents.words(i, 40)))
                  .collect(Collectors.joining(", ")),
              IntStream.range(0, 60)
                  .mapToObj(i -> "\"k%d\": {\"i\": %d}".formatted(i, i))
                  .collect(Collectors.joining(", ")));

  @Parameter Setting setting;

  private DocumentFixture fx;
  private ThreePatched documents;

  private DocumentFixture fx() {
    if (fx == null) {
      fx =
          new DocumentFixture(
              setting,
              DocumentSpec.keyed(
                  "{\"row_budget\": 800, \"leaf_size\": 512, \"fan_out\": 4, \"unchanged\": \"error\"}"));
    }
    return fx;
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().run("DELETE FROM item");
    fx().afterTest();
    assertThat(fx().orphans()).isEmpty();
  }

  @AfterParameterizedClassInvocation
  void close() {
    if (fx != null) {
      fx.close();
      fx = null;
    }
  }

  private Object row() throws SQLException {
    Object key = fx().row();
    documents = new ThreePatched(fx());
    documents.put(key, DOCUMENT);
    return key;
  }

  private String doc(Object key) {
    return fx().string("SELECT CAST(pgtoaster.expand(doc) AS text) FROM item" + fx().where(key));
  }

  private String update(String expression, Object key) {
    return "UPDATE item SET doc = " + expression + fx().where(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[{'op':'add','path':'/new','value':{'a':[1.00]}}, {'op':'add','path':'/new/a/-','value':null}]",
        "[{'op':'add','path':'/list/0','value':[1]}, {'op':'add','path':'/list/61','value':2}, {'op':'add','path':'/list/-','value':3}]",
        "[{'op':'add','path':'/few/0','value':1}, {'op':'add','path':'/few/0','value':0}]",
        "[{'op':'add','path':'/map/k7','value':'other'}, {'op':'add','path':'/map/-','value':1}]",
        "[{'op':'remove','path':'/list/59'}, {'op':'remove','path':'/a~1b/m~0n'}, {'op':'remove','path':'/a~1b/'}]",
        "[{'op':'remove','path':'/list'}, {'op':'add','path':'/list','value':[]}, {'op':'add','path':'/list/-','value':1}]",
        "[{'op':'replace','path':'/deep/a/1/b/3/i','value':{'$pgtoaster':{'$$pgtoaster':1}}}]",
        "[{'op':'move','from':'/list/7','path':'/list/59'}, {'op':'move','from':'/list','path':'/deep/a/0/1'}]",
        "[{'op':'move','from':'/map','path':'/map'}, {'op':'move','from':'/deep/a/1','path':'/deep/a/0'}]",
        "[{'op':'copy','from':'/odd','path':'/list/3'}, {'op':'copy','from':'','path':'/whole'}]",
        "[{'op':'test','path':'/n','value':1.5}, {'op':'test','path':'/none','value':null}, {'op':'test','path':'/few','value':[]}]",
        "[{'op':'copy','from':'/map','path':'/again'}, {'op':'remove','path':'/map/k3'}, {'op':'test','path':'/again/k3','value':{'i':3}}]",
        "[{'op':'remove','path':'/list'}, {'op':'replace','path':'','value':{'list':[1]}}, {'op':'add','path':'/list/-','value':2}]",
        "[{'op':'add','path':'','value':7}, {'op':'test','path':'','value':7.0}, {'op':'copy','from':'','path':''}]",
        "[{'op':'remove','path':''}]",
        "[{'op':'remove','path':''}, {'op':'add','path':'','value':[]}, {'op':'add','path':'/0','value':1}]",
        "[{'op':'move','from':'/list','path':''}, {'op':'move','from':'/5','path':'/-'}]",
      })
  void operations_haveTheSameResultAsInJava(String patch) throws SQLException {
    Object key = row();
    assertThat(documents.patch(key, patch.replace('\'', '"'))).isEqualTo(ThreePatched.DONE);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{'op':'add','path':'/list/-','value':1}, {'op':'test','path':'/list/60','value':2}]",
        "[{'op':'remove','path':'/text'}, {'op':'test','path':'/list','value':[]}]",
        "[{'op':'test','path':'/list','value':{}}]",
        "[{'op':'test','path':'/text/0','value':1}]",
        "[{'op':'test','path':'/list/60','value':1}]",
        "[{'op':'add','path':'/list/61','value':1}]",
        "[{'op':'add','path':'/list/4294967296','value':1}]",
        "[{'op':'add','path':'/list/x','value':1}]",
        "[{'op':'add','path':'/list/-1','value':1}]",
        "[{'op':'add','path':'/list/01','value':1}]",
        "[{'op':'add','path':'/list/ 1/i','value':1}]",
        "[{'op':'add','path':'/nothing/1','value':1}]",
        "[{'op':'add','path':'/list/-/i','value':1}]",
        "[{'op':'add','path':'/text/x','value':1}]",
        "[{'op':'remove','path':'/list/-'}]",
        "[{'op':'remove','path':'/list/x/i'}]",
        "[{'op':'remove','path':'/map/k60'}]",
        "[{'op':'replace','path':'/list/60','value':1}]",
        "[{'op':'replace','path':'/text/x','value':1}]",
        "[{'op':'move','from':'/deep','path':'/deep/a/0'}]",
        "[{'op':'move','from':'','path':'/deep'}]",
        "[{'op':'move','from':'/list/3','path':'/list/60'}]",
        "[{'op':'copy','from':'/list/-','path':'/x'}]",
        "[{'op':'copy','from':'/map/k1','path':'/text/x'}]",
        "[{'op':'remove','path':''}, {'op':'add','path':'/a','value':1}]",
        "[{'op':'replace','path':'','value':[5]}, {'op':'remove','path':'/list'}]",
        "[{'op':'add','path':'','value':5}, {'op':'remove','path':'/x'}]",
        "{'op':'remove','path':'/list'}",
        "[{'op':'remove','path':'/list'}, 5]",
        "[{'path':'/list'}]",
        "[{'op':'take','path':'/list'}]",
        "[{'op':'remove'}]",
        "[{'op':'remove','path':'list'}]",
        "[{'op':'remove','path':'/a~2'}]",
        "[{'op':'move','path':'/x'}]",
        "[{'op':'copy','path':'/x','from':'~'}]",
        "[{'op':'add','path':'/x'}]",
      })
  void failingOperation_hasTheMessageOfTheJavaApi_andUndoesAllOthers(String patch)
      throws SQLException {
    Object key = row();
    assertThat(documents.patch(key, patch.replace('\'', '"'))).isNotEqualTo(ThreePatched.DONE);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"doc", "plain"})
  void repeatedCopiesThatDoubleTheDocument_areRefused(String column) throws SQLException {
    Object key = row();
    String copies =
        Collections.nCopies(40, "{\"op\": \"copy\", \"from\": \"/list\", \"path\": \"/list/-\"}")
            .toString();
    String patch = "UPDATE item SET %1$s = pgtoaster.patch(%1$s, '%2$s'%3$s)" + fx().where(key);
    try (Connection c = fx().connect()) {
      assertThatThrownBy(() -> Sql.run(c, patch.formatted(column, copies, "")))
          .isInstanceOfSatisfying(
              PSQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("22023");
                assertThat(e.getMessage())
                    .contains("(copy)", "add more than 1048576 bytes, its copy limit");
              });
    }
    String before = doc(key);
    String few = Collections.nCopies(2, copies.substring(1, copies.indexOf('}') + 1)).toString();
    try (Connection c = fx().connect()) {
      assertThatThrownBy(() -> Sql.run(c, patch.formatted(column, few, ", copy_limit => 10000")))
          .hasMessageContaining("operation 2 ");
    }
    assertThat(doc(key)).isEqualTo(before);
    fx().run(patch.formatted(column, few, ", copy_limit => 100000"));
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  void thousandsOfOperations_areApplied() throws SQLException {
    Object key = row();
    String adds =
        IntStream.range(0, 4_000)
            .mapToObj(i -> "{\"op\": \"add\", \"path\": \"/few/-\", \"value\": %d}".formatted(i))
            .collect(Collectors.joining(", ", "[", "]"));
    fx().run(update("pgtoaster.patch(plain, '" + adds + "')", key).replace("doc =", "plain ="));
    assertThat(fx().string("SELECT jsonb_array_length(plain -> 'few') FROM item" + fx().where(key)))
        .isEqualTo("4000");
  }

  @Test
  void longPaths_areShortenedInTheError() throws SQLException {
    Object key = row();
    String path = "/" + "long".repeat(100);
    assertThat(documents.patch(key, "[{\"op\":\"remove\",\"path\":\"%s\"}]".formatted(path)))
        .contains(path.substring(0, 200) + "...: there is nothing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pgtoaster.patch(pgtoaster.set(doc, '{list,0}', '1'), '[{\"op\":\"test\",\"path\":\"/list/0\",\"value\":1},"
            + " {\"op\":\"remove\",\"path\":\"/list/0\"}]')",
        "pgtoaster.append(pgtoaster.patch(doc, '[{\"op\":\"move\",\"from\":\"/list\",\"path\":\"/moved\"}]'), '{moved}', '[1]')",
        "pgtoaster.merge(pgtoaster.patch(pgtoaster.remove(doc, '{text}'), '[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"list\":[1]}}]'),"
            + " '{\"list\": null, \"x\": 1}')",
        "pgtoaster.increment(pgtoaster.patch(pgtoaster.patch(doc, '[{\"op\":\"remove\",\"path\":\"\"}]'),"
            + " '[{\"op\":\"add\",\"path\":\"\",\"value\":{}}]'), '{n}')",
        "pgtoaster.patch(doc, NULL)",
        "pgtoaster.patch(NULL, '[5]')",
      })
  void patch_isCombinedWithOtherFunctions(String expression) throws SQLException {
    Object key = row();
    fx().run(update(expression, key));
    fx().run("UPDATE item SET plain = " + expression.replace("doc", "plain") + fx().where(key));
    assertThat(doc(key))
        .isEqualTo(fx().string("SELECT CAST(plain AS text) FROM item" + fx().where(key)));
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  void patch_waitsForWritersOfLeaves_andSeesWhatTheyWrote() throws Exception {
    Object key = row();
    Connection first = fx().begin();
    Connection second = fx().begin();
    fx().on(first).at(key, "list[5].i").set(7);
    Future<?> waits =
        Wait.start(
            () -> {
              Sql.run(
                  second,
                  update(
                      "pgtoaster.patch(doc, '[{\"op\":\"test\",\"path\":\"/list/5/i\",\"value\":7},"
                          + " {\"op\":\"replace\",\"path\":\"/list/9/i\",\"value\":8}]')",
                      key));
              return null;
            });
    fx().database().awaitLockWaiters(1);
    first.commit();
    Wait.get(waits);
    // The tested value is locked until the transaction ends.
    Future<Boolean> third = Wait.start(() -> fx().own().at(key, "list[5].i").replaceIf(7, 9));
    fx().database().awaitLockWaiters(1);
    second.commit();
    assertThat(Wait.get(third)).isTrue();
    assertThat(fx().own().at(key, "list[9].i").get(Integer.class)).contains(8);
  }

  @Test
  void patchOfOtherRows_isRefused() throws SQLException {
    Object key = row();
    Object other = row();
    SQLException e =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (Connection c = fx().connect()) {
                Sql.run(
                    c,
                    update(
                        "(SELECT pgtoaster.patch(o.doc, '[]') FROM item o"
                            + fx().where(other)
                            + ")",
                        key));
              }
            });
    assertThat(e.getSQLState()).isEqualTo("23514");
  }
}
