/**
 * The entry point, {@link io.pgtoaster.PgToaster}, and the catalog of attached columns.
 *
 * <p>From 1.0 on, names and parameters of public types stay compatible within a major version. This
 * does not apply to the packages named {@code internal}, or to the packages of the built-in
 * toasters ({@code blob.appendable}, {@code blob.stock}, {@code jsonb.keyed}, {@code jsonb.stock}).
 *
 * <ul>
 *   <li>Options are immutable. Start with {@code defaults()}; each {@code with...} method returns a
 *       copy with one change. More options may be added.
 *   <li>Results are records or final classes that only this library creates. They may get more
 *       components, and the format of {@code toString} may change.
 *   <li>Values that applications create keep their components: {@link
 *       io.pgtoaster.column.AppendToken}, {@link io.pgtoaster.column.DocumentPath}, {@link
 *       io.pgtoaster.column.RowKey}.
 *   <li>Enums and exceptions may get more members; handle unknown ones.
 *   <li>The interface for toasters in other jars, {@code io.pgtoaster.spi}, may change in a minor
 *       version; the changelog describes the changes.
 * </ul>
 */
@NullMarked
package io.pgtoaster;

import org.jspecify.annotations.NullMarked;
