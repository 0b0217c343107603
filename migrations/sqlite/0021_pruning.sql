-- What the settings keep_searches_days and keep_site_text_days delete of searches that ended long ago.

-- When the leads of a search began to be deleted: from then on nobody reads them.
alter table search add column leads_deleted_at bigint;
-- Whether all that can be deleted is: the leads with what belongs to them, or the text of their websites.
alter table search add column is_pruned boolean not null default false;
alter table search add column is_text_pruned boolean not null default false;
create index search_unpruned on search (completed_at) where is_pruned = false;
create index search_text_unpruned on search (completed_at) where is_text_pruned = false;
