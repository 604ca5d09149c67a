package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.blob.contract.Contract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.ContractSuite;
import io.pgtoaster.it.kit.Fixture;
import org.junit.jupiter.api.Test;

/** Runs contracts on one kind of blob column. */
abstract class BlobContract extends ContractSuite<Fixture> implements Contract {
  BlobContract(ColumnSpec spec) {
    super(spec, Fixture::new);
  }

  @Test
  void column_hasItsToasterAndCapabilities() {
    assertThat(fx().blobs().describe().toaster()).isEqualTo(fx().spec().toaster());
    assertThat(fx().blobs().capabilities()).isEqualTo(fx().spec().capabilities());
  }
}
