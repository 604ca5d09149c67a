package io.pgtoaster.examples.hibernatedocument;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.List;

/** An interview: what is known of it, word for word, and its sound. */
@Entity
@Table(name = "example_interview")
class Interview {
  @Id long id;

  @Version int version;

  /** In a {@code jsonb} column. The guest stays in the row at any size, for indexes and queries. */
  @KeyedColumn(keepInline = "guest")
  KeyedJson<Transcript> transcript;

  /** In a {@code bigint} column: the handle of its content. */
  AppendableBlob recording = new AppendableBlob();

  Interview() {
    transcript = KeyedJson.of(new Transcript("", "", List.of()));
  }

  Interview(long id, Transcript transcript) {
    this.id = id;
    this.transcript = KeyedJson.of(transcript);
  }
}
