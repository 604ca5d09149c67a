package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of an attached column. Values that the catalog does not know are null.
 *
 * @param store number of its store
 * @param column its name, with the schema; null if the table was dropped
 * @param toaster name of its toaster
 * @param options options of the column, by name
 * @param contents number of blobs, or of split documents
 * @param bytes sum of their sizes in bytes; for documents, the uncompressed size of what is out of
 *     line
 * @param storedRows approximate number of rows that store them
 * @param tableBytes size of the store on disk, in bytes
 * @param deadShare share of dead rows, from 0 to 1
 * @param garbage number of contents that were released and are not deleted yet
 * @param warnings problems that need attention
 */
public record ColumnStatus(
    int store,
    @Nullable ColumnName column,
    String toaster,
    Map<String, String> options,
    @Nullable Long contents,
    @Nullable Long bytes,
    @Nullable Long storedRows,
    @Nullable Long tableBytes,
    @Nullable Double deadShare,
    @Nullable Long garbage,
    List<String> warnings) {}
