package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.BlobCapability;
import io.pgtoaster.blob.BlobToaster;
import io.pgtoaster.blob.BlobVtable;
import io.pgtoaster.column.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The toaster {@code appendable}: content in chunk tables, a bigint handle in the column. */
public final class AppendableBlobToaster implements BlobToaster {
  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public AppendableBlobToaster() {}

  @Override
  public String name() {
    return "appendable";
  }

  @Override
  public Set<BlobCapability> capabilities() {
    return Set.copyOf(EnumSet.allOf(BlobCapability.class));
  }

  @Override
  public BlobVtable vtable(AttachedColumn column) {
    return new AppendableVtable(Store.of(column));
  }

  @Override
  public int attach(
      Connection connection,
      long table,
      @Nullable String schema,
      String tableName,
      String column,
      Map<String, String> options)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT pgtoaster.attach(CAST(CAST(? AS oid) AS regclass), CAST(? AS name), ?,"
                + " jsonb_object(CAST(? AS text[])))")) {
      s.setLong(1, table);
      s.setString(2, column);
      s.setString(3, name());
      s.setArray(
          4,
          connection.createArrayOf(
              "text",
              options.entrySet().stream()
                  .flatMap(e -> Stream.of(e.getKey(), e.getValue()))
                  .toArray()));
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getInt(1);
      }
    }
  }
}
