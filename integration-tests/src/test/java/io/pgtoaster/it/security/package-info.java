/** Roles, grants, row security and hostile names: nobody gets or stops what belongs to others. */
package io.pgtoaster.it.security;
