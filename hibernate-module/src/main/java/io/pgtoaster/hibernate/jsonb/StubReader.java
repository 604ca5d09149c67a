package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.internal.json.Json;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Types;
import java.util.Optional;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import tools.jackson.databind.JsonNode;

/** Reads out-of-line members of a stub whose entity is not known. */
final class StubReader {
  private static final String GET =
      "SELECT CAST(pgtoaster.get(CAST(? AS jsonb), CAST(? AS text[])) AS text)";

  private StubReader() {}

  /**
   * Reads a path using only the stub.
   *
   * @param session open
   * @param stub text of the row, which must still belong to the document
   * @param path of the value
   * @return the value; empty if there is nothing at the path
   */
  static Optional<JsonNode> read(
      SharedSessionContractImplementor session, String stub, DocumentPath path) {
    return session.doReturningWork(
        connection -> {
          Array steps = connection.createArrayOf("text", path.steps().toArray());
          try (PreparedStatement s = connection.prepareStatement(GET)) {
            s.setObject(1, stub, Types.OTHER);
            s.setArray(2, steps);
            try (ResultSet r = s.executeQuery()) {
              r.next();
              return Optional.ofNullable(r.getString(1)).map(Json::readStored);
            }
          } finally {
            steps.free();
          }
        });
  }
}
