package io.pgtoaster.it.kit;

import io.pgtoaster.blob.BlobCapability;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The column that a contract runs on.
 *
 * @param toaster its name
 * @param type of the column
 * @param options for attach, as JSON; null to leave the column out of the catalog
 * @param key how rows are addressed
 * @param capabilities what the toaster can do beyond what all can
 */
public record ColumnSpec(
    String toaster, String type, String options, Key key, Set<BlobCapability> capabilities) {

  /** How rows are addressed. */
  public enum Key {
    NUMBER("id bigint PRIMARY KEY"),
    UUID("id uuid PRIMARY KEY"),
    COMPOSITE("region text NOT NULL, id bigint NOT NULL, PRIMARY KEY (region, id)"),
    TENANT("tenant bigint NOT NULL, id bigint NOT NULL, PRIMARY KEY (tenant, id)");

    private final String columns;

    Key(String columns) {
      this.columns = columns;
    }

    String columns() {
      return columns;
    }

    Object of(long number) {
      return switch (this) {
        case NUMBER -> number;
        case UUID -> new UUID(number, 7);
        case COMPOSITE -> List.of("north 'n' south", number);
        case TENANT -> List.of(number % 3, number);
      };
    }

    String names() {
      return switch (this) {
        case NUMBER, UUID -> "id";
        case COMPOSITE -> "region, id";
        case TENANT -> "tenant, id";
      };
    }

    String values(Object key) {
      if (key instanceof List<?> list) {
        return String.join(", ", list.stream().map(v -> Sql.literal(v.toString())).toList());
      }
      return Sql.literal(key.toString());
    }
  }

  /** Not in the catalog: stock values under the same API. */
  public static ColumnSpec stock(String type) {
    return new ColumnSpec("default", type, null, Key.NUMBER, Set.of());
  }

  public static ColumnSpec attachedStock(String type) {
    return new ColumnSpec("default", type, "{}", Key.UUID, Set.of());
  }

  public static ColumnSpec postgresPro() {
    return new ColumnSpec("postgrespro-bytea", "bytea", "{}", Key.NUMBER, Set.of());
  }

  public static ColumnSpec appendable(String options) {
    return appendable(options, Key.NUMBER);
  }

  public static ColumnSpec appendable(String options, Key key) {
    return new ColumnSpec("appendable", "bigint", options, key, Set.of(BlobCapability.values()));
  }

  public boolean isText() {
    return type.equals("text");
  }

  /** Whether the bytes live in tables of their own, behind a handle. */
  public boolean hasStore() {
    return toaster.equals("appendable");
  }

  String createTable() {
    return "CREATE TABLE item ("
        + key.columns
        + ", name text NOT NULL DEFAULT '', content "
        + type
        + ")";
  }
}
