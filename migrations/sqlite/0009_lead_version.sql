-- The version of a lead's stored JSON (`body`, `premium`); rows of older versions are upgraded when they are read. Rows
-- written before this step are version 1. Version 2 is the first in which both columns hold valid JSON.
alter table lead add column version bigint not null default 1;
