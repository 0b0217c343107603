-- Every table of jobs has the same columns for its lease and for the time from which a row is due.
alter table outbox add column lease_owner text;
alter table enrichment add column try_at bigint not null default 0;
create index enrichment_try on enrichment (try_at) where status = 'running';

-- The bell: processes that listen hear, as a transaction commits, which search moved and which table has work. One channel
-- for each schema; the same words twice in one transaction are sent once.
create function ring_work() returns trigger language plpgsql as $$
begin
    perform pg_notify('canvass_' || md5(tg_table_schema), 'work ' || tg_table_name);
    return null;
end $$;
create function ring_search() returns trigger language plpgsql as $$
begin
    perform pg_notify('canvass_' || md5(tg_table_schema), 'search ' || new.id);
    return null;
end $$;
create function ring_search_of() returns trigger language plpgsql as $$
begin
    perform pg_notify('canvass_' || md5(tg_table_schema), 'search ' || new.search_id);
    return null;
end $$;

create trigger search_moved after update of revision on search for each row
    when (old.revision is distinct from new.revision) execute function ring_search();
create trigger search_started after insert on search for each row execute function ring_work();
create trigger search_handed_back after update of lease_until on search for each row
    when (new.lease_until = 0 and old.lease_until <> 0 and new.status = 'running') execute function ring_work();
create trigger enrichment_ended after update of status on enrichment for each row
    when (old.status is distinct from new.status) execute function ring_search_of();
create trigger enrichment_started after insert on enrichment for each row execute function ring_work();
create trigger enrichment_handed_back after update of lease_until on enrichment for each row
    when (new.lease_until = 0 and old.lease_until <> 0 and new.status = 'running') execute function ring_work();
create trigger outbox_added after insert on outbox for each row execute function ring_work();
create trigger watch_added after insert on watch for each row
    when (new.next_check_at <= new.created_at) execute function ring_work();
create trigger watch_handed_back after update of lease_until on watch for each row
    when (new.lease_until = 0 and old.lease_until <> 0 and new.checks = old.checks) execute function ring_work();
