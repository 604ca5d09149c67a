/** Connections that break, servers that crash, move or replicate, and the extension on a server. */
package io.pgtoaster.it.server;
