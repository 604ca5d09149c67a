/** A toaster of a third party: it sees nothing of the library but its seam. */
package io.pgtoaster.it.toy;
