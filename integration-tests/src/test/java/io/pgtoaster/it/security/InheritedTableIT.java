package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A table that inherits from an attached table does not have its triggers, so its rows can refer to
 * any content.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class InheritedTableIT {
  private static final byte[] CONTENT = "PIN 4711".getBytes(StandardCharsets.US_ASCII);
  private static final String JSON =
      "{\"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String victim;
  private String thief;

  @BeforeEach
  void rows() throws Exception {
    db = new RoleDatabase(setting);
    victim = db.role("victim");
    thief = db.role("thief");
    String both = victim + ", " + thief;
    db.as(
        db.owner(),
        "CREATE TABLE item (id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb)",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON item USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + both,
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')",
        "CREATE TABLE heir () INHERITS (item)",
        "GRANT INSERT ON heir TO " + both);
    db.as(victim, "INSERT INTO item (id) VALUES (1)");
    db.blobs(victim).append(1, CONTENT);
    db.documents(victim).putJson(1, JSON);
    db.database()
        .run(
            "INSERT INTO heir (id, tenant, content, doc) SELECT id, '%s', content, doc FROM item"
                .formatted(thief));
  }

  @Test
  void rowOfAChildTable_doesNotRevealTheRowWithTheSameKey() throws Exception {
    if (setting.extension()) {
      for (String call :
          new String[] {
            "blob_read('item', 'content', 1, 0, 10)",
            "blob_append('item', 'content', 1, 'x')",
            "blob_truncate('item', 'content', 1, 0)",
            "json_get('item', 'doc', 1, '{secret,2000}')",
            "json_set('item', 'doc', 1, '{secret,2000}', '2')",
            "json_shrink('item', 'doc', 1)"
          }) {
        db.assertRefused("P0002", thief, "SELECT toaster." + call);
      }
    }
    assertThat(db.rows(thief, "SELECT id FROM pgtoaster.store_1_head")).isEmpty();
    assertThat(db.blobs(victim).read(1, 0, 8)).isEqualTo(CONTENT);
    assertThat(db.rows(victim, "SELECT pgtoaster.get(doc, '{secret,2000}') FROM ONLY item"))
        .containsExactly("1");
  }
}
