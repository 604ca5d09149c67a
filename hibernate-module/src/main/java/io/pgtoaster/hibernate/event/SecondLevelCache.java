package io.pgtoaster.hibernate.event;

import io.pgtoaster.hibernate.internal.Owner;
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
  private final SharedSessionContractImplementor session;
  private final String[] tables;
  private final @Nullable EntityDataAccess access;
  private final @Nullable Object key;
  private final @Nullable SoftLock lock;

  private SecondLevelCache(
      SharedSessionContractImplementor session,
      String[] tables,
      @Nullable EntityDataAccess access,
      @Nullable Object key,
      @Nullable SoftLock lock) {
    this.session = session;
    this.tables = tables;
    this.access = access;
    this.key = key;
    this.lock = lock;
  }

  static SecondLevelCache lock(Owner owner, @Nullable EntityEntry entry) {
    SharedSessionContractImplementor session = owner.session();
    EntityDataAccess access = owner.persister().getCacheAccessStrategy();
    String[] tables = owner.persister().getPropertySpaces();
    if (access == null || !owner.persister().canWriteToCache()) {
      return new SecondLevelCache(session, tables, null, null, null);
    }
    Object key =
        access.generateCacheKey(
            owner.id(), owner.persister(), session.getFactory(), session.getTenantIdentifier());
    Object version = entry == null ? null : entry.getVersion();
    return new SecondLevelCache(
        session, tables, access, key, access.lockItem(session, key, version));
  }

  void evict() {
    EntityDataAccess cache = access;
    if (cache != null) {
      cache.remove(session, key);
      session
          .getTransactionCompletionCallbacks()
          .registerCallback(
              (boolean success, SharedSessionContractImplementor s) ->
                  cache.unlockItem(s, key, lock));
    }
    if (session.getFactory().getSessionFactoryOptions().isQueryCacheEnabled()) {
      TimestampsCache timestamps = session.getFactory().getCache().getTimestampsCache();
      timestamps.preInvalidate(tables, session);
      session
          .getTransactionCompletionCallbacks()
          .registerCallback(
              (boolean success, SharedSessionContractImplementor s) ->
                  timestamps.invalidate(tables, s));
    }
  }
}
