package io.pgtoaster.it;

import io.pgtoaster.it.kit.Fixture;

/** A part of what every blob toaster promises; the tests are default methods. */
interface Contract {
  /** The column under test. */
  Fixture fx();
}
