-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION pgtoaster_timeseries" to load this file. \quit

CREATE SCHEMA timeseries;
GRANT USAGE ON SCHEMA timeseries TO PUBLIC;
CREATE FUNCTION timeseries.handler(internal) RETURNS toaster.handler AS 'MODULE_PATHNAME', 'timeseries_handler' LANGUAGE C;
-- A handler built for another version of pgtoaster, which create_toaster must reject.
CREATE FUNCTION timeseries.no_handler(internal) RETURNS toaster.handler AS 'MODULE_PATHNAME', 'timeseries_no_handler' LANGUAGE C;
