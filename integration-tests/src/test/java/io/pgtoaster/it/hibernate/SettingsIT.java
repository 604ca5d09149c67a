package io.pgtoaster.it.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.hibernate.PgToasterSettings;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.format.FormatMapper;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Settings of a session factory for pgtoaster. */
class SettingsIT {
  private final List<String> calls = new ArrayList<>();

  /** An entity with each kind of content. */
  @Entity(name = "Tune")
  static class Tune {
    @Id long id = 1;
    AppendableBlob audio = AppendableBlob.of(new byte[10]);
    KeyedJson<Map<String, Object>> notes = KeyedJson.of(Map.of("a", 1));
    @KeyedColumn Map<String, Object> object = Map.of("b", 1);
  }

  private static OrmBuilder tunes(boolean extension) {
    return Orm.on(new Setting(PostgresServers.newest(), true, extension)).entities(Tune.class);
  }

  private CallListener.Call begin(String operation) {
    return new CallListener.Call() {
      @Override
      public void end(ColumnName column, long bytes, String outcome) {
        calls.add(operation + " " + column.column() + " " + bytes + " " + outcome);
      }

      @Override
      public void fail(ColumnName column, Throwable failure) {
        calls.add(operation + " " + failure.getClass().getSimpleName());
      }
    };
  }

  @Test
  void listener_receivesEachCallOfAttributesOnce() throws Exception {
    CallListener listener = this::begin;
    try (Orm orm = tunes(false).set(PgToasterSettings.CALL_LISTENER, listener).build()) {
      orm.inTransaction(s -> s.persist(new Tune()));
      calls.clear();
      orm.inTransaction(
          s -> {
            Tune tune = s.find(Tune.class, 1L);
            tune.audio.append(new byte[5]);
            assertThat(tune.audio.read(3, 4)).hasSize(4);
            tune.notes.set("a", 2);
            tune.object = Map.of("b", 2);
          });
      assertThat(calls)
          .containsExactlyInAnyOrder(
              "blob.append audio 5 applied",
              "blob.read audio 4 done",
              "document.edit notes 0 done",
              "document.edit object 0 done");
      calls.clear();
      assertThatThrownBy(() -> orm.inTransaction(s -> s.find(Tune.class, 1L).audio.read(99, 1)))
          .hasMessageContaining("99");
      assertThat(calls).containsExactly("blob.read InvalidOffsetException");
    }
  }

  @Test
  void newContent_isReported() throws Exception {
    CallListener listener = this::begin;
    try (Orm orm = tunes(false).set(PgToasterSettings.CALL_LISTENER, listener).build()) {
      orm.inTransaction(s -> s.persist(new Tune()));
      // A document that fits the row is part of its INSERT.
      assertThat(calls).containsExactly("blob.create audio 0 done", "blob.append audio 10 applied");
    }
  }

  @Test
  void settingThatIsNotAListener_isRefused() {
    OrmBuilder builder = tunes(false).set(PgToasterSettings.CALL_LISTENER, "com.example.Calls");
    assertThatThrownBy(builder::build).hasStackTraceContaining("pgtoaster.call_listener");
  }

  @Test
  @NeedsExtension
  void extension_isNotUsed_ifDisabled() throws Exception {
    try (Orm orm = tunes(true).build()) {
      assertThat(usesExtension(orm)).isTrue();
    }
    try (Orm orm = tunes(true).set(PgToasterSettings.EXTENSION, "false").build()) {
      assertThat(usesExtension(orm)).isFalse();
    }
  }

  /** Converts only maps, and records that it was called. */
  public static final class Marking implements FormatMapper {
    private final JsonMapper mapper = JsonMapper.shared();

    @Override
    public <T> T fromString(CharSequence text, JavaType<T> type, WrapperOptions options) {
      ObjectNode read = (ObjectNode) mapper.readTree(text.toString());
      read.put("read", true);
      return mapper.treeToValue(read, mapper.constructType(type.getJavaType()));
    }

    @Override
    public <T> String toString(T value, JavaType<T> type, WrapperOptions options) {
      ObjectNode written = mapper.valueToTree(value);
      written.remove("read");
      return written.put("written", true).toString();
    }
  }

  @Test
  void hibernatesFormatMapper_mapsDocuments_unlessAnotherIsNamed() throws Exception {
    OrmBuilder builder = tunes(false).set(MappingSettings.JSON_FORMAT_MAPPER, new Marking());
    try (Orm orm = builder.build()) {
      orm.inTransaction(s -> s.persist(new Tune()));
      assertThat(orm.database().strings("SELECT notes || object FROM tune"))
          .containsExactly("{\"a\": 1, \"b\": 1, \"written\": true}");
      orm.inTransaction(
          s -> {
            Tune tune = s.find(Tune.class, 1L);
            assertThat(tune.object).containsEntry("read", true);
            assertThat(tune.notes.load()).containsEntry("read", true);
            tune.object = Map.of("c", 3);
          });
      assertThat(orm.database().strings("SELECT object FROM tune"))
          .containsExactly("{\"c\": 3, \"written\": true}");
    }
    builder = tunes(false).set(MappingSettings.JSON_FORMAT_MAPPER, new Marking());
    try (Orm orm = builder.set(PgToasterSettings.JSON_MAPPER, JsonMapper.shared()).build()) {
      orm.inTransaction(s -> s.persist(new Tune()));
      assertThat(orm.database().strings("SELECT notes || object FROM tune"))
          .containsExactly("{\"a\": 1, \"b\": 1}");
    }
  }

  private static boolean usesExtension(Orm orm) throws Exception {
    orm.inTransaction(s -> s.persist(new Tune()));
    orm.recorder().clear();
    orm.inTransaction(s -> s.find(Tune.class, 1L).audio.append(new byte[5]));
    return orm.sql().stream().anyMatch(sql -> sql.contains("toaster.try_"));
  }
}
