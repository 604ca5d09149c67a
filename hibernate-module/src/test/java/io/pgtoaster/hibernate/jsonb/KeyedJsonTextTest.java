package io.pgtoaster.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.InvalidJsonException;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.CharBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

/** JSON text must not replace the document with a JSON string. */
class KeyedJsonTextTest {
  private final KeyedJson<Map<String, Integer>> document = KeyedJson.of(Map.of("a", 1, "b", 2));

  @Test
  void textAsPatch_isRejected_andTheDocumentRemains() {
    for (Object text :
        new Object[] {
          "{\"a\": 3}",
          CharBuffer.wrap("{\"a\": 3}"),
          new StringReader("{}"),
          new ByteArrayInputStream(new byte[0])
        }) {
      assertThatThrownBy(() -> document.merge(text))
          .isInstanceOf(InvalidJsonException.class)
          .hasMessageContaining("not as text; for JSON text, call mergeJson");
      assertThatThrownBy(() -> document.patch(text))
          .isInstanceOf(InvalidJsonException.class)
          .hasMessageContaining("not as text; for JSON text, call patchJson");
    }
    assertThat(document.text()).isEqualTo("{\"a\": 1, \"b\": 2}");
  }

  @Test
  void methodsForText_readIt() {
    document.mergeJson("{\"a\": 3, \"b\": null}");
    assertThat(document.text()).isEqualTo("{\"a\": 3}");
    document.patchJson("[{\"op\": \"add\", \"path\": \"/c\", \"value\": 4}]");
    assertThat(document.text()).isEqualTo("{\"a\": 3, \"c\": 4}");
    assertThatThrownBy(() -> document.mergeJson("{")).isInstanceOf(InvalidJsonException.class);
    assertThatThrownBy(() -> document.patchJson("[")).isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void stringNode_replacesTheDocument() {
    document.merge(StringNode.valueOf("text"));
    assertThat(document.text()).isEqualTo("\"text\"");
  }
}
