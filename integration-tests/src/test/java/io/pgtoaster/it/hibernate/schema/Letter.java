package io.pgtoaster.it.hibernate.schema;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;

/** An entity with a document and a blob. */
@Entity(name = "Letter")
class Letter {
  @Id long id;

  @KeyedColumn(keepInline = "subject", rowBudget = 512)
  KeyedJson<Map<String, Object>> body;

  AppendableBlob scan;

  Letter() {}

  Letter(long id, String subject) {
    this.id = id;
    this.body = KeyedJson.of(Map.of("subject", subject, "text", "x".repeat(3000)));
  }
}
