package io.pgtoaster.benchmarks.guard.operation;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with a blob. */
@Entity
class Letter {
  @Id long id;
  String subject = "";
  AppendableBlob scan = new AppendableBlob();

  Letter() {}

  Letter(long id, AppendableBlob scan) {
    this.id = id;
    this.scan = scan;
  }
}
