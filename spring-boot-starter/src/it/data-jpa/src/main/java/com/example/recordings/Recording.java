package com.example.recordings;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class Recording {
  @Id @GeneratedValue Long id;
  AppendableBlob audio = new AppendableBlob();
  KeyedJson<Details> details;

  protected Recording() {}

  public Recording(Details details) {
    this.details = KeyedJson.of(details);
  }

  public Long getId() {
    return id;
  }
}
