-- Leads and their words take less room.

-- Since this version the lead with its score, and what is kept of its website, are packed; the columns of text are empty then.
alter table lead add column document bytea;
alter table lead add column site bytea;
-- Compressing them once more would be for nothing.
alter table lead alter column document set storage external;
alter table lead alter column site set storage external;

-- Short numbers for accounts and searches, because a lead has many words.
create table account_number (
    number     bigint generated always as identity primary key,
    account_id text not null unique references account (id)
);
insert into account_number (account_id) select id from account order by id;
create function account_numbered() returns trigger language plpgsql as
$$ begin insert into account_number (account_id) values (new.id); return null; end $$;
create trigger account_numbered after insert on account for each row execute function account_numbered();

create table search_number (
    number    bigint generated always as identity primary key,
    search_id text not null unique references search (id)
);
insert into search_number (search_id) select id from search order by id;
create function search_numbered() returns trigger language plpgsql as
$$ begin insert into search_number (search_id) values (new.id); return null; end $$;
create trigger search_numbered after insert on search for each row execute function search_numbered();

-- Each word of each lead, which is named by its search and its number there. A word begins with what was typed: a range of the key.
drop table lead_word;
create table lead_word (
    account bigint not null,
    -- By bytes, whatever the language of the database is: ranges depend on it.
    word    text collate "C" not null,
    search  bigint not null,
    number  bigint not null,
    primary key (account, word, search, number)
);

-- How far the leads of earlier versions are packed and have their words; gone once they all are.
drop table lead_word_backlog;
create table lead_backlog (
    id         bigint primary key check (id = 1),
    after_lead text not null
);
insert into lead_backlog (id, after_lead) select 1, '' where exists (select 1 from lead);
