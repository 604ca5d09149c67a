/** Test kit: servers, databases, columns, waiting. */
package io.pgtoaster.it.kit;
