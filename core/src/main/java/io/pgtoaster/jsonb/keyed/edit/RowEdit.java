package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import io.pgtoaster.jsonb.keyed.format.Header;
import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Locks;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import io.pgtoaster.jsonb.keyed.write.RowWriter;
import io.pgtoaster.spi.Edited;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Edits a value in the owner's row if the row has no room for the result: members are moved out of
 * line. The row is locked, and the path ends in the row. One instance per call.
 */
record RowEdit(KeyedStore store, Connection connection, RowKey key) {
  Edited edit(JsonEdit given) throws SQLException {
    JsonEdit edit = given instanceof JsonEdit.Conditional c ? c.edit() : given;
    Steps steps = new Steps(edit.path().steps());
    Steps path = edit instanceof JsonEdit.Append ? steps.plus("-1") : steps;
    Locks locks = new Locks(store, connection, key);
    Locks.Row row = locks.row();
    String before = Objects.requireNonNull(row.document(), "document");
    Long document = Header.document(before);
    boolean split = document != null;
    Change change = Change.of(before, split ? path.escaped() : path.given(), edit, split);
    if (!change.outcome().applied()) {
      return change.outcome();
    }
    boolean drops = !change.dropped().isEmpty();
    if (document != null && locks.head(drops) == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    new RowWriter(store, connection, key, document).write(before, change.tree(), row.otherBytes());
    if (document != null && drops) {
      Script script = new Script();
      script.add(
          store.at(key).sql(KeyedSql.DELETE_BRANCHES),
          document,
          Query.untyped(change.dropped().literal()));
      script.add(store.at(key).sql(KeyedSql.BUMP_GENERATION), document);
      script.run(connection);
    }
    return change.outcome();
  }
}
