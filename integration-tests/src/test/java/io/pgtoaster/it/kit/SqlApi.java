package io.pgtoaster.it.kit;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.spi.BlobToaster;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** Columns whose operations call {@code pgtoaster.blob_append} and related functions. */
public final class SqlApi {
  private static final Toasters<BlobToaster> TOASTERS = toasters();

  private SqlApi() {}

  /**
   * Returns a fixture for the Java contracts. The library does what the functions do not support.
   */
  public static Fixture fixture(Setting setting, ColumnSpec spec) {
    return new Fixture(setting, spec, SqlApi::over);
  }

  /** Makes an unused column call the functions. */
  public static BlobColumn over(BlobColumn column) {
    try {
      Field access = BlobColumn.class.getDeclaredField("access");
      access.setAccessible(true);
      Object found = access.get(column);
      Field toasters = found.getClass().getDeclaredField("toasters");
      toasters.setAccessible(true);
      toasters.set(found, TOASTERS);
      return column;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a column without toasters", e);
    }
  }

  private static Toasters<BlobToaster> toasters() {
    Toasters<BlobToaster> ours = Toasters.blobs();
    Map<String, BlobToaster> byName = new HashMap<>();
    for (String name : ours.names()) {
      byName.put(name, bySql(ours.get(name)));
    }
    try {
      Constructor<?> make = Toasters.class.getDeclaredConstructor(String.class, Map.class);
      make.setAccessible(true);
      @SuppressWarnings("unchecked")
      Toasters<BlobToaster> all = (Toasters<BlobToaster>) make.newInstance("blob", byName);
      return all;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("toasters", e);
    }
  }

  /** Returns the toaster with a different vtable. */
  private static BlobToaster bySql(BlobToaster toaster) {
    return (BlobToaster)
        Proxy.newProxyInstance(
            BlobToaster.class.getClassLoader(),
            new Class<?>[] {BlobToaster.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("vtable")) {
                var column = (io.pgtoaster.spi.AttachedColumn) arguments[0];
                return new SqlApiVtable(column, toaster.vtable(column));
              }
              return method.invoke(toaster, arguments);
            });
  }
}
