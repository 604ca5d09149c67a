package io.pgtoaster.hibernate.schema;

import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import io.pgtoaster.hibernate.blob.BlobMapping;
import io.pgtoaster.hibernate.event.ContentIntegration;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentMapping;
import io.pgtoaster.hibernate.jsonb.ColumnSettings;
import io.pgtoaster.hibernate.jsonb.DocumentMapping;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;

/** Finds the columns to attach. */
final class Attachments {
  private Attachments() {}

  /** Returns each column once, ordered by name. */
  static Collection<Attachment> of(Metadata metadata, SqlStringGenerationContext names) {
    Map<String, Attachment> found = new TreeMap<>();
    collect(metadata, names, new DocumentMapping(), Attachments::document, found);
    collect(metadata, names, new BlobMapping(), Attachments::blob, found);
    return found.values();
  }

  private static void collect(
      Metadata metadata,
      SqlStringGenerationContext names,
      ContentMapping mapping,
      Function<ContentAttribute, Attachment> of,
      Map<String, Attachment> found) {
    new ContentIntegration(List.of(mapping))
        .attributes(metadata, names)
        .values()
        .forEach(attributes -> attributes.stream().map(of).forEach(a -> add(a, found)));
  }

  private static void add(Attachment next, Map<String, Attachment> found) {
    Attachment other = found.putIfAbsent(next.describe(), next);
    if (other != null && !other.equals(next)) {
      throw new MappingException(
          "two attributes are mapped to the column " + next.describe() + " with different options");
    }
  }

  private static Attachment document(ContentAttribute attribute) {
    ColumnSettings settings = ColumnSettings.of(attribute.options(KeyedColumn.class));
    return new Attachment(
        attribute.column(),
        ToasterOptions.of(settings.toaster(), settings.options().toMap()),
        settings.indexes());
  }

  private static Attachment blob(ContentAttribute attribute) {
    AppendableColumn options = attribute.options(AppendableColumn.class);
    return new Attachment(
        attribute.column(),
        ToasterOptions.of(BlobMapping.toaster(options), BlobMapping.columnOptions(options).toMap()),
        List.of());
  }
}
