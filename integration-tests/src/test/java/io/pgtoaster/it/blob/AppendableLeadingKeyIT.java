package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.it.blob.contract.AppendableContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Planned;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Stores with a leading key column. */
@Planned(Planned.Needs.STORE)
final class AppendableLeadingKeyIT extends BlobContract implements AppendableContracts {
  AppendableLeadingKeyIT() {
    super(ColumnSpec.appendable("{\"leading_key\": \"tenant\"}", ColumnSpec.Key.TENANT));
  }

  @Test
  void create_isRefused_becauseOnlyTheRowHasTheLeadingKey() throws SQLException {
    Connection connection = fx().begin();
    assertThat(
            Expect.refused(
                UnsupportedCapabilityException.class, () -> fx().on(connection).create()))
        .hasMessageContaining("tenant");
  }
}
