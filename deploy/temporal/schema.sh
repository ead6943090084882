#!/bin/sh
# Makes the databases of the Temporal server, or brings their tables to the version of this image. Can be run at every start.
# The address and login come from SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD.
set -eu

prepare() {
  database=$1
  schema=$2
  temporal-sql-tool --database "$database" create-database
  # makes the table of versions; where it stands already, the versions in it are kept
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema --schema-name "$schema"
}

prepare temporal postgresql/v12/temporal
prepare temporal_visibility postgresql/v12/visibility
