/** Attach, detach, status and clean-up of document columns. */
package io.pgtoaster.it.jsonb.catalog;
