-- The version of a lead's stored JSON (`body`, `premium`); rows of older versions are upgraded when they are read. Rows
-- written before this step are version 1. Version 2 is the first in which both columns hold valid JSON.
alter table lead add column version bigint not null default 1;
-- New columns lie behind the website's text, whose pages SQLite would have to read to reach them. A list takes them from
-- the index instead.
drop index lead_rank;
create index lead_rank on lead (search_id, rank, number, version);
