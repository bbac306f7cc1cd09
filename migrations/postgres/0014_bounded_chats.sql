-- Of each chat the last 200 lines are kept: each new line deletes the oldest ones.
delete from chat where id in (
    select id from (
        select id, row_number() over (partition by game, audience order by id desc) as place from chat
    ) as placed
    where place > 200
);
