package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/**
 * A table with row security, with the content of one tenant, and another tenant who tries to access
 * it.
 */
abstract class TenantsSuite {
  static final String JSON =
      "{\"iban\": \"DE\", \"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  @AutoClose RoleDatabase db;
  String owner;
  String victim;
  String thief;

  @BeforeEach
  final void tenants() throws SQLException {
    use(RoleDatabase.copy(setting, TenantsSuite.class, this::create));
  }

  private void use(RoleDatabase database) {
    db = database;
    owner = db.owner();
    victim = db.role("victim");
    thief = db.role("thief");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    table("item", "id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb", "");
    db.as(victim, "INSERT INTO item (id) VALUES (1)");
    db.as(thief, "INSERT INTO item (id, doc) VALUES (2, '{}')");
    db.blobs(victim).append(1, Bytes.text(1, 9000));
    db.blobs(victim).append(1, "PIN 4711".getBytes(US_ASCII));
    db.documents(victim).putJson(1, JSON);
  }

  /** Creates a table of the owner with a tenant for each row and with two stores. */
  final void table(String name, String columns, String partitioned) throws SQLException {
    db.as(
        owner,
        "CREATE TABLE " + name + " (" + columns + ")" + partitioned,
        "ALTER TABLE " + name + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON " + name + " USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON " + name + " TO " + victim + ", " + thief,
        "SELECT pgtoaster.attach('" + name + "', 'content')",
        "SELECT pgtoaster.attach('" + name + "', 'doc', 'keyed')");
  }

  final long number(String sql) {
    return db.database().number(sql);
  }
}
