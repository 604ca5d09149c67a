package io.pgtoaster.it.jsonb.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every call takes part in the caller's transaction. */
interface DocumentTransactionContract extends DocumentContract {
  enum Isolation {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    private final int level;

    Isolation(int level) {
      this.level = level;
    }
  }

  /** Changes of a document or of a row without one. */
  enum Change {
    SET_IN_ROW,
    SET_IN_NODE,
    INSERT,
    APPEND,
    REMOVE,
    INCREMENT,
    SET_IF_ABSENT,
    MERGE,
    PUT,
    FIRST_PUT,
    FIRST_SMALL_PUT,
    CLEAR;

    void on(DocumentColumn d, Object key, Object other) {
      switch (this) {
        case SET_IN_ROW -> d.at(key, "id").set(8);
        case SET_IN_NODE -> d.at(key, "items[3].text").set("new");
        case INSERT -> d.at(key, "items[0]").insert(Map.of("no", -1));
        case APPEND -> d.at(key, "deep.a.b.c").append(1, 2);
        case REMOVE -> d.at(key, "text").remove();
        case INCREMENT -> d.at(key, "id").increment(5);
        case SET_IF_ABSENT -> d.at(key, "other").setIfAbsent(1);
        case MERGE -> d.mergeJson(key, "{\"merged\": true}");
        case PUT -> d.putJson(key, Documents.big(31));
        case FIRST_PUT -> d.putJson(other, Documents.big(20));
        case FIRST_SMALL_PUT -> d.putJson(other, "{\"a\": 1}");
        case CLEAR -> d.clear(key);
        default -> throw new AssertionError(this);
      }
    }
  }

  private static void changeAll(DocumentColumn documents, Object key, Object empty) {
    documents.at(key, "id").set(8);
    documents.at(key, "items[3].text").set(Documents.words(1, 5000));
    documents.at(key, "new.more").set(1, SetOptionsContract.CREATE);
    documents.at(key, "items[0]").insert(Map.of("no", -1));
    documents.at(key, "deep.a.b.c").append(1, 2);
    documents.merge(key, Map.of("index", Map.of("a", 1, "b", Documents.words(2, 3000))));
    documents.at(key, "text").remove();
    documents.at(key, "deep.a.b.n").increment(5);
    documents.mergeJson(key, "{\"index\": {\"k0\": null}, \"merged\": true}");
    documents.patchJson(key, "[{\"op\": \"move\", \"from\": \"/items/1\", \"path\": \"/moved\"}]");
    documents.compact(key);
    documents.putJson(empty, Documents.big(20));
    documents.clear(empty);
    documents.putJson(empty, "{\"a\": 1}");
    documents.at(empty, "a").increment(1);
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areInvisibleUntilTheCallerCommits(Isolation isolation) throws Exception {
    Object key = fx().row(Documents.big(30));
    Object empty = fx().row();
    Object same = fx().row(Documents.big(30));
    changeAll(fx().own(), same, fx().row());
    Connection connection = fx().begin(isolation.level);
    changeAll(fx().on(connection), key, empty);
    fx().assertDocument(key, Documents.big(30));
    assertThat(fx().own().load(empty)).isEmpty();
    assertThat(fx().on(connection).text(key).map(Documents::canonical))
        .contains(fx().document(same));
    connection.commit();
    fx().assertDocument(key, fx().document(same));
    fx().assertDocument(empty, "{\"a\": 2}");
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areUndoneByTheCallersRollback(Isolation isolation) throws Exception {
    Object key = fx().row(Documents.big(30));
    Object empty = fx().row();
    Connection connection = fx().begin(isolation.level);
    changeAll(fx().on(connection), key, empty);
    connection.rollback();
    fx().assertDocument(key, Documents.big(30));
    assertThat(fx().own().load(empty)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areUndoneWithTheCallersSavepoint(Isolation isolation) throws Exception {
    Object key = fx().row(Documents.big(30));
    Object same = fx().row(Documents.big(30));
    Object empty = fx().row();
    Connection connection = fx().begin(isolation.level);
    DocumentColumn documents = fx().on(connection);
    documents.at(key, "items[1].no").set("before");
    Savepoint savepoint = connection.setSavepoint();
    changeAll(documents, key, empty);
    connection.rollback(savepoint);
    documents.at(key, "items[2].no").set("after");
    connection.commit();
    fx().own().at(same, "items[1].no").set("before");
    fx().own().at(same, "items[2].no").set("after");
    fx().assertDocument(key, fx().document(same));
    assertThat(fx().own().load(empty)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  default void changes_areNotCommitted_ifTheServerEndsBeforeTheCommit(Change change)
      throws Exception {
    Object key = fx().row(Documents.big(30));
    Object empty = fx().row();
    Connection connection = fx().begin();
    change.on(fx().on(connection), key, empty);
    fx().database().endServersOf(connection);
    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    fx().assertDocument(key, Documents.big(30));
    assertThat(fx().own().load(empty)).isEmpty();
  }

  @Test
  default void put_toARowOfTheSameTransaction_isCommittedWithIt() throws Exception {
    Object key = fx().unknownKey();
    Connection connection = fx().begin();
    Sql.run(connection, fx().insert(key));
    fx().on(connection).putJson(key, Documents.big(20));
    fx().on(connection).at(key, "id").set(1);
    connection.commit();
    assertThat(fx().own().at(key, "id").get(Integer.class)).contains(1);
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  default void failingCalls_leaveTheCallersTransactionUsable() throws Exception {
    Object key =
        fx().row(
                "{\"a\": 1, \"s\": \"x\", \"l\": [], \"big\": \"%s\"}"
                    .formatted(Documents.words(1, 9000)));
    String before = fx().document(key);
    Connection connection = fx().begin();
    DocumentColumn documents = fx().on(connection);
    Sql.run(connection, "UPDATE item SET name = 'kept'" + fx().where(key));
    Expect.refused(InvalidPathException.class, () -> documents.at(key, "a").insert(1));
    Expect.refused(InvalidPathException.class, () -> documents.at(key, "s").increment(1));
    Expect.refused(InvalidPathException.class, () -> documents.at(key, "l.x").set(1));
    Expect.refused(InvalidPathException.class, () -> documents.at(key, "l.x").remove());
    Expect.refused(InvalidPathException.class, () -> documents.at(key, "a[").get());
    Expect.refused(InvalidJsonException.class, () -> documents.putJson(key, "{\"x\": [1, 2"));
    Expect.refused(
        InvalidJsonException.class, () -> documents.putJson(key, "{\"x\": \"\\u0000\"}"));
    Expect.refused(InvalidJsonException.class, () -> documents.at(key, "s").get(Integer.class));
    Expect.refused(RowNotFoundException.class, () -> documents.at(fx().unknownKey(), "a").set(1));
    Expect.refused(RowNotFoundException.class, () -> documents.putJson(fx().unknownKey(), "{}"));
    documents.at(key, "a").increment(1);
    connection.commit();
    assertThat(fx().string("SELECT name FROM item" + fx().where(key))).isEqualTo("kept");
    fx().assertDocument(key, before.replace("\"a\": 1", "\"a\": 2"));
  }

  @Test
  default void stream_inTheCallersTransaction_mayBeMixedWithOtherCalls() throws Exception {
    String big = Documents.big(400);
    Object key = fx().row(big);
    Connection connection = fx().begin();
    DocumentColumn documents = fx().on(connection);
    try (InputStream in = documents.stream(key).orElseThrow()) {
      assertThat(in.read()).isEqualTo('{');
      assertThat(documents.at(key, "id").get(Integer.class)).contains(7);
      assertThat(documents.at(key, "items").size()).hasValue(400);
      assertThat(Documents.canonical("{" + new String(in.readAllBytes(), StandardCharsets.UTF_8)))
          .isEqualTo(fx().canonical(big));
    }
    documents.at(key, "id").set(9);
    connection.commit();
    assertThat(fx().own().at(key, "id").get(Integer.class)).contains(9);
  }

  @ParameterizedTest
  @EnumSource(names = {"REPEATABLE_READ", "SERIALIZABLE"})
  default void changes_afterANewerChange_areSerializationFailures(Isolation isolation)
      throws Exception {
    Object key = fx().row("{\"a\": 1}");
    Connection connection = fx().begin(isolation.level);
    assertThat(fx().on(connection).at(key, "a").get(Integer.class)).contains(1);
    fx().own().at(key, "a").increment(1);
    Expect.refused(ConcurrencyException.class, () -> fx().on(connection).at(key, "a").increment(1));
    connection.rollback();
    fx().assertDocument(key, "{\"a\": 2}");
  }

  @Test
  default void reads_inARepeatableReadTransaction_seeItsSnapshot() throws Exception {
    String big = Documents.big(40);
    Object key = fx().row(big);
    Connection connection = fx().begin(Connection.TRANSACTION_REPEATABLE_READ);
    DocumentColumn documents = fx().on(connection);
    assertThat(documents.at(key, "id").exists()).isTrue();
    fx().own().at(key, "items[5]").set(1);
    fx().own().at(key, "index").remove();
    fx().own().putJson(key, "[]");
    assertThat(documents.text(key).map(Documents::canonical)).contains(fx().canonical(big));
    assertThat(documents.at(key, "items[5].no").get(Integer.class)).contains(5);
    connection.commit();
    assertThat(documents.text(key)).contains("[]");
  }
}
