package io.pgtoaster.it.hibernate.blob;

import static com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility.ANY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.BlobLinks;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Jackson mapper writes a blob as its length, or as its content if configured. */
interface JsonContract extends Suite {
  JsonMapper MAPPER =
      JsonMapper.builder().changeDefaultVisibility(v -> v.withFieldVisibility(ANY)).build();

  /** Exposes content as JSON. */
  record Content(String name, @JsonFormat(shape = JsonFormat.Shape.BINARY) AppendableBlob audio) {}

  @Test
  default void entity_isWrittenWithTheLength_andALink() throws Exception {
    long id = tracks().persisted("abc");
    BlobLinks links = (owner, attribute) -> "/tracks/" + ((Track) owner).id + "/" + attribute;
    JsonMapper linking = links.addTo(MAPPER.rebuild()).build();
    try (Session s = orm().factory().openSession()) {
      JsonNode tree = MAPPER.readTree(MAPPER.writeValueAsString(find(s, id)));
      assertThat(tree.get("title").stringValue()).isEqualTo("untitled");
      assertThat(tree.get("audio")).hasToString("{\"length\":3}");
      assertThat(MAPPER.readTree(linking.writeValueAsString(find(s, id))).get("audio"))
          .hasToString("{\"length\":3,\"href\":\"/tracks/" + id + "/audio\"}");
      assertThat(linking.writeValueAsString(audio(s, id))).isEqualTo("{\"length\":3}");
    }
    assertThat(MAPPER.writeValueAsString(AppendableBlob.of("ab"))).isEqualTo("{\"length\":2}");
    AppendableBlob coming = AppendableBlob.of(new ByteArrayInputStream(new byte[3]));
    assertThat(MAPPER.writeValueAsString(coming)).isEqualTo("{}");
  }

  @Test
  default void content_isWrittenInBase64_onRequest() throws Exception {
    String text = "0123456789".repeat(50_000);
    long id = tracks().persisted(text);
    String expected = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    inTransaction(
        s -> {
          Content content = new Content("n", audio(s, id));
          JsonNode tree = MAPPER.readTree(MAPPER.writeValueAsString(content));
          assertThat(tree.get("audio").stringValue()).isEqualTo(expected);
        });
    try (Session s = orm().factory().openSession()) {
      Content content = new Content("n", audio(s, id));
      assertThatThrownBy(() -> MAPPER.writeValueAsString(content))
          .isInstanceOf(DatabindException.class)
          .hasMessageContaining("audio")
          .hasMessageContaining("begin one");
    }
    assertThat(MAPPER.writeValueAsString(new Content("n", AppendableBlob.of("ab"))))
        .isEqualTo("{\"name\":\"n\",\"audio\":\"YWI=\"}");
    AppendableBlob coming = AppendableBlob.of(new ByteArrayInputStream(new byte[3]));
    assertThatThrownBy(() -> MAPPER.writeValueAsString(new Content("n", coming)))
        .hasMessageContaining("before the session is flushed");
  }

  @Test
  default void blob_isReadFromBase64_notFromItsLength() throws Exception {
    Content content = MAPPER.readValue("{\"audio\": \"YWI=\"}", Content.class);
    Track track = tracks().make(content.audio());
    inTransaction(s -> s.persist(track));
    assertThat(tracks().content(track.id)).isEqualTo("ab");
    assertThat(MAPPER.readValue("{\"audio\": null}", Content.class).audio()).isNull();
    for (String json : new String[] {"{\"length\": 3}", "3", "[]", "true"}) {
      assertThatThrownBy(() -> MAPPER.readValue("{\"audio\": " + json + "}", Content.class))
          .isInstanceOf(DatabindException.class)
          .hasMessageContaining("READ_ONLY");
    }
    assertThatThrownBy(() -> MAPPER.readValue("{\"audio\": \"?\"}", Content.class))
        .isInstanceOf(JacksonException.class)
        .hasMessageContaining("base64");
  }
}
