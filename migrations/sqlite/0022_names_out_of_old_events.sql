-- Events mention players by id alone. Those of earlier builds have names too, which nobody reads: without them the games stay
-- the same, and no name outlives its account.
update event
    set body = json_remove(body, '$.creator.name', '$.seats.first.name', '$.seats.second.name')
    where body like '{"v":1,"type":"created",%' or body like '{"v":1,"type":"started",%';
