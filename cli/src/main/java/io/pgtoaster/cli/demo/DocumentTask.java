package io.pgtoaster.cli.demo;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** What is done with documents. */
enum DocumentTask {
  READ_KEY("read_key", "read a short key", false) {
    @Override
    void run(DocumentColumn documents, String document, int events, int turn) throws IOException {
      expect(documents.text(document, DocumentPath.of("state")).isPresent());
    }
  },
  READ_ELEMENT("read_element", "read one element of the array", false) {
    @Override
    void run(DocumentColumn documents, String document, int events, int turn) throws IOException {
      expect(documents.text(document, DocumentPath.of("events", place(events, turn))).isPresent());
    }
  },
  SET_ELEMENT("set_in_element", "set a member of one element", true) {
    @Override
    void run(DocumentColumn documents, String document, int events, int turn) throws IOException {
      DocumentPath path = DocumentPath.of("events", events / 2, "open");
      expect(documents.set(document, path, turn % 2 == 1));
    }
  },
  APPEND("append_element", "append an element", true) {
    @Override
    void run(DocumentColumn documents, String document, int events, int turn) throws IOException {
      JsonNode event = Json.readTree(GeneratedDocument.event(events + turn));
      expect(documents.append(document, DocumentPath.of("events"), event));
    }
  };

  private final String name;
  private final String title;
  private final boolean writes;

  DocumentTask(String name, String title, boolean writes) {
    this.name = name;
    this.title = title;
    this.writes = writes;
  }

  String label() {
    return name;
  }

  String title() {
    return title;
  }

  boolean writes() {
    return writes;
  }

  abstract void run(DocumentColumn documents, String document, int events, int turn)
      throws IOException;

  /** Spreads the turns over the array. */
  static int place(int events, int turn) {
    return (int) ((events / 2 + 7_919L * turn) % events);
  }

  static void expect(boolean done) throws IOException {
    if (!done) {
      throw new IOException("a document of the demonstration is not as it was stored");
    }
  }
}
