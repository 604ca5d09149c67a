package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.spi.AttachedColumn;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Attributes that are stored as {@code jsonb}. */
public sealed interface JsonKind extends ContentKind permits DocumentKind, MappedKind {
  /**
   * Returns the settings of the mapping.
   *
   * @return the settings
   */
  ColumnSettings settings();

  @Override
  default ToasterOptions options() {
    return ToasterOptions.of(settings().toaster(), settings().options().toMap());
  }

  @Override
  default List<JsonIndex> indexes() {
    return settings().indexes();
  }

  @Override
  default void check(ContentAttribute attribute, Supplier<@Nullable AttachedColumn> column) {
    KeptPaths.check(attribute, settings(), column);
  }
}
