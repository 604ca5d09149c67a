/** A third party's toaster, which uses only the library's seam. */
package io.pgtoaster.it.toy;
