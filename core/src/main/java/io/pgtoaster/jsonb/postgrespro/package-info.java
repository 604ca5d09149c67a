/** The toaster {@code postgrespro-jsonb}: documents by Postgres Pro's {@code jsonb_toaster}. */
@NullMarked
package io.pgtoaster.jsonb.postgrespro;

import org.jspecify.annotations.NullMarked;
