package io.pgtoaster.spring.enhanced;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import java.io.Serializable;
import java.util.Map;
import java.util.UUID;

/** An entity with a composite key whose content is loaded on first use. */
@Entity
class Lecture {
  @EmbeddedId private Id id;

  @Basic(fetch = FetchType.LAZY)
  private AppendableBlob audio;

  @Basic(fetch = FetchType.LAZY)
  @Column(name = "\"Slides of it\"")
  private AppendableBlob slides;

  @Basic(fetch = FetchType.LAZY)
  private KeyedJson<Map<String, Object>> notes;

  @Embeddable
  record Id(UUID course, String day) implements Serializable {}

  protected Lecture() {}

  Lecture(Id id, KeyedJson<Map<String, Object>> notes) {
    this.id = id;
    this.notes = notes;
  }

  Id id() {
    return id;
  }
}
