/** What the tests stand on: servers, databases, columns, waiting. */
package io.pgtoaster.it.kit;
