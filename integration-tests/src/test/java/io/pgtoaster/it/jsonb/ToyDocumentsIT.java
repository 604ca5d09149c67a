package io.pgtoaster.it.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.it.jsonb.contract.DocumentContracts;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Planned;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A toaster from another jar implements a few operations, and then supports the whole API. */
@Tag("ci")
@Planned(Planned.Needs.NEWEST)
final class ToyDocumentsIT extends DocumentSuite implements DocumentContracts {
  ToyDocumentsIT() {
    super(DocumentSpec.documents("reversed", "text", "{}", ColumnSpec.Key.NUMBER, Set.of()));
  }

  @Test
  void registry_findsItByName() {
    assertThat(Toasters.documents().names()).contains("reversed", "default");
  }

  @Test
  void documents_areStoredInItsFormat() {
    Object key = fx().row("{\"a\": [1, 2]}");
    assertThat(fx().string("SELECT doc FROM item" + fx().where(key))).isEqualTo("}]2 ,1[ :\"a\"{");
  }

  @Test
  void catalog_attachesAndDetachesIt() {
    Database database = fx().database();
    PgToaster toaster = PgToaster.create(database.dataSource());
    database.run("CREATE TABLE other (id int PRIMARY KEY, doc text)");
    toaster.catalog().attach("other", "doc", ToasterOptions.of("reversed"));
    assertThat(toaster.documents("other", "doc").describe().toaster()).isEqualTo("reversed");
    toaster.catalog().detach(ColumnName.of("other", "doc"));
    Expect.refused(
        ColumnNotFoundException.class, () -> toaster.documents("other", "doc").describe());
  }
}
