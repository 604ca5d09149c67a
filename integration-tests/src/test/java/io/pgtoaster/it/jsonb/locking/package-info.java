/** Several connections that change one document: who waits, and what is there afterwards. */
package io.pgtoaster.it.jsonb.locking;
