/** Attach, detach, status and clean-up of columns of blobs. */
package io.pgtoaster.it.catalog;
