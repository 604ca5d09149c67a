package io.pgtoaster.it.jsonb.contract;

import io.pgtoaster.it.kit.DocumentFixture;

/** A part of the contract of every JSON toaster. Its tests are default methods. */
public interface DocumentContract {
  /** The column under test. */
  DocumentFixture fx();
}
