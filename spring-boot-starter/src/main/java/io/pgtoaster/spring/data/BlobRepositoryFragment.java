package io.pgtoaster.spring.data;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaContext;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;

/** Implements the fragment. Spring Data finds it in spring.factories and creates a proxy of it. */
class BlobRepositoryFragment implements BlobRepository<Object>, RepositoryMetadataAccess {
  private final JpaContext context;

  BlobRepositoryFragment(JpaContext context) {
    this.context = context;
  }

  @Override
  public AppendResult append(Object id, String attribute, byte[] bytes) {
    return blob(id, attribute).append(bytes);
  }

  @Override
  public AppendResult append(Object id, String attribute, InputStream in) {
    return blob(id, attribute).append(in);
  }

  private AppendableBlob blob(Object id, String name) {
    Attribute<AppendableBlob> attribute = attribute(id, name);
    AppendableBlob blob = attribute.get();
    if (blob == null) {
      blob = new AppendableBlob();
      attribute.set(blob);
    }
    return blob;
  }

  @Override
  public byte[] read(Object id, String attribute, long offset, int length) {
    @Nullable AppendableBlob blob = attribute(id, attribute).get();
    return blob == null ? new byte[0] : blob.read(offset, length);
  }

  @Override
  public long read(Object id, String attribute, OutputStream out) {
    @Nullable AppendableBlob blob = attribute(id, attribute).get();
    if (blob == null) {
      return 0;
    }
    try (InputStream in = blob.inputStream()) {
      return in.transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy a blob", e);
    }
  }

  private Attribute<AppendableBlob> attribute(Object id, String name) {
    return Attribute.of(context, id, name, AppendableBlob.class);
  }
}
