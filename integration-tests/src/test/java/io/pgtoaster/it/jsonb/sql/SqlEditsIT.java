package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits as values, UPDATE .. SET doc = pgtoaster.set(doc, ..). They are compared with PostgreSQL's
 * operators on a plain column with the same document.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlEditsIT extends SqlEditsSuite {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "set(doc, '{name}', '\"Bob\"')",
        "set(doc, '{new,er}', '1')",
        "set(doc, '{new}', '1', false)",
        "set(doc, '{list,3,i}', '{\"x\": [1, null]}')",
        "set(doc, '{list,-1}', 'null')",
        "set(doc, '{list,1000}', '1')",
        "set(doc, '{list,-1000}', '1')",
        "set(doc, '{map,k7}', '[]')",
        "set(doc, '{map,other}', '[]')",
        "set(doc, '{list}', '\"gone\"')",
        "set(doc, '{deep}', '{\"a\": 1}')",
        "set(doc, '{deep,a,0,b,5,i}', '5')",
        "set(doc, '{deep,c,d,e}', '5')",
        "set(doc, '{in}', '5')",
        "set(doc, '{}', '5')",
        "set(doc, '{name,x}', '5')",
        "set(doc, '{odd,$pgtoaster}', '{\"$pgtoaster\": {\"$$pgtoaster\": \"x\\\"$pgtoaster\\\": \"}}')",
        "set(doc, '{tags,1}', to_jsonb(repeat('kept ', 300)))",
        "set(doc, '{in,x}', to_jsonb(repeat('moved ', 300)))",
        "set(doc, '{list,5,t}', to_jsonb(repeat('moved ', 3000)))",
        "set(doc, '{large}', (SELECT jsonb_agg(repeat('part ', i)) FROM generate_series(1, 200) i))",
        "insert(doc, '{list,0}', '{\"new\": 1}')",
        "insert(doc, '{list,60}', '{\"new\": 1}', true)",
        "insert(doc, '{list,-1}', '[1]', true)",
        "insert(doc, '{map,other}', '1')",
        "insert(doc, '{tags,1}', '1')",
        "insert(doc, '{deep,a,0}', '1')",
        "insert(doc, '{nowhere,0}', '1')",
        "remove(doc, '{name}')",
        "remove(doc, '{list}')",
        "remove(doc, '{list,0}')",
        "remove(doc, '{list,-2,t}')",
        "remove(doc, '{map,k9}')",
        "remove(doc, '{deep,a,0}')",
        "remove(doc, '{deep,a,0,b,3}')",
        "remove(doc, '{in,long}')",
        "remove(doc, '{nothing,0}')",
        "append(doc, '{list}', '{\"new\": 1}')",
        "append(doc, '{list}', (SELECT jsonb_agg(i) FROM generate_series(1, 500) i))",
        "append(doc, '{tags}', '[]')",
        "append(doc, '{map,k1}', '[2]')",
        "append(doc, '{name}', '\"b\"')",
        "append(doc, '{text}', '\"b\"')",
        "append(doc, '{deep,c}', '1')",
        "append(doc, '{nothing}', '1')",
        "increment(doc, '{n}')",
        "increment(doc, '{m}', 2.50)",
        "increment(doc, '{list,2,i}', -3)",
        "increment(doc, '{map,k3,i}', 1e30)",
        "increment(doc, '{list,1000}')",
        "increment(doc, '{digits}')",
        "merge(doc, '{\"name\": null, \"in\": {\"long\": null, \"x\": {\"a\": null, \"b\": 1}}, \"list\": {\"y\": null}}')",
        "merge(doc, '{\"deep\": {\"c\": {\"d\": {\"f\": 1}}, \"a\": null}, \"map\": {\"k5\": {\"i\": null}}, \"z\": [null]}')",
        "merge(doc, '{}')",
        "remove(pgtoaster.insert(doc, '{list,7}', '1'), '{list,7}')",
        "append(pgtoaster.increment(pgtoaster.set(doc, '{a}', '{\"b\": 1}'), '{a,b}', 4), '{a,b}', '5')",
        "set(pgtoaster.remove(doc, '{list}'), '{list}', '[1]')",
        "set(doc || '{\"first\": 1}', '{list,0}', '1')",
        "set(doc, '{name}', NULL)",
      })
  void edit_worksLikeOnPlainJsonb(String expression) {
    for (String json : List.of(DOCUMENT, MANY, PLAIN)) {
      Object key = row(json);
      edit(key, "pgtoaster." + expression);
      assertSame(key);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set(doc, '{list,x}', '1')",
        "remove(doc, '{list,x,y}')",
        "insert(doc, '{list,99999999999}', '1')",
        "insert(doc, '{name}', '1')",
        "insert(doc, '{list}', '1')",
        "increment(doc, '{name}')",
        "increment(doc, '{list}')",
        "increment(doc, '{}')",
        "increment(doc, '{n}', 'NaN')",
        "set(doc, ARRAY[NULL, 'a'], '1')",
        "set(doc, '{{a},{b}}', '1')",
        "set(pgtoaster.remove(doc, '{map}'), '{list,x}', '1')",
      })
  void editThatPostgreSqlRefuses_isRefusedWithTheSameMessage_andNothingChanges(String expression)
      throws SQLException {
    Object key = row(DOCUMENT);
    String stored = stored(key);
    String sql = "UPDATE item SET doc = pgtoaster." + expression + fx().where(key);
    SQLException e = refused(sql);
    SQLException plain = refused(sql.replace("doc", "plain"));
    assertThat(e.getSQLState()).isEqualTo(plain.getSQLState());
    assertThat(e.getMessage().lines().findFirst())
        .isEqualTo(plain.getMessage().lines().findFirst());
    assertThat(stored(key)).isEqualTo(stored);
    assertSame(key);
  }

  @Test
  void documents_areSplitBothWays() {
    assertThat(stored(row(DOCUMENT))).contains("\"list\": {\"$pgtoaster\": ");
    assertThat(
            fx().number(
                    "SELECT jsonb_array_length(doc->'$pgtoaster') FROM item"
                        + fx().where(row(MANY))))
        .isEqualTo(2);
  }

  @Test
  void unsuitableRoot_isRefused_orNotChanged() throws SQLException {
    Object text = row("\"" + Documents.words(1, 5_000) + "\"");
    for (String expression :
        List.of("set(doc, '{a}', '1')", "remove(doc, '{a}')", "set(doc, '{}', '1')")) {
      String sql = "UPDATE item SET doc = pgtoaster." + expression + fx().where(text);
      assertThat(refused(sql).getMessage().lines().findFirst())
          .isEqualTo(refused(sql.replace("doc", "plain")).getMessage().lines().findFirst());
    }
    Object list = row("[" + "\"%s\", ".formatted(WORDS).repeat(9) + "1]");
    edit(list, "pgtoaster.append(pgtoaster.remove(doc, '{2}'), '{}', '[5, 6]')");
    assertSame(text, list);
    edit(
        list,
        "pgtoaster.set(pgtoaster.merge(doc, '{\"a\": 1, \"b\": {\"c\": null}}'), '{b,d}', '2')");
    assertSame(text, list);
    Object object = row(DOCUMENT);
    assertThat(
            refused("UPDATE item SET doc = pgtoaster.append(doc, '{}', '1')" + fx().where(object))
                .getMessage())
        .contains("pgtoaster.append(pgtoaster.expand(");
  }

  @Test
  void emptyMerge_turnsAnArrayIntoAnObject() {
    String array = "[" + "\"%s\", ".formatted(WORDS).repeat(9) + "1]";
    for (String expression :
        List.of("merge(doc, '{}')", "set(pgtoaster.merge(doc, '{}'), '{a}', '1')")) {
      Object list = row(array);
      edit(list, "pgtoaster." + expression);
      assertSame(list);
    }
    Object object = row(MANY);
    edit(object, "pgtoaster.set(pgtoaster.merge(doc, '{}'), '{n}', '5')");
    assertSame(object);
  }

  @Test
  void unknownEdit_isRefused() throws SQLException {
    String sql = "SELECT pgtoaster.edited('{\"a\": 1}', '[[\"rename\", [\"a\"], 1, true]]')";
    assertThat(refused(sql).getMessage()).contains("there is no document edit named \"rename\"");
  }

  @Test
  void longArray_isSplitAndMerged_byManyEditsOfOneRow() {
    Object key = row(DOCUMENT);
    for (int i = 0; i < 40; i++) {
      edit(
          key,
          "pgtoaster.insert(pgtoaster.insert(doc, '{list,%d}', '{\"w\": \"%s\"}'), '{deep,a,0,b,%d}', '%d')"
              .formatted(i, Documents.words(i, 300), i, i));
    }
    assertSame(key);
    for (int i = 0; i < 50; i++) {
      edit(
          key,
          "pgtoaster.remove(pgtoaster.remove(pgtoaster.remove(doc, '{list,0}'), '{list,5}'), '{list,-1}')");
    }
    assertSame(key);
  }

  @Test
  void pinnedMember_isAddedToTheRow_ifTheRootHasAnOverflowBranch() {
    Object key = row(MANY);
    for (int i = 0; i < 2; i++) {
      edit(key, "pgtoaster.remove(doc, '{tags}')");
      assertSame(key);
      if (i == 0) {
        edit(key, "pgtoaster.set(doc, '{tags}', '[1]')");
      } else {
        fx().own().at(key, "tags").set(List.of(1));
        change("UPDATE item SET plain = jsonb_set(plain, '{tags}', '[1]')");
      }
      assertSame(key);
      assertThat(fx().string("SELECT doc->'tags' FROM item")).isEqualTo("[1]");
    }
  }

  @Test
  void fullRow_movesItsLargestMembersOutOfLine_andKeepsPinnedOnes() {
    Object key = row(DOCUMENT);
    for (int i = 0; i < 12; i++) {
      edit(
          key,
          "pgtoaster.set(doc, '{m%d}', to_jsonb('%s'::text))"
              .formatted(i, Documents.words(i, 200)));
      edit(key, "pgtoaster.append(doc, '{tags}', '\"%s\"')".formatted(Documents.words(i, 30)));
    }
    assertSame(key);
    assertThat(fx().number("SELECT pg_column_size(doc - 'tags') FROM item" + fx().where(key)))
        .isLessThan(1500);
    assertThat(fx().number("SELECT jsonb_array_length(doc->'tags') FROM item" + fx().where(key)))
        .isEqualTo(14);
  }

  @Test
  void manyRows_plainAndSplit_areEditedByOneStatement() {
    Object[] keys = {row(DOCUMENT), row(PLAIN), row(DOCUMENT), row("{}"), row(DOCUMENT)};
    change(
        "UPDATE item SET doc = pgtoaster.set(pgtoaster.remove(doc, '{list,1}'), '{seen}', 'true')");
    assertSame(keys);
    change(
        "UPDATE item SET doc = CASE WHEN doc->>'n' = '1' THEN pgtoaster.increment(doc, '{n}') ELSE doc || '{\"x\": 1}' END");
    assertSame(keys);
  }

  @Test
  void conflictingInsert_andMerge_edit() {
    Object key = row(DOCUMENT);
    change(
        "INSERT INTO item AS i (id, doc) SELECT id, '{\"i\": 0}' FROM item"
            + fx().where(key)
            + " ON CONFLICT (id) DO UPDATE SET doc = pgtoaster.insert(i.doc, '{list,0}', excluded.doc)");
    assertSame(key);
    change(
        "MERGE INTO item i USING (SELECT 5 AS x) s ON i.doc->>'name' = 'Ada'"
            + " WHEN MATCHED THEN UPDATE SET doc = pgtoaster.append(i.doc, '{list}', to_jsonb(s.x))");
    assertSame(key);
    assertThat(fx().own().at(key, "list").size()).hasValue(122);
  }

  @Test
  void view_andReturning_workAsForAnyUpdate() {
    Object key = row(DOCUMENT);
    fx().run("CREATE VIEW shown AS SELECT * FROM item WHERE changed = 0");
    try {
      change("UPDATE shown SET doc = pgtoaster.set(doc, '{list,4}', '1')");
      assertSame(key);
      assertThat(
              fx().string(
                      "UPDATE shown SET doc = pgtoaster.set(pgtoaster.remove(doc, '{list,4}'), '{name}', '\"Eve\"')"
                          + " RETURNING doc->>'name' || jsonb_typeof(doc->'$pgtoaster')"))
          .isEqualTo("Evearray");
    } finally {
      fx().run("DROP VIEW shown");
    }
  }

  /** The operator and the edits change different members, so their order does not matter. */
  @Test
  void operatorsAfterAnEdit_mayChangeOtherMembers() {
    Object key = row(DOCUMENT);
    edit(key, "pgtoaster.set(doc, '{list,0}', '1') || '{\"name\": \"Eve\"}'");
    edit(
        key,
        "pgtoaster.set(pgtoaster.increment(pgtoaster.set(doc, '{list,0}', '1'), '{n}') || '{\"n\": 1}', '{list,1}', '2')");
    edit(key, "pgtoaster.append(doc, '{list,\" 1\"}', '5')");
    edit(key, "pgtoaster.set(doc, '{name}', to_jsonb(repeat('x', 3000))) || '{\"name\": 1}'");
    edit(key, "pgtoaster.merge(doc, '{\"list\": 1, \"name\": null}') || '{\"tags\": 1}'");
    assertSame(key);
  }

  @Test
  void oneUpdate_editsTwoColumns() {
    Object key = row(DOCUMENT);
    fx().run("ALTER TABLE item ADD COLUMN other jsonb");
    try {
      fx().run(
              "SELECT pgtoaster.attach('item', 'other', 'keyed', '{\"row_budget\": 300, \"unchanged\": \"error\"}')");
      PgToaster.create(fx().pool()).documents("item", "other").putJson(key, DOCUMENT);
      fx().run(
              "UPDATE item SET doc = pgtoaster.set(doc, '{list,0}', '1'), other = pgtoaster.set(other, '{list,0}', '1')",
              "UPDATE item SET plain = jsonb_set(plain, '{list,0}', '1')");
      assertSame(key);
      assertThat(fx().string("SELECT pgtoaster.expand(other) = plain FROM item")).isEqualTo("t");
    } finally {
      fx().run("SELECT pgtoaster.detach('item', 'other')", "ALTER TABLE item DROP COLUMN other");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET doc = (SELECT pgtoaster.set(o.doc, '{a}', '1') FROM item o WHERE o.changed = 1) WHERE changed = 2",
        "UPDATE item SET doc = (SELECT pgtoaster.set(o.doc, '{a}', '1') FROM item o WHERE o.changed = 1) WHERE changed = 3",
        "INSERT INTO item (id, doc) SELECT 1000000, pgtoaster.set(doc, '{a}', '1') FROM item WHERE changed = 1",
        "UPDATE item SET doc = pgtoaster.set(doc, '{list,0}', '1') || '{\"list\": 1}' WHERE changed = 1",
        "UPDATE item SET doc = pgtoaster.merge(doc, '{\"list\": 1}') || '{\"list\": 2}' WHERE changed = 1",
        "UPDATE item SET doc = pgtoaster.set(pgtoaster.set(doc, '{list,0}', '1') - 'list', '{a}', '1') WHERE changed = 1",
        "UPDATE item SET doc = jsonb_set(pgtoaster.set(doc, '{list,0}', '1'), '{$pgtoaster,document,0}', '5') WHERE changed = 1",
        "UPDATE item SET doc = pgtoaster.set(doc - 'list', '{a}', '1') || jsonb_build_object('list', doc->'text') WHERE changed = 1",
        "UPDATE item SET doc = pgtoaster.set(doc || jsonb_build_object('copy', doc->'list'), '{copy,0}', '1') WHERE changed = 1",
        "UPDATE item SET doc = jsonb_build_object('part', pgtoaster.set(doc, '{a}', '1')) WHERE changed = 1",
        "UPDATE item SET doc = jsonb_build_object('part', pgtoaster.set(doc, '{a}', '1') - ARRAY['in', 'text', 'list', 'map', 'deep', 'digits', '$$pgtoaster', 'odd']) WHERE changed = 1",
      })
  void recordedEditWrittenToAnotherRow_orChanged_isRefused_andNothingChanges(String sql)
      throws SQLException {
    Object first = row(DOCUMENT);
    Object second = row(DOCUMENT);
    Object third = row(PLAIN);
    int n = 0;
    for (Object key : List.of(first, second, third)) {
      fx().run("UPDATE item SET changed = " + ++n + fx().where(key));
    }
    String stored = stored(first) + stored(second) + stored(third);
    SQLException e = refused(sql);
    assertThat(e.getSQLState()).as("%s", e).isEqualTo("23514");
    assertThat(e.getMessage()).contains("Hint: ");
    assertThat(stored(first) + stored(second) + stored(third)).isEqualTo(stored);
    assertSame(first, second, third);
  }

  @Test
  void documentWithPendingEdits_isReadAsEdited() {
    Object key = row(DOCUMENT);
    for (String edit :
        List.of(
            "set(doc, '{tags,0}', '\"x\"')",
            "set(pgtoaster.set(doc, '{tags,0}', '\"x\"'), '{list,0}', '7')",
            "merge(doc, '{\"list\": null, \"odd\": {\"$pgtoaster\": 8}}')")) {
      String plain = edit.replace("doc", "plain");
      assertThat(
              fx().strings(
                      """
                      SELECT pgtoaster.expand(pgtoaster.%1$s) = pgtoaster.%2$s
                        AND pgtoaster.get(pgtoaster.%1$s, '{list,0}') IS NOT DISTINCT FROM pgtoaster.%2$s #> '{list,0}'
                        AND pgtoaster.get_text(pgtoaster.%1$s, '{tags,0}') = pgtoaster.%2$s #>> '{tags,0}'
                        AND pgtoaster.contains(pgtoaster.%1$s, pgtoaster.%2$s) FROM item\
                      """
                          .formatted(edit, plain)))
          .containsExactly("t");
    }
    assertSame(key);
  }

  @Test
  void recordedEditStoredWithTriggersDisabled_losesNothing() throws SQLException {
    Object key = row(DOCUMENT);
    long nodes = nodes();
    fx().runWithoutTriggers(
            "UPDATE item SET doc = pgtoaster.set(doc, '{name}', '1')" + fx().where(key));
    assertThat(
            refused("UPDATE item SET doc = pgtoaster.set(doc, '{n}', '1')" + fx().where(key))
                .getSQLState())
        .isEqualTo("23514");
    fx().run("UPDATE " + fx().table("head") + " SET created_at = now() - interval '1 year'");
    assertThat(
            fx().strings("SELECT id FROM pgtoaster.gc_documents(" + fx().store() + ", '1 hour')"))
        .isEmpty();
    assertThat(nodes()).isEqualTo(nodes);
    fx().string("SELECT count(*) FROM pgtoaster.repair('item', 'doc', NULL, false)");
    fx().run("DELETE FROM " + fx().table("aside"));
    assertThat(fx().own().at(key, "list[3].i").get(Integer.class)).contains(3);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  void editsThatWaitForEachOther_areEachAppliedOnce_andInOrder() throws Exception {
    Object key = row(DOCUMENT);
    List<String> edits =
        List.of(
            "pgtoaster.insert(doc, '{list,0}', '\"%d\"')",
            "pgtoaster.append(pgtoaster.set(doc, '{name}', '\"%d\"'), '{deep,a,0,b}', '%d')",
            "pgtoaster.increment(pgtoaster.remove(doc, '{list,3}'), '{n}', %d)");
    for (String edit : edits) {
      Connection first = fx().begin();
      Connection second = fx().begin();
      Sql.run(first, update(edit, 1, key));
      Future<?> waits =
          Wait.start(
              () -> {
                Sql.run(second, update(edit, 2, key));
                return null;
              });
      fx().database().awaitLockWaiters(1);
      first.commit();
      Wait.get(waits);
      second.commit();
      for (int i = 1; i <= 2; i++) {
        fx().run(update(edit, i, key).replace("doc", "plain"));
      }
      assertSame(key);
    }
  }

  private String update(String edit, int value, Object key) {
    return "UPDATE item SET doc = " + edit.replace("%d", Integer.toString(value)) + fx().where(key);
  }

  @Test
  void editAfterAnotherWriter_inAnOlderSnapshot_isASerializationFailure() throws Exception {
    Object key = row(DOCUMENT);
    for (boolean byRow : new boolean[] {true, false}) {
      Connection reader = fx().begin(Connection.TRANSACTION_REPEATABLE_READ);
      Sql.string(reader, "SELECT count(*) FROM item");
      if (byRow) {
        edit(key, "pgtoaster.set(doc, '{list,0,i}', '7')");
      } else {
        fx().own().at(key, "list[0].i").set(8);
        fx().run("UPDATE item SET plain = jsonb_set(plain, '{list,0,i}', '8')" + fx().where(key));
      }
      SQLException e =
          catchThrowableOfType(
              SQLException.class,
              () -> Sql.run(reader, update("pgtoaster.set(doc, '{list,0,i}', '%d')", 9, key)));
      assertThat(e.getSQLState()).isEqualTo("40001");
      reader.rollback();
    }
    assertSame(key);
  }

  @Test
  void renamedColumns_areFollowed() {
    Object key = row(DOCUMENT);
    fx().run("ALTER TABLE item RENAME doc TO \"re \"\"named\"", "ALTER TABLE item RENAME id TO nr");
    try {
      fx().run(
              "UPDATE item SET \"re \"\"named\" = pgtoaster.set(pgtoaster.set(\"re \"\"named\", '{list,0}', '1'), '{name}', '2')",
              "UPDATE item SET plain = pgtoaster.set(pgtoaster.set(plain, '{list,0}', '1'), '{name}', '2')");
      assertThat(fx().string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    } finally {
      fx().run(
              "ALTER TABLE item RENAME \"re \"\"named\" TO doc",
              "ALTER TABLE item RENAME nr TO id");
    }
    assertSame(key);
    edit(key, "pgtoaster.remove(doc, '{list,0}')");
    assertSame(key);
  }
}
