/**
 * Commands for the catalog and its columns: install, attach, migrate, distribute, clean up, and
 * show the status.
 */
@NullMarked
package io.pgtoaster.cli.catalog;

import org.jspecify.annotations.NullMarked;
