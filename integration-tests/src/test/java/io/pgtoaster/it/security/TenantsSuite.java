package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A table with row security in which one tenant has content, and another one is after it. */
abstract class TenantsSuite {
  static final String JSON =
      "{\"iban\": \"DE\", \"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  RoleDatabase db;
  String owner;
  String victim;
  String thief;

  @BeforeEach
  final void tenants() throws SQLException {
    db = new RoleDatabase(setting);
    owner = db.owner();
    victim = db.role("victim");
    thief = db.role("thief");
    table("item", "id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb", "");
    db.as(victim, "INSERT INTO item (id) VALUES (1)");
    db.as(thief, "INSERT INTO item (id, doc) VALUES (2, '{}')");
    db.blobs(victim).append(1, Bytes.text(1, 9000));
    db.blobs(victim).append(1, "PIN 4711".getBytes(US_ASCII));
    db.documents(victim).putJson(1, JSON);
  }

  /** A table of the owner whose rows are their tenant's, with two stores. */
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

  @AfterEach
  final void drop() throws SQLException {
    db.close();
  }

  final long number(String sql) {
    return db.database().number(sql);
  }
}
