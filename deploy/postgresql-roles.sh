#!/bin/sh
# The database of compose.yaml runs this once, when its volume is empty.
exec psql --username "$POSTGRES_USER" --dbname postgres \
    --set migrating_password="$(cat /run/secrets/migrating-password)" \
    --set serving_password="$(cat /run/secrets/serving-password)" \
    --file /etc/registry/postgresql-roles.sql
