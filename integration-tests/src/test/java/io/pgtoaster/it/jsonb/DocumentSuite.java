package io.pgtoaster.it.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.jsonb.contract.DocumentContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.ContractSuite;
import io.pgtoaster.it.kit.DocumentFixture;
import org.junit.jupiter.api.Test;

/** Runs contracts on one kind of document column. */
abstract class DocumentSuite extends ContractSuite<DocumentFixture> implements DocumentContract {
  DocumentSuite(ColumnSpec spec) {
    super(spec, DocumentFixture::new);
  }

  @Test
  void column_hasItsToasterAndCapabilities() {
    assertThat(fx().documents().describe().toaster()).isEqualTo(fx().spec().toaster());
    assertThat(fx().documents().capabilities()).isEqualTo(fx().spec().capabilities());
  }
}
