/** Several connections that change one document: waits and results. */
package io.pgtoaster.it.jsonb.locking;
