/** Damaged, forged and copied documents: verify, repair and refusals. */
package io.pgtoaster.it.jsonb.damage;
