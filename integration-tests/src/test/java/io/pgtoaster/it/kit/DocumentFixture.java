package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;

/** A database with one table {@code item}, whose column {@code doc} is under test. */
public final class DocumentFixture extends TableFixture<DocumentColumn> {
  public static final String COLUMN = "doc";

  public DocumentFixture(Setting setting, ColumnSpec spec) {
    super(
        setting,
        spec,
        pgToaster -> pgToaster.documents(TABLE, COLUMN),
        catalog -> catalog.attach(TABLE, COLUMN, ToasterOptions.of(spec.toaster())).store());
  }

  /** The column, on own or the caller's connections as the setting says. */
  public DocumentColumn documents() {
    return any();
  }

  /** A new row with a document. */
  public Object row(String json) {
    Object key = row();
    own().putJson(key, json);
    return key;
  }

  /** What PostgreSQL prints for a JSON text. */
  public String canonical(String json) {
    return database().string("SELECT CAST(" + Sql.literal(json) + " AS jsonb)");
  }

  /** The whole document as PostgreSQL prints it; null if the column is NULL. */
  public String document(Object key) {
    return own().text(key).map(Documents::canonical).orElse(null);
  }

  /** Asserts what a row holds, to the last character, and that it is undamaged. */
  public void assertDocument(Object key, String json) {
    assertThat(document(key)).isEqualTo(json == null ? null : canonical(json));
    assertThat(own().verify(key)).isEmpty();
  }

  @Override
  public List<String> orphans() {
    if (!spec().hasStore()) {
      return List.of();
    }
    return database()
        .strings(
            """
            SELECT 'head ' || h.id FROM %1$s h
            LEFT JOIN item i ON %3$s i.doc #>> '{$pgtoaster,0}' = CAST(h.id AS text) WHERE i.name IS NULL
            UNION ALL SELECT DISTINCT 'node of ' || n.doc FROM %2$s n LEFT JOIN %1$s h ON %4$s h.id = n.doc WHERE h.id IS NULL
            """
                .formatted(
                    table("head"),
                    table("node"),
                    spec().spread() ? "i.tenant = h.owner_1 AND" : "",
                    spec().spread() ? "h.owner_1 = n.owner_1 AND" : ""));
  }
}
