package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.io.Serial;
import java.io.Serializable;

/** The common members of the entities. */
@MappedSuperclass
public abstract class Track implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  @Id long id;
  String title = "untitled";
  @Version int version;

  abstract AppendableBlob audio();

  abstract void audio(AppendableBlob audio);
}
