/** The same document of 4 MB as an attribute of an entity, with several mappings. */
package io.pgtoaster.it.hibernate.report;
