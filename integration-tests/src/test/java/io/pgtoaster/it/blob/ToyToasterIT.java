package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.it.blob.contract.AppendContract;
import io.pgtoaster.it.blob.contract.AtomicStreamContract;
import io.pgtoaster.it.blob.contract.CommittingStreamContract;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.blob.contract.OverwriteContract;
import io.pgtoaster.it.blob.contract.ReadContract;
import io.pgtoaster.it.blob.contract.TextContract;
import io.pgtoaster.it.blob.contract.TransactionContract;
import io.pgtoaster.it.blob.contract.ViewContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Planned;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A toaster from another jar implements a few operations, and then supports the whole API. */
@Tag("ci")
@Planned(Planned.Needs.NEWEST)
final class ToyToasterIT extends BlobContract
    implements AppendContract,
        AtomicStreamContract,
        ReadContract,
        ViewContract,
        TextContract,
        OverwriteContract,
        TransactionContract,
        CommittingStreamContract,
        NoTokenContract {
  ToyToasterIT() {
    super(ColumnSpec.blobs("xor", "bytea", "{}", ColumnSpec.Key.NUMBER, Set.of()));
  }

  @Test
  void registry_findsItByName() {
    assertThat(Toasters.blobs().names()).contains("xor", "appendable", "default");
  }

  @Test
  void bytes_areStoredInItsFormat() {
    Object key = fx().row(new byte[] {0, 1, 2});
    assertThat(fx().string("SELECT content FROM item" + fx().where(key))).isEqualTo("\\xfffefd");
  }

  @Test
  void catalog_attachesAndDetachesIt() {
    Database database = fx().database();
    PgToaster toaster = PgToaster.create(database.dataSource());
    database.run("CREATE TABLE other (id int PRIMARY KEY, content bytea)");
    toaster.catalog().attach("other", "content", ToasterOptions.of("xor"));
    assertThat(toaster.blobs("other", "content").describe().toaster()).isEqualTo("xor");
    toaster.catalog().detach(ColumnName.of("other", "content"));
    assertThat(toaster.blobs("other", "content").describe().toaster()).isEqualTo("default");
  }
}
