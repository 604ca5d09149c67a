package io.pgtoaster.jsonb;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.PatchFailedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * RFC 6902 on a stored document. Runs in a transaction in which other writers of the document are
 * kept away, and which is undone if an operation fails. Values that are moved, copied or tested are
 * held in memory.
 */
final class JsonPatch {
  private final List<PatchOperation> operations;

  private JsonPatch(List<PatchOperation> operations) {
    this.operations = operations;
  }

  /**
   * Reads a patch.
   *
   * @param operations a checked value; its parts become parts of the patch
   * @return the patch, which any thread may use
   * @throws PatchFailedException if it is none
   */
  static JsonPatch of(JsonNode operations) {
    if (!operations.isArray()) {
      throw new PatchFailedException("a JSON Patch is an array of operations");
    }
    List<PatchOperation> read = new ArrayList<>(operations.size());
    for (JsonNode operation : operations) {
      read.add(PatchOperation.read(operation, read.size() + 1));
    }
    return new JsonPatch(List.copyOf(read));
  }

  /**
   * Carries it out.
   *
   * @throws PatchFailedException if an operation cannot be carried out, or a test failed
   */
  void apply(Connection connection, RowKey key, JsonVtable vtable) throws SQLException {
    for (PatchOperation operation : operations) {
      new PatchStep(connection, key, vtable, operation).run();
    }
  }
}
