package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Bytes and raw JSON in objects are stored as Jackson writes them. */
class BytesIT {
  private static final String STORED =
      "{\"raw\": {\"x\": 1.50}, \"name\": \"n\", \"bytes\": \"AQI=\", \"buffer\": \"Aw==\"}";

  /** Jackson keeps these values as objects in a tree. */
  static class Picture {
    public String name = "n";
    public byte[] bytes = {1, 2};
    public ByteBuffer buffer = ByteBuffer.wrap(new byte[] {3});

    private JsonNode raw = JsonNodeFactory.instance.objectNode();

    @JsonRawValue
    public String getRaw() {
      return raw.isEmpty() ? "{\"x\": 1.50}" : raw.toString();
    }

    public void setRaw(JsonNode raw) {
      this.raw = raw;
    }
  }

  @Entity(name = "Album")
  static class Album {
    @Id long id = 1;
    String title;
    @KeyedColumn Picture mapped = new Picture();
    KeyedJson<Picture> keyed = KeyedJson.of(new Picture());
    KeyedJson<Map<String, Object>> values = KeyedJson.of(Map.of());
  }

  @Test
  void bytesAndRawJson_areStoredLoadedAndCompared() throws Exception {
    for (JsonMapper mapper : new JsonMapper[] {null, JsonMapper.shared()}) {
      try (Orm orm =
          Orm.on(Setting.newest().get(0))
              .set("pgtoaster.default_json_mapper", mapper == null ? "" : mapper)
              .entities(Album.class)
              .build()) {
        orm.inTransaction(s -> s.persist(new Album()));
        assertThat(orm.database().strings("SELECT mapped FROM album")).containsExactly(STORED);
        assertThat(orm.database().strings("SELECT keyed FROM album")).containsExactly(STORED);
        orm.inTransaction(
            s -> {
              Album album = s.find(Album.class, 1L);
              assertThat(album.mapped.bytes).containsExactly(1, 2);
              assertThat(album.keyed.load().buffer).isEqualTo(ByteBuffer.wrap(new byte[] {3}));
              orm.statements();
              album.title = "loaded only";
              s.flush();
              assertThat(orm.sql()).as("the document has not changed").hasSize(1);
              album.mapped.bytes[1] = 9;
              album.values.set("bytes", new byte[] {4});
            });
        assertThat(orm.database().strings("SELECT mapped->>'bytes' FROM album"))
            .containsExactly("AQk=");
        assertThat(orm.database().strings("SELECT values FROM album"))
            .containsExactly("{\"bytes\": \"BA==\"}");
      }
    }
  }
}
