package io.pgtoaster.it.hibernate.blob;

import org.junit.jupiter.params.provider.MethodSource;

/** Attributes in ordinary columns. */
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
final class DefaultAttributeIT extends BlobAttributeContract {
  DefaultAttributeIT() {
    super(Clip.class);
  }
}
