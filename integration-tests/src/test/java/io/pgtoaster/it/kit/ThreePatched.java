package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.util.PSQLException;

/**
 * One document in a keyed column and in two plain jsonb columns. JSON Patches in SQL change the
 * first two, the Java API changes the third. All have the same result, or are refused with the same
 * message.
 */
public final class ThreePatched {
  /** The result of {@link #patch} if the patch was applied. */
  public static final String DONE = "done";

  private final DocumentFixture fx;
  private final DocumentColumn byJava;
  private final Connection connection;

  public ThreePatched(DocumentFixture fx) {
    this.fx = fx;
    fx.run(
        "ALTER TABLE item ADD COLUMN IF NOT EXISTS plain jsonb,"
            + " ADD COLUMN IF NOT EXISTS by_java jsonb");
    this.byJava = PgToaster.create(fx.pool()).documents(TableFixture.TABLE, "by_java");
    this.connection = fx.connect();
  }

  public void put(Object key, String json) throws SQLException {
    fx.own().putJson(key, json);
    String value = "CAST(" + Sql.literal(json) + " AS jsonb)";
    Sql.run(
        connection,
        "UPDATE item SET plain = %1$s, by_java = %1$s".formatted(value) + fx.where(key));
  }

  /** Returns the document as text, or null if it is NULL. */
  public String text(Object key) throws SQLException {
    return Sql.string(connection, "SELECT CAST(by_java AS text) FROM item" + fx.where(key));
  }

  /** Applies a patch to all documents; returns the reason if it is refused. */
  public String patch(Object key, String patch) throws SQLException {
    String before = stored(key);
    String refused = byJava(key, patch);
    for (String column : new String[] {"doc", "plain"}) {
      String bySql = bySql(key, column, patch);
      assertThat(bySql).as("patch of %s", column).isNotNull();
      assertThat(refused).as("by Java, and by SQL in %s", column).contains(bySql);
    }
    if (!refused.equals(DONE)) {
      assertThat(stored(key)).as("document whose patch was refused").isEqualTo(before);
    }
    assertThat(
            Sql.strings(
                connection,
                "SELECT concat_ws(' ', CAST(plain AS text) IS NOT DISTINCT FROM CAST(by_java AS text),"
                    + " CAST(pgtoaster.expand(doc) AS text) IS NOT DISTINCT FROM CAST(plain AS text)) FROM item"
                    + fx.where(key)))
        .containsExactly("t t");
    return refused;
  }

  private String stored(Object key) throws SQLException {
    return Sql.string(connection, "SELECT CAST(doc AS text) FROM item" + fx.where(key));
  }

  private String byJava(Object key, String patch) {
    try {
      byJava.patchJson(key, patch);
      return DONE;
    } catch (PatchFailedException e) {
      return e.getMessage();
    }
  }

  private String bySql(Object key, String column, String patch) throws SQLException {
    try {
      Sql.run(
          connection,
          "UPDATE item SET %1$s = pgtoaster.patch(%1$s, %2$s)".formatted(column, Sql.literal(patch))
              + fx.where(key));
      return DONE;
    } catch (PSQLException e) {
      assertThat(e.getSQLState()).as("%s", e).isEqualTo("22023");
      return e.getServerErrorMessage().getMessage();
    }
  }
}
