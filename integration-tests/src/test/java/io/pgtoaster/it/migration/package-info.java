/** Migration of existing columns to toasters and back. */
package io.pgtoaster.it.migration;
