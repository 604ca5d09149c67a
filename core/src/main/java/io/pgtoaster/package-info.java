/**
 * The entry point: {@link io.pgtoaster.PgToaster}, and the catalog of attached columns.
 *
 * <p>What stays within a major version, from 1.0 on: names and parameters of all public types but
 * those of packages named {@code internal} and of the rooms of toasters ({@code blob.appendable},
 * {@code blob.stock}, {@code jsonb.keyed}, {@code jsonb.stock}).
 *
 * <ul>
 *   <li>Options are immutable. They begin at {@code defaults()}, and each method {@code with...}
 *       returns others with one thing changed; more of them may come.
 *   <li>Results are sealed interfaces or final classes, which may get more methods: only this
 *       library makes them, and their {@code toString} is for people.
 *   <li>Records are values that keep their components: {@link io.pgtoaster.blob.AppendToken},
 *       {@link io.pgtoaster.jsonb.DocumentPath}, {@link io.pgtoaster.column.RowKey}.
 *   <li>Enums and exceptions may get more members; handle those that you do not know.
 *   <li>What only toasters of other jars use, package {@code column} and the types named {@code
 *       ...Vtable}, {@code ...Toaster}, {@code JsonEdit}, {@code PatchTarget} and {@code
 *       AppendRequest}, may change in a minor version; the changelog says how.
 * </ul>
 */
@NullMarked
package io.pgtoaster;

import org.jspecify.annotations.NullMarked;
