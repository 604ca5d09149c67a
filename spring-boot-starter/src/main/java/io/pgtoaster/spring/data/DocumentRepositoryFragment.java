package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaContext;
import org.springframework.data.repository.core.support.RepositoryMetadataAccess;

/** Implements the fragment. Spring Data finds it in spring.factories and creates a proxy of it. */
class DocumentRepositoryFragment implements DocumentRepository<Object>, RepositoryMetadataAccess {
  private final JpaContext context;

  DocumentRepositoryFragment(JpaContext context) {
    this.context = context;
  }

  @Override
  public <V> Optional<V> find(Object id, String attribute, String path, Class<V> type) {
    @Nullable KeyedJson<?> document = document(id, attribute);
    return document == null ? Optional.empty() : document.get(path, type);
  }

  @Override
  public void patch(Object id, String attribute, Consumer<? super KeyedJson<?>> changes) {
    @Nullable KeyedJson<?> document = document(id, attribute);
    if (document == null) {
      throw new IllegalStateException(
          "the attribute " + attribute + " is null; assign KeyedJson.of(..) to it first");
    }
    changes.accept(document);
  }

  private @Nullable KeyedJson<?> document(Object id, String name) {
    return Attribute.of(context, id, name, KeyedJson.class).get();
  }
}
