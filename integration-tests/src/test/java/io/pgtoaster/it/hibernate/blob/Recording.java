package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import java.io.Serial;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/** A track with a handle. */
@Entity
@Cacheable
@org.hibernate.annotations.Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
public class Recording extends Track {
  @Serial private static final long serialVersionUID = 1L;

  private AppendableBlob audio;

  @Override
  AppendableBlob audio() {
    return audio;
  }

  @Override
  void audio(AppendableBlob audio) {
    this.audio = audio;
  }
}
