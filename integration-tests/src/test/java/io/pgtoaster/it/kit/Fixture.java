package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ToasterOptions;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A database with one table {@code item} for tests of its column {@code content}. */
public final class Fixture extends TableFixture<BlobColumn> {
  public static final String COLUMN = "content";

  public Fixture(Setting setting, ColumnSpec spec) {
    this(setting, spec, UnaryOperator.identity());
  }

  /**
   * A fixture that wraps the column.
   *
   * @param through returns the wrapped column
   */
  public Fixture(Setting setting, ColumnSpec spec, UnaryOperator<BlobColumn> through) {
    super(
        setting,
        spec,
        pgToaster -> through.apply(pgToaster.blobs(TABLE, COLUMN)),
        catalog -> catalog.attach(TABLE, COLUMN, ToasterOptions.of(spec.toaster())).store());
  }

  /** The column, on separate or the caller's connections, depending on the setting. */
  public BlobColumn blobs() {
    return any();
  }

  /** Inserts a row with content. */
  public Object row(byte[] content) {
    Object key = row();
    own().append(key, content);
    return key;
  }

  public byte[] content(long seed, int length) {
    return spec().isText() ? Bytes.text(seed, length) : Bytes.random(seed, length);
  }

  /** Reads the whole content through a new handle. */
  public byte[] read(Object key) {
    BlobColumn own = own();
    return own.read(key, 0, (int) own.length(key));
  }

  /** Asserts that the row has this content, without damage. */
  public void assertContent(Object key, byte[] expected) {
    assertThat(own().length(key)).isEqualTo(expected.length);
    assertThat(read(key)).isEqualTo(expected);
    assertThat(own().verify(key)).isEmpty();
  }

  /** Returns the handle in a row, or 0 if it is NULL. */
  public long handle(Object key) {
    return database().number("SELECT content FROM item" + where(key));
  }

  /** Returns the number of rows in the store for a blob. */
  public long storedRows(long blob) {
    return database()
        .number(
            ("SELECT (SELECT count(*) FROM %s WHERE id = %d) + (SELECT count(*) FROM %s WHERE blob_id ="
                    + " %d) + (SELECT count(*) FROM %s WHERE blob_id = %d) + (SELECT count(*) FROM %s"
                    + " WHERE blob_id = %d)")
                .formatted(
                    table("head"),
                    blob,
                    table("chunk"),
                    blob,
                    table("piece"),
                    blob,
                    table("token"),
                    blob));
  }

  /**
   * Returns heads without a row, and chunks, pieces and tokens without a head. Because this runs
   * after every test, it finds blobs with chunks by index, one step each, and does not read
   * content.
   */
  @Override
  public List<String> orphans() {
    if (!spec().hasStore()) {
      return List.of();
    }
    if (spec().spread()) {
      return database().strings(orphansByRows());
    }
    boolean leading = spec().key() == ColumnSpec.Key.TENANT;
    return database()
        .strings(
            """
            WITH RECURSIVE
              chunk AS (
                (SELECT %5$s FROM %2$s ORDER BY %5$s LIMIT 1)
                UNION ALL SELECT n.* FROM chunk c, LATERAL (
                  SELECT %5$s FROM %2$s WHERE (%5$s) > (%6$s) ORDER BY %5$s LIMIT 1) n),
              piece AS (
                (SELECT %5$s FROM %3$s ORDER BY %5$s LIMIT 1)
                UNION ALL SELECT n.* FROM piece c, LATERAL (
                  SELECT %5$s FROM %3$s WHERE (%5$s) > (%6$s) ORDER BY %5$s LIMIT 1) n)
            SELECT 'head ' || id FROM %1$s WHERE id NOT IN (SELECT content FROM item WHERE content IS NOT NULL)
            UNION ALL SELECT 'chunk of ' || blob_id FROM chunk WHERE blob_id NOT IN (SELECT id FROM %1$s)
            UNION ALL SELECT 'piece of ' || blob_id FROM piece WHERE blob_id NOT IN (SELECT id FROM %1$s)
            UNION ALL SELECT 'token of ' || blob_id FROM %4$s WHERE blob_id NOT IN (SELECT id FROM %1$s)
            """
                .formatted(
                    table("head"),
                    table("chunk"),
                    table("piece"),
                    table("token"),
                    leading ? "leading_key, blob_id" : "blob_id",
                    leading ? "c.leading_key, c.blob_id" : "c.blob_id"));
  }

  /** Uses joins that Citus can run on each node. */
  private String orphansByRows() {
    return """
        SELECT 'head ' || h.id FROM %1$s h LEFT JOIN item i ON i.tenant = h.leading_key AND i.content = h.id WHERE i.id IS NULL
        """
            .formatted(table("head"))
        + Stream.of("chunk", "piece", "token")
            .map(
                part ->
                    """
                    UNION ALL SELECT DISTINCT '%3$s of ' || c.blob_id
                    FROM %2$s c LEFT JOIN %1$s h ON h.leading_key = c.leading_key AND h.id = c.blob_id WHERE h.id IS NULL
                    """
                        .formatted(table("head"), table(part), part))
            .collect(Collectors.joining());
  }

  /**
   * Returns a condition that selects the heads of a row's tenant if heads are on different nodes.
   */
  public String headsBeside(Object key) {
    return spec().spread() ? " WHERE leading_key = " + ((List<?>) key).get(0) : "";
  }
}
