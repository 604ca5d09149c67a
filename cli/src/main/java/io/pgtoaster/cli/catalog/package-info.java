/**
 * Commands on the catalog and its columns: install, attach, migrate, distribute, clean up, and tell
 * how all stands.
 */
@NullMarked
package io.pgtoaster.cli.catalog;

import org.jspecify.annotations.NullMarked;
