package io.pgtoaster.hibernate.jsonb;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.hibernate.MappingException;
import org.hibernate.binder.AttributeBinder;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.type.spi.TypeConfiguration;

/** Maps attributes of the application's classes that have a {@link KeyedColumn}. */
public final class KeyedColumnBinder implements AttributeBinder<KeyedColumn> {
  /** Creates the binder; called by Hibernate. */
  public KeyedColumnBinder() {}

  @Override
  public void bind(
      KeyedColumn column,
      MetadataBuildingContext context,
      PersistentClass entity,
      Property property) {
    if (!(property.getValue() instanceof BasicValue value)) {
      throw new MappingException(
          entity.getEntityName()
              + "."
              + property.getName()
              + ": @KeyedColumn maps one column; the attribute cannot be an association, an"
              + " embeddable or a collection table");
    }
    TypeConfiguration types = context.getBootstrapContext().getTypeConfiguration();
    Type implied = value.impliedJavaType(types);
    Type type = implied == null ? Object.class : implied;
    Type raw = type instanceof ParameterizedType parameterized ? parameterized.getRawType() : type;
    boolean stubs = ColumnSettings.of(column).holdsStubs();
    if (raw == KeyedJson.class) {
      if (!stubs) {
        value.setExplicitJdbcTypeAccess(t -> DocumentJdbcType.PLAIN);
      }
      return;
    }
    MappedJavaType javaType = new MappedJavaType(type, (Class<?>) raw);
    value.setExplicitJavaTypeAccess(t -> javaType);
    value.setExplicitJdbcTypeAccess(t -> stubs ? DocumentJdbcType.WHOLE : DocumentJdbcType.PLAIN);
  }
}
