package io.pgtoaster.spring.tus;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of uploads over the tus protocol.
 *
 * @param enabled Whether uploads over the tus protocol are accepted.
 * @param path Path under which uploads are created, without a trailing slash.
 * @param schema Schema of the table that stores uploads. By default the table is found on the
 *     search path.
 * @param table Table that stores uploads, one row each. Its key columns need defaults. Not needed
 *     if a bean of type TusUploads chooses the row of an upload.
 * @param column Column of that table that stores the uploaded content.
 * @param metadata Columns of that table that store upload metadata, by metadata name.
 * @param maxSize Largest upload that is accepted. -1 for no limit.
 * @param commitEvery How much of an upload is received between two commits. A running upload takes
 *     up to twice as much memory.
 * @param maxMemory Memory that all running uploads may use together. By default, this is a quarter
 *     of the heap. When little memory is left, uploads are committed more often; when none is left,
 *     requests are rejected with status 503. -1 for no limit.
 * @param expireAfter Idle time after which an incomplete upload is removed. 0 to keep it forever.
 */
@ConfigurationProperties("pgtoaster.tus")
public record TusProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("/tus") String path,
    @Nullable String schema,
    @Nullable String table,
    @Nullable String column,
    @DefaultValue Map<String, String> metadata,
    @DefaultValue("1GB") DataSize maxSize,
    @DefaultValue("4MB") DataSize commitEvery,
    @Nullable DataSize maxMemory,
    @DefaultValue("7d") Duration expireAfter) {}
