-- Creates the registry's roles and its empty database; docs/security.md, "The role of the database",
-- says why there are three. As a superuser: psql -f deploy/postgresql-roles.sql
\set ON_ERROR_STOP on
\if :{?migrating_password}
\else
  \prompt 'New password of registry_migrate, which migrates: ' migrating_password
\endif
\if :{?serving_password}
\else
  \prompt 'New password of registry, which serves: ' serving_password
\endif
CREATE ROLE registry_owner NOLOGIN;
CREATE ROLE registry_migrate LOGIN PASSWORD :'migrating_password' IN ROLE registry_owner;
CREATE ROLE registry LOGIN PASSWORD :'serving_password';
CREATE DATABASE registry OWNER registry_owner;
\connect registry
GRANT CONNECT ON DATABASE registry TO registry;
GRANT USAGE ON SCHEMA public TO registry;
ALTER DEFAULT PRIVILEGES FOR ROLE registry_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO registry;
ALTER DEFAULT PRIVILEGES FOR ROLE registry_owner IN SCHEMA public
    GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO registry;
