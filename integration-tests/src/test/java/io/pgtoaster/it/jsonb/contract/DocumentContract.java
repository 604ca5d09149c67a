package io.pgtoaster.it.jsonb.contract;

import io.pgtoaster.it.kit.DocumentFixture;

/** A part of what every JSON toaster promises; the tests are default methods. */
public interface DocumentContract {
  /** The column under test. */
  DocumentFixture fx();
}
