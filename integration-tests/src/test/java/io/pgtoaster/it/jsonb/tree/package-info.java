/** The places of a document's values: row, leaves and branches, and their limits. */
package io.pgtoaster.it.jsonb.tree;
