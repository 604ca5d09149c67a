/** The contracts of JSON toasters; each contract is an interface with tests. */
package io.pgtoaster.it.jsonb.contract;
