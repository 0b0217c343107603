-- Businesses that an account has, by short numbers: the ids of account and search took ten times the room of what they tell.
-- Searches that are deleted take no row along: account by account, everything goes.
drop index owned_business_search;
alter table owned_business rename to owned_business_by_id;
create table owned_business (
    account bigint not null,
    mark    bigint not null,
    search  bigint not null,
    primary key (account, mark, search)
);
insert into owned_business (account, mark, search)
select a.number, o.mark, s.number from owned_business_by_id o
join account_number a on a.account_id = o.account_id join search_number s on s.search_id = o.search_id
order by 1, 2, 3;
drop table owned_business_by_id;

-- Stored leads are packed once more, in the smaller form.
insert into lead_backlog (id, after_lead) select 1, '' where exists (select 1 from lead)
on conflict (id) do update set after_lead = '';
