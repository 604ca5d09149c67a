/** Documents: one contract for all JSON toasters, and tests of single features. */
package io.pgtoaster.it.jsonb;
