-- Events mention players by id alone. Those of earlier builds have names too, which nobody reads: without them the games stay
-- the same, and no name outlives its account. Within a text of JSON a quote stands behind a backslash, so nothing but the
-- names is found.
update event
    set body = regexp_replace(body, ',"name":"([^"\\]|\\.)*"', '', 'g')
    where body like '{"v":1,"type":"created",%' or body like '{"v":1,"type":"started",%';
