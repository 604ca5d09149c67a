package io.pgtoaster.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.column.Patch;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.spi.JsonInfo;
import io.pgtoaster.spi.JsonVtable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Applies patches to the document of a row. */
record StoredDocumentTarget(Connection connection, RowKey key, JsonVtable vtable)
    implements Patch.Target<SQLException> {
  @Override
  public @Nullable JsonInfo describe(DocumentPath path, boolean size) throws SQLException {
    return vtable.describe(connection, key, path, size).orElse(null);
  }

  @Override
  public @Nullable JsonNode read(DocumentPath path) throws SQLException {
    try (InputStream text = vtable.open(connection, key, path, null, 0)) {
      return text == null ? null : Json.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean edit(JsonEdit edit) throws SQLException {
    return vtable.edit(connection, key, edit).applied();
  }

  @Override
  public void put(@Nullable JsonNode document) throws SQLException {
    if (document == null) {
      vtable.clear(connection, key);
    } else {
      vtable.put(connection, key, Json.parser(JsonbText.text(document)));
    }
  }
}
