package io.pgtoaster.it.kit;

import io.pgtoaster.column.BlobCapability;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The column on which a contract runs. {@link DocumentSpec} has the document columns.
 *
 * @param name the name of the column
 * @param toaster the name of its toaster
 * @param type the type of the column
 * @param options the options for attach, as JSON; null to leave the column out of the catalog
 * @param key the kind of key of the rows
 * @param capabilities the optional features of the toaster
 * @param upgraded whether the column is attached in an older catalog, which is then upgraded
 */
public record ColumnSpec(
    String name,
    String toaster,
    String type,
    String options,
    Key key,
    Set<? extends Enum<?>> capabilities,
    boolean upgraded) {

  /** Options of a distributed column. Its statements are the same on a server without Citus. */
  public static final String DISTRIBUTED = "{\"store_schema\": \"owner\", \"distributed\": true}";

  /** The same for a column that is distributed by rows. */
  public static final String SPREAD =
      "{\"leading_key\": \"tenant\", \"store_schema\": \"owner\", \"distributed\": true}";

  /** The kind of key of the rows. */
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

  /** A blob column. */
  public static ColumnSpec blobs(
      String toaster, String type, String options, Key key, Set<BlobCapability> capabilities) {
    return new ColumnSpec(Fixture.COLUMN, toaster, type, options, key, capabilities, false);
  }

  /** The same column, attached in an older catalog. */
  public ColumnSpec inOlderCatalog() {
    return new ColumnSpec(name, toaster, type, options, key, capabilities, true);
  }

  /** A column that is not in the catalog, with stock values and the same API. */
  public static ColumnSpec stock(String type) {
    return blobs("default", type, null, Key.NUMBER, Set.of());
  }

  public static ColumnSpec attachedStock(String type) {
    return blobs("default", type, "{}", Key.UUID, Set.of());
  }

  public static ColumnSpec postgresPro() {
    return blobs("postgrespro-bytea", "bytea", "{}", Key.NUMBER, Set.of());
  }

  public static ColumnSpec appendable(String options) {
    return appendable(options, Key.NUMBER);
  }

  public static ColumnSpec appendable(String options, Key key) {
    return blobs("appendable", "bigint", options, key, Set.of(BlobCapability.values()));
  }

  public boolean isText() {
    return type.equals("text");
  }

  /** Whether values, or parts of them, are stored in separate tables. */
  public boolean hasStore() {
    return toaster.equals("appendable") || toaster.equals("keyed");
  }

  /**
   * Whether the column has the option distributed. Its table is distributed only if the server has
   * Citus.
   */
  boolean distributed() {
    return options != null && options.contains("distributed");
  }

  /** Whether the column is distributed by rows, each on the node of its leading key. */
  boolean spread() {
    return distributed() && options.contains("leading_key");
  }

  /** The toaster, the type, and whether the column is distributed; without other options. */
  String kind() {
    return toaster
        + " "
        + type
        + (distributed() ? ", distributed" : "")
        + (spread() ? " by rows" : "");
  }

  String createTable() {
    return "CREATE TABLE item ("
        + key.columns
        + ", name text NOT NULL DEFAULT '', "
        + name
        + " "
        + type
        + ")";
  }
}
