package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests rows that change in the transaction that splits their document. */
class NewDocumentIT {
  private static final String JSON = Documents.big(30);

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void rowWhoseKeyChanges_keepsItsDocument(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row();
      Object other = fx.unknownKey();
      Connection caller = fx.begin();
      fx.on(caller).putJson(key, JSON);
      Sql.run(caller, "UPDATE item SET id = " + other + fx.where(key));
      caller.commit();

      fx.assertDocument(other, JSON);
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void documentOfAnotherRow_isRefused(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row();
      Object other = fx.row();
      Connection caller = fx.begin();
      fx.on(caller).putJson(key, JSON);
      Savepoint before = caller.setSavepoint();
      String copy =
          "UPDATE item SET doc = (SELECT doc FROM item%s)%s"
              .formatted(fx.where(key), fx.where(other));
      assertThatThrownBy(() -> Sql.run(caller, copy))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
      caller.rollback(before);
      caller.commit();

      assertThat(fx.document(other)).isNull();
      fx.assertDocument(key, JSON);
      fx.afterTest();
    }
  }
}
