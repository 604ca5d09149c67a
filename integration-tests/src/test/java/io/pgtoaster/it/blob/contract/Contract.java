package io.pgtoaster.it.blob.contract;

import io.pgtoaster.it.kit.Fixture;

/** A part of what every blob toaster promises; the tests are default methods. */
public interface Contract {
  /** The column under test. */
  Fixture fx();
}
