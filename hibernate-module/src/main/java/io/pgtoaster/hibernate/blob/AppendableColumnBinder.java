package io.pgtoaster.hibernate.blob;

import org.hibernate.MappingException;
import org.hibernate.binder.AttributeBinder;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;

/** Sets the column type of an attribute with options. The type depends on the toaster. */
public final class AppendableColumnBinder implements AttributeBinder<AppendableColumn> {
  /** Creates the binder; called by Hibernate. */
  public AppendableColumnBinder() {}

  @Override
  public void bind(
      AppendableColumn options,
      MetadataBuildingContext context,
      PersistentClass entity,
      Property property) {
    if (!(property.getValue() instanceof BasicValue value)
        || !AppendableBlob.class.getName().equals(property.getReturnedClassName())) {
      throw new MappingException(
          entity.getEntityName()
              + "."
              + property.getName()
              + ": @AppendableColumn is for attributes of type AppendableBlob");
    }
    if (!BlobKind.of(options).handles()) {
      value.setExplicitJdbcTypeAccess(types -> BlobJdbcType.CONTENT);
    }
  }
}
