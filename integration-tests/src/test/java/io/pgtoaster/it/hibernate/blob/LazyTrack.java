package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import jakarta.persistence.Basic;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;

/** An entity for bytecode enhancement; {@link EnhancedIT} uses it through its interface. */
@Entity
public class LazyTrack implements EnhancedIT.Lazy {
  @Id private long id;
  private String title;

  @Basic(fetch = FetchType.LAZY)
  private AppendableBlob audio;

  @Basic(fetch = FetchType.LAZY)
  @AppendableColumn(toaster = "default")
  private AppendableBlob notes;

  @Override
  public void id(long value) {
    this.id = value;
  }

  @Override
  public void title(String value) {
    this.title = value;
  }

  @Override
  public String toString() {
    return title;
  }

  @Override
  public AppendableBlob audio() {
    return audio;
  }

  @Override
  public void audio(AppendableBlob value) {
    this.audio = value;
  }

  @Override
  public AppendableBlob notes() {
    return notes;
  }

  @Override
  public void notes(AppendableBlob value) {
    this.notes = value;
  }
}
