/** A third party's toaster, which uses only the library's SPI. */
package io.pgtoaster.it.toy;
