/**
 * Uploads files and streams into a blob: input, comparison before resuming, and the copy itself.
 */
@NullMarked
package io.pgtoaster.cli.upload;

import org.jspecify.annotations.NullMarked;
