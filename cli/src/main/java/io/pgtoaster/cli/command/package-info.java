/**
 * What commands have in common: their options, the database, the row or document that they work on.
 */
@NullMarked
package io.pgtoaster.cli.command;

import org.jspecify.annotations.NullMarked;
