package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits as values in tables with triggers. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#edges")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlEditTriggersIT extends SqlEditsSuite {
  @Test
  void triggersOfTheTable_fire_andMayAlsoEdit() {
    Object key = row(DOCUMENT);
    fx().run(
            """
            CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              NEW.changed := OLD.changed + 1;
              IF TG_NAME = 'a_stamp' THEN
                NEW.doc := pgtoaster.set(NEW.doc, '{stamp}', to_jsonb(NEW.changed));
              ELSE
                NEW.doc := jsonb_set(NEW.doc, '{after}', to_jsonb(NEW.changed));
              END IF;
              NEW.plain := NEW.plain || jsonb_build_object('stamp', NEW.changed, 'after', NEW.changed);
              RETURN NEW;
            END $$\
            """);
    try {
      for (String name : List.of("a_stamp", "z_stamp")) {
        fx().run(
                "CREATE TRIGGER %s BEFORE UPDATE OF doc ON item FOR EACH ROW EXECUTE FUNCTION stamp()"
                    .formatted(name));
      }
      // The last edit fills the row, so the edit itself moves a member out of line.
      for (String expression :
          List.of(
              "set(%s, '{list,0}', '1')",
              "remove(%s, '{deep}')", "set(%s, '{more}', to_jsonb(repeat('word ', 200)))")) {
        String edit = "pgtoaster." + expression;
        fx().run(
                "UPDATE item SET doc = %s, plain = %s%s"
                    .formatted(edit.formatted("doc"), edit.formatted("plain"), fx().where(key)));
        fx().run(
                "UPDATE item SET plain = jsonb_set(plain, '{stamp}', pgtoaster.expand(doc)->'stamp')"
                    + fx().where(key));
        assertSame(key);
      }
      assertThat(fx().number("SELECT changed FROM item" + fx().where(key))).isEqualTo(3);
      assertThat(fx().own().at(key, "after").get(Integer.class)).contains(3);
    } finally {
      fx().run("DROP FUNCTION stamp CASCADE");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "z_min_update"})
  void rowThatATriggerSkips_isNotEdited(String name) {
    Object key = row(DOCUMENT);
    boolean redundant = name.endsWith("update");
    fx().run(
            "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER %s BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION %s()"
                .formatted(name, redundant ? "suppress_redundant_updates_trigger" : "skip"));
    try {
      for (String edit :
          List.of("set(doc, '{list,0}', '1')", "merge(doc, '{\"name\": 1, \"list\": 2}')")) {
        edit(key, "pgtoaster." + edit);
        assertSame(key);
      }
      assertThat(fx().string("SELECT pgtoaster.get_text(doc, '{list}') FROM item"))
          .satisfies(list -> assertThat(list.equals("2")).isEqualTo(redundant));
    } finally {
      fx().run("DROP TRIGGER " + name + " ON item", "DROP FUNCTION skip");
    }
  }

  @Test
  void triggersOfTheTable_seeTheRowAsEdited() throws SQLException {
    Object key = row(DOCUMENT);
    fx().run(
            """
            CREATE FUNCTION check_tags() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF NEW.doc->'tags' = '[]' THEN
                RAISE EXCEPTION 'no tags' USING ERRCODE = 'check_violation';
              END IF;
              NEW.changed := OLD.changed + 1;
              RETURN NEW;
            END $$\
            """,
            "CREATE TRIGGER check_tags BEFORE UPDATE ON item FOR EACH ROW WHEN (OLD.doc IS DISTINCT FROM"
                + " NEW.doc) EXECUTE FUNCTION check_tags()");
    try {
      edit(key, "pgtoaster.set(doc, '{list,0}', '1')");
      for (String edit :
          List.of(
              "set(doc, '{tags}', '[]')",
              "set(pgtoaster.set(doc, '{list,0}', '1'), '{tags}', '[]')",
              "remove(pgtoaster.remove(pgtoaster.set(doc, '{list,0}', '1'), '{tags,0}'), '{tags,0}')",
              "merge(doc, '{\"x\": {\"$pgtoaster\": \"$pgtoaster\"}, \"list\": 5, \"tags\": []}')")) {
        assertThat(
                refused("UPDATE item SET doc = pgtoaster." + edit + fx().where(key)).getMessage())
            .contains("no tags");
      }
      edit(
          key,
          "pgtoaster.patch(doc, '[{\"op\": \"replace\", \"path\": \"/tags\", \"value\": 1}]')");
      assertSame(key);
      assertThat(fx().number("SELECT changed FROM item")).isEqualTo(2);
    } finally {
      fx().run("DROP FUNCTION check_tags CASCADE");
    }
  }

  @Test
  void triggerEdits_inAnUpdateOfOtherColumns_areApplied() {
    Object key = row(DOCUMENT);
    fx().run(
            """
            CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              NEW.doc := pgtoaster.set(pgtoaster.set(NEW.doc, '{n}', '7'), '{list,0}', '8');
              RETURN NEW;
            END $$\
            """,
            "CREATE TRIGGER touch BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION touch()");
    try {
      fx().run("UPDATE item SET plain = jsonb_set(jsonb_set(plain, '{n}', '7'), '{list,0}', '8')");
      assertSame(key);
    } finally {
      fx().run("DROP FUNCTION touch CASCADE");
    }
  }

  @Test
  void missingTrigger_isReportedByStatus_andEditsAreRefused() throws SQLException {
    Object key = row(DOCUMENT);
    String trigger = "~pgtoaster_" + fx().store() + "_edit";
    fx().run("ALTER TABLE item DISABLE TRIGGER \"" + trigger + "\"");
    try {
      assertThat(fx().string("SELECT CAST(warnings AS text) FROM pgtoaster.status()"))
          .contains(trigger);
      assertThat(
              refused("UPDATE item SET doc = pgtoaster.set(doc, '{a}', '1')" + fx().where(key))
                  .getSQLState())
          .isEqualTo("23514");
    } finally {
      fx().run("ALTER TABLE item ENABLE TRIGGER \"" + trigger + "\"");
    }
    assertSame(key);
  }
}
