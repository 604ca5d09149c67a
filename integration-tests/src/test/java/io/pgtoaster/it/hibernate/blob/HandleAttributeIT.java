package io.pgtoaster.it.hibernate.blob;

import org.junit.jupiter.params.provider.MethodSource;

/** Attributes in handle columns. */
@MethodSource("io.pgtoaster.it.kit.Setting#edgesByBoth")
final class HandleAttributeIT extends BlobAttributeContract implements HandleOnlyContract {
  HandleAttributeIT() {
    super(Recording.class);
  }
}
