package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.internal.Owner;
import java.util.function.Consumer;
import org.hibernate.cache.spi.TimestampsCache;
import org.hibernate.cache.spi.access.EntityDataAccess;
import org.hibernate.cache.spi.access.SoftLock;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Removes an entity, and the results of queries on its tables, from the second-level cache when its
 * content changes, because the cache may contain part of the content. Until the transaction has
 * ended, readers query the database.
 */
final class SecondLevelCache {
  private SecondLevelCache() {}

  /** Locks the entity in the cache while content is written, then removes it. */
  static void evict(Owner owner, @Nullable EntityEntry entry, Runnable write) {
    SharedSessionContractImplementor session = owner.session();
    EntityDataAccess cache =
        owner.persister().canWriteToCache() ? owner.persister().getCacheAccessStrategy() : null;
    if (cache == null) {
      write.run();
    } else {
      Object key =
          cache.generateCacheKey(
              owner.id(), owner.persister(), session.getFactory(), session.getTenantIdentifier());
      SoftLock lock = cache.lockItem(session, key, entry == null ? null : entry.getVersion());
      write.run();
      cache.remove(session, key);
      afterCompletion(session, s -> cache.unlockItem(s, key, lock));
    }
    if (session.getFactory().getSessionFactoryOptions().isQueryCacheEnabled()) {
      String[] tables = owner.persister().getPropertySpaces();
      TimestampsCache timestamps = session.getFactory().getCache().getTimestampsCache();
      timestamps.preInvalidate(tables, session);
      afterCompletion(session, s -> timestamps.invalidate(tables, s));
    }
  }

  private static void afterCompletion(
      SharedSessionContractImplementor session,
      Consumer<SharedSessionContractImplementor> callback) {
    session
        .getTransactionCompletionCallbacks()
        .registerCallback(
            (boolean success, SharedSessionContractImplementor s) -> callback.accept(s));
  }
}
