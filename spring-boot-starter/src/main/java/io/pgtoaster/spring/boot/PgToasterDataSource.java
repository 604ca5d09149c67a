package io.pgtoaster.spring.boot;

import javax.sql.DataSource;

/**
 * The data source that pgtoaster uses: the only or primary one, or the one that {@code
 * pgtoaster.datasource} names. It is as thread-safe as that data source.
 *
 * @param dataSource provides connections to PostgreSQL
 */
public record PgToasterDataSource(DataSource dataSource) {}
