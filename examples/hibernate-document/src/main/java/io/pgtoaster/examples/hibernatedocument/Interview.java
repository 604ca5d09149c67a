package io.pgtoaster.examples.hibernatedocument;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.List;

/** An interview: its document with all sentences, and its recording. */
@Entity
@Table(name = "example_interview")
class Interview {
  @Id long id;

  @Version int version;

  /** A {@code jsonb} column. The guest always stays in the row, for indexes and queries. */
  @KeyedColumn(keepInline = "guest")
  KeyedJson<Transcript> transcript;

  /** A {@code bigint} column with the handle of the content. */
  AppendableBlob recording = new AppendableBlob();

  Interview() {
    transcript = KeyedJson.of(new Transcript("", "", List.of()));
  }

  Interview(long id, Transcript transcript) {
    this.id = id;
    this.transcript = KeyedJson.of(transcript);
  }
}
