/**
 * The interface for toasters in other jars: {@link io.pgtoaster.spi.BlobToaster} and {@link
 * io.pgtoaster.spi.JsonToaster}, found by {@link java.util.ServiceLoader}, and what their
 * implementations need. A toaster implements a vtable, the operations on one column. {@link
 * io.pgtoaster.spi.AttachedColumn} describes the column, {@link io.pgtoaster.spi.ColumnAttach}
 * enters it into the catalog, and {@link io.pgtoaster.spi.JsonTrees} reads and changes documents in
 * memory. This package may change in a minor version; the changelog describes the changes.
 */
@NullMarked
package io.pgtoaster.spi;

import org.jspecify.annotations.NullMarked;
