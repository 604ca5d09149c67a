package io.pgtoaster.blob.appendable.format;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a blob's last run.
 *
 * @param start offset of its first byte
 * @param data its bytes
 * @param crc their CRC32C, or null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Piece(long start, byte[] data, @Nullable Integer crc) {
  /** Reads start, data and crc from the current row of a result, beginning at a column. */
  public static Piece read(ResultSet r, int first) throws SQLException {
    int crc = r.getInt(first + 2);
    @Nullable Integer checksum = r.wasNull() ? null : (Integer) crc;
    return new Piece(r.getLong(first), r.getBytes(first + 1), checksum);
  }

  public boolean damaged() {
    return crc != null && crc != Checksum.of(data, 0, data.length);
  }
}
