/** Documents: one contract for all JSON toasters, and what only some of them promise. */
package io.pgtoaster.it.jsonb;
