/** The contracts of blob toasters; each contract is an interface with tests. */
package io.pgtoaster.it.blob.contract;
