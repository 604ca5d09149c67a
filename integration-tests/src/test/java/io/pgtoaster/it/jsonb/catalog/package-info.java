/** Attach, detach, status and clean-up of columns of documents. */
package io.pgtoaster.it.jsonb.catalog;
