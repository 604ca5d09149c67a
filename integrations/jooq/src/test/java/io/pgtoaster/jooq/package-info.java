/** On a real server. */
package io.pgtoaster.jooq;
