package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.CatalogException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.io.ByteArrayInputStream;
import java.sql.SQLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** First appends to a table whose trigger suppresses the UPDATE or resets the handle. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class SuppressedHandleIT {
  @Parameter Setting setting;

  @AutoClose private Fixture fx;

  private void open(String body) {
    fx = new Fixture(setting, ColumnSpec.appendable("{}"));
    fx.run(
        "INSERT INTO item (id) VALUES (1)",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN " + body + " END$$",
        "CREATE TRIGGER f BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION f()");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RETURN OLD;", "NEW.content = NULL; RETURN NEW;"})
  void append_whoseHandleATriggerResets_isRefusedAndLeavesNothing(String body) {
    open(body);
    byte[] bytes = new byte[100];
    assertThatThrownBy(() -> fx.own().append(1L, bytes)).isInstanceOf(CatalogException.class);
    assertThatThrownBy(() -> fx.own().append(1L, new ByteArrayInputStream(bytes)))
        .isInstanceOf(CatalogException.class);
    assertThatThrownBy(
            () ->
                Sql.string(
                    fx.connect(), "SELECT pgtoaster.blob_append('item', 'content', 1, 'x')::text"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("09000"));
    assertThat(fx.number("SELECT count(*) FROM " + fx.table("head"))).isZero();
  }
}
