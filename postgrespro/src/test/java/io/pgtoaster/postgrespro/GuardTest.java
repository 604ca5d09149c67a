package io.pgtoaster.postgrespro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardTest {
  private static final ServerToaster TOASTER =
      new ServerToaster("postgrespro-bytea", "bytea_toaster");
  private static final AttachedColumn COLUMN =
      ScriptedConnection.column("content", "bytea", "postgrespro-bytea");

  private final ScriptedConnection server =
      ScriptedConnection.withToaster().answer("pg_replication_slots", true);

  @Test
  void server_isCheckedOnce_throughItsCatalog() throws Exception {
    Guard guard = new Guard(TOASTER, COLUMN);
    for (int i = 0; i < 3; i++) {
      assertThat(guard.<Integer>read(server.get(), c -> 5)).isEqualTo(5);
    }
    assertThat(server.sent()).hasSize(3);
    assertThat(server.sent().get(0))
        .isEqualTo("SELECT pg_catalog.to_regclass('pg_catalog.pg_toaster') IS NOT NULL");
    assertThat(server.sent().get(1))
        .isEqualTo(
            "SELECT EXISTS (SELECT FROM pg_catalog.pg_toaster t WHERE t.tsrname = CAST(? AS"
                + " text))");
    assertThat(server.parametersOf("a.atttoaster"))
        .containsExactly("public", "item", "content", "bytea_toaster");
  }

  @Test
  void stockServer_isRefusedWithoutCallingMissingFunctions() {
    ScriptedConnection stock = new ScriptedConnection().answer("to_regclass", false);
    Guard guard = new Guard(TOASTER, COLUMN);
    assertThatThrownBy(() -> guard.<Integer>read(stock.get(), c -> 5))
        .isInstanceOf(CatalogException.class)
        .hasMessageContaining("SET TOASTER bytea_toaster");
    assertThatThrownBy(() -> TOASTER.requireServer(stock.get()))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("CREATE EXTENSION bytea_toaster");
    assertThat(stock.sent()).hasSize(2).allMatch(sql -> sql.contains("to_regclass"));
  }

  @Test
  void columnOfAnotherToaster_isRefused() {
    ScriptedConnection other = ScriptedConnection.withToaster().answer("a.atttoaster", false);
    assertThatThrownBy(() -> TOASTER.requireSet(other.get(), COLUMN))
        .isInstanceOf(CatalogException.class);
  }

  @Test
  void write_whileALogicalSlotExists_isRefusedBeforeItBegins() {
    ScriptedConnection decoded =
        ScriptedConnection.withToaster().answer("pg_replication_slots", false);
    Guard guard = new Guard(TOASTER, COLUMN);
    assertThatThrownBy(
            () ->
                guard.<Integer>write(
                    decoded.get(),
                    c -> {
                      throw new AssertionError("written");
                    }))
        .isInstanceOf(UnsupportedCapabilityException.class)
        .hasMessageContaining("logical replication slot")
        .hasMessageContaining("nothing was written");
    assertThat(decoded.last())
        .isEqualTo(
            "SELECT NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots l"
                + " WHERE l.slot_type = 'logical')");
  }

  @Test
  void missingChunk_isAReasonToRetry() {
    Guard guard = new Guard(TOASTER, COLUMN);
    assertThatThrownBy(
            () ->
                guard.<Integer>read(
                    server.get(),
                    c -> {
                      throw new SQLException("missing chunk number 11 for toast value 1", "XX001");
                    }))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"))
        .hasMessageContaining("missing chunk number 11");
  }

  @Test
  void otherErrors_areNotTranslated() {
    Guard guard = new Guard(TOASTER, COLUMN);
    for (SQLException error :
        List.of(
            new SQLException("compressed pglz data is corrupt", "XX001"),
            new SQLException("missing chunk number 11", "22000"))) {
      assertThatThrownBy(
              () ->
                  guard.<Integer>read(
                      server.get(),
                      c -> {
                        throw error;
                      }))
          .isSameAs(error);
    }
  }
}
