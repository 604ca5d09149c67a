/** Attach, detach, status and clean-up of blob columns. */
package io.pgtoaster.it.catalog;
