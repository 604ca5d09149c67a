package io.pgtoaster.hibernate.blob;

import java.io.Serial;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.hibernate.type.descriptor.ValueBinder;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.descriptor.jdbc.BasicBinder;
import org.hibernate.type.descriptor.jdbc.BigIntJdbcType;

/** A {@code bigint} that may be inserted as NULL although the attribute has a value. */
final class HandleJdbcType extends BigIntJdbcType {
  static final HandleJdbcType INSTANCE = new HandleJdbcType();

  @Serial private static final long serialVersionUID = 1L;

  private HandleJdbcType() {}

  @Override
  public <X> ValueBinder<X> getBinder(JavaType<X> javaType) {
    return new Binder<>(javaType, this);
  }

  private static final class Binder<X> extends BasicBinder<X> {
    @Serial private static final long serialVersionUID = 1L;

    Binder(JavaType<X> javaType, HandleJdbcType type) {
      super(javaType, type);
    }

    @Override
    protected void doBind(PreparedStatement s, X value, int index, WrapperOptions options)
        throws SQLException {
      Long handle = getJavaType().unwrap(value, Long.class, options);
      if (handle == null) {
        s.setNull(index, Types.BIGINT);
      } else {
        s.setLong(index, handle);
      }
    }

    @Override
    protected void doBind(CallableStatement s, X value, String name, WrapperOptions options)
        throws SQLException {
      Long handle = getJavaType().unwrap(value, Long.class, options);
      if (handle == null) {
        s.setNull(name, Types.BIGINT);
      } else {
        s.setLong(name, handle);
      }
    }
  }
}
