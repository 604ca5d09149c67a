/** Where the values of a document are stored: row, leaves, branches and their limits. */
package io.pgtoaster.it.jsonb.tree;
