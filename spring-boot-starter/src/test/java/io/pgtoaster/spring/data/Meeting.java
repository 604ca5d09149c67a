package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.util.Map;

/** An entity with a blob and a document. */
@Entity
class Meeting {
  @Id @GeneratedValue private Long id;
  @Version private int version;
  private String title;
  private AppendableBlob audio;

  @KeyedColumn(containmentIndex = true, textIndex = "english")
  private KeyedJson<Map<String, Object>> notes;

  protected Meeting() {}

  Meeting(String title, KeyedJson<Map<String, Object>> notes) {
    this.title = title;
    this.notes = notes;
  }

  Long id() {
    return id;
  }

  int version() {
    return version;
  }

  String title() {
    return title;
  }

  AppendableBlob audio() {
    return audio;
  }

  void audio(AppendableBlob audio) {
    this.audio = audio;
  }

  KeyedJson<Map<String, Object>> notes() {
    return notes;
  }
}
