-- Leads are delivered as their websites are read; the rank of its listing says where a lead belongs in its search.
alter table lead add column rank bigint;
update lead set rank = number;
create index lead_rank on lead (search_id, rank);
-- A version that knows no ranks may still deliver beside this one: in the order of its listings.
create trigger lead_rank_by_number after insert on lead when new.rank is null
begin update lead set rank = number where id = new.id; end;

-- What a search looks for, resolved when it starts: category, area, source and the version of the source's data, as JSON.
-- Nothing: it was started by a version that resolved the words anew each time.
alter table search add column resolved text;
-- Where the source goes on, in the source's own words. Nothing: at its beginning.
alter table search add column cursor text;
-- Listings taken from the source so far: the rank of the last one. Every listing up to `position` is settled.
alter table search add column listed bigint not null default 0;
update search set listed = position;

-- Listings that a running search has taken from its source, in the batches in which they were stored. Gone when it ends.
create table search_page (
    search_id  text not null references search (id),
    first_rank bigint not null,
    -- For each listing in order, as JSON: its dedup keys, and either why it was left out or the listing itself.
    entries    text not null,
    primary key (search_id, first_rank)
) without rowid;

-- Listings of a running search that were left out after their website was read. Gone when it ends.
create table search_rejection (
    search_id text not null references search (id),
    rank      bigint not null,
    reason    text not null,
    -- What became of the website: read, unreachable or none.
    site      text not null,
    primary key (search_id, rank)
) without rowid;
