-- Every table of jobs has the same columns for its lease and for the time from which a row is due.
alter table outbox add column lease_owner text;
alter table enrichment add column try_at bigint not null default 0;
create index enrichment_try on enrichment (try_at) where status = 'running';
