package io.pgtoaster;

import io.pgtoaster.column.ColumnName;

/**
 * An attached column, as {@link Catalog#attach} returns it.
 *
 * @param column its name, with the schema of its table
 * @param toaster name of its toaster
 * @param store number of its store
 * @param added whether this call attached the column; false if it was attached before
 */
public record Attachment(ColumnName column, String toaster, int store, boolean added) {}
