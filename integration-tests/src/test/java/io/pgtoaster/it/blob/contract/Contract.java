package io.pgtoaster.it.blob.contract;

import io.pgtoaster.it.kit.Fixture;

/** A part of the contract of every blob toaster. Its tests are default methods. */
public interface Contract {
  /** The column under test. */
  Fixture fx();
}
