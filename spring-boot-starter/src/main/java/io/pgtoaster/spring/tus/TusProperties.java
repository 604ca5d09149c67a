package io.pgtoaster.spring.tus;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of uploads by the tus protocol.
 *
 * @param enabled Whether uploads by the tus protocol are accepted.
 * @param path Path under which uploads are created, without a slash at its end.
 * @param schema Schema of the table that uploads go to. By default the table is looked for on the
 *     search path.
 * @param table Table that uploads go to, one row each. Its key columns need defaults. Not needed
 *     where a bean of type TusUploads says which row an upload belongs to.
 * @param column Column of that table that holds the uploaded content.
 * @param metadata Columns of that table that take metadata of an upload, by name of the metadata.
 * @param maxSize Largest upload that is accepted. -1 for no limit.
 * @param commitEvery How much of an upload is received between two commits. A running upload takes
 *     up to twice as much memory.
 * @param maxMemory Memory that all running uploads take together. By default a quarter of the heap.
 *     When little is left, uploads are committed more often; when nothing is left, requests are
 *     refused with status 503. -1 for no limit.
 * @param expireAfter How long an upload may rest before it is removed if it is not complete. 0 for
 *     ever.
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
