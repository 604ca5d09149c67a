/** What tests of entities stand on: session factories whose statements are noted, and costs. */
package io.pgtoaster.it.hibernate.kit;
