-- An account may have many searches: those that run are counted without reading the others.
create index search_running on search (account_id) where status = 'running';
