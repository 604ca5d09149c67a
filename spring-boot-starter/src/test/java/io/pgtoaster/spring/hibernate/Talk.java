package io.pgtoaster.spring.hibernate;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;

/** An entity with both kinds of content. */
@Entity
class Talk {
  @Id int id;
  AppendableBlob audio;

  @KeyedColumn(keepInline = "speaker")
  KeyedJson<Map<String, Object>> notes;
}
