package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import java.io.Serial;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/** A track with content in an ordinary column. */
@Entity
@Cacheable
@org.hibernate.annotations.Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
public class Clip extends Track {
  @Serial private static final long serialVersionUID = 1L;

  @AppendableColumn(toaster = "default")
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
