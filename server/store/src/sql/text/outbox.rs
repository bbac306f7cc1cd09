//! Messages to players by mail and push.

use crate::sql::Sql;

/// Notes what is to be told to players; `$noted` selects the notes.
macro_rules! note {
    ($noted:literal) => {
        concat!(
            "with noted (place, player, purpose, at_ms, due_ms) as materialized (",
            $noted,
            ")
             insert into outbox (player, channel, purpose, since_ms, due_ms, changed_ms)
             select player, channel, purpose, at_ms, due_ms, at_ms from (
                select noted.place, noted.player, 'mail' as channel, noted.purpose, noted.at_ms, noted.due_ms
                from noted join account on account.player = noted.player
                where account.mail is not null and account.turn_mails <> 'off' and account.closed_ms is null
                union all
                select place, player, 'push', purpose, at_ms, due_ms from noted
                where exists (select 1 from push where push.player = noted.player)
             ) as told
             where true
             order by place, channel
             on conflict (player, channel, purpose) do update set
                due_ms = case when excluded.due_ms < outbox.due_ms then excluded.due_ms else outbox.due_ms end,
                changed_ms = case
                    when excluded.changed_ms > outbox.changed_ms then excluded.changed_ms
                    else outbox.changed_ms + 1
                end"
        )
    };
}

/// Notes for the player of the session `$1` that the time for turns may come to its end after `$2`: turns that are due before a
/// browser subscribes are told of too.
pub(crate) const NOTE_TO_BROWSERS: Sql = Sql::same(
    "insert into outbox (player, channel, purpose, since_ms, due_ms, changed_ms)
     select player, 'push', 'deadline', $2, $2, $2 from session where token_hash = $1
     on conflict (player, channel, purpose) do nothing",
);

/// Notes at `$2` for the player of the account `$1` that the time for turns may come to its end, if mails tell of it: turns that
/// are due before the account has an address, or turns mails on, are told of too.
pub(crate) const NOTE_BY_MAIL: Sql = Sql::same(
    "insert into outbox (player, channel, purpose, since_ms, due_ms, changed_ms)
     select player, 'mail', 'deadline', $2, $2, $2 from account
     where player = $1 and mail is not null and turn_mails <> 'off' and closed_ms is null
     on conflict (player, channel, purpose) do nothing",
);

/// Notes what is to be told to players, by each channel that reaches them, in the order of the notes. `$1` is a JSON array of
/// notes: the player, the purpose, the time of what is noted, and when it is due. A message that is due earlier stays so.
pub(crate) const NOTE: Sql = Sql {
    sqlite: note!("select key, unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3 from json_each($1)"),
    postgres: note!(
        "select place, (note ->> 0)::uuid, note ->> 1, (note ->> 2)::bigint, (note ->> 3)::bigint
         from jsonb_array_elements($1::jsonb) with ordinality as notes (note, place)"
    ),
};

/// The columns of a [`MessageRow`](crate::row::MessageRow), of at most `$3` messages by the channel `$1` that are due at `$2`,
/// the longest due first. Those that only a newer program sends are left to it.
pub(crate) const DUE_MESSAGES: Sql = Sql::same(
    "select player, channel, purpose, since_ms, changed_ms, attempts from outbox
     where channel = $1 and due_ms <= $2 and purpose in ('turns', 'deadline') order by due_ms limit $3",
);

/// The columns of a [`MessageRow`](crate::row::MessageRow), of the messages to the player `$1`.
pub(crate) const MESSAGES_OF: Sql = Sql::same(
    "select player, channel, purpose, since_ms, changed_ms, attempts from outbox
     where player = $1 order by channel, purpose",
);

/// Notes at `$4` an attempt to send the message `$1` to `$3`, if it is due. It is due again at `$5`.
pub(crate) const TRY_MESSAGE: Sql = Sql::same(
    "update outbox set due_ms = $5, attempts = attempts + 1
     where player = $1 and channel = $2 and purpose = $3 and due_ms <= $4",
);

/// Postpones the message `$1` to `$3` until `$5`, unless it has changed since `$4`.
pub(crate) const POSTPONE_MESSAGE: Sql = Sql::same(
    "update outbox set due_ms = $5
     where player = $1 and channel = $2 and purpose = $3 and changed_ms = $4",
);

/// Deletes the message `$1` to `$3`, unless it has changed since `$4`.
pub(crate) const END_MESSAGE: Sql =
    Sql::same("delete from outbox where player = $1 and channel = $2 and purpose = $3 and changed_ms = $4");

/// Begins another message in the place of the one `$1` to `$3`, with what comes after `$5` and due at `$6`, unless it has changed
/// since `$4`.
pub(crate) const RENEW_MESSAGE: Sql = Sql::same(
    "update outbox set since_ms = $5, due_ms = $6, changed_ms = changed_ms + 1, attempts = 0
     where player = $1 and channel = $2 and purpose = $3 and changed_ms = $4",
);

/// Keeps the message `$1` to `$3` for what comes after `$4`.
pub(crate) const KEEP_MESSAGE: Sql = Sql::same(
    "update outbox set since_ms = $4, due_ms = $4, attempts = 0
     where player = $1 and channel = $2 and purpose = $3",
);

/// Counts a mail `$1` to the owner of the account `$2`, for the purpose `$3`, as tried at `$4`.
pub(crate) const COUNT_NOTICE_MAIL: Sql = Sql::same(
    "insert into mail (id, player, purpose, language, created_ms, tried_ms, attempts)
     values ($1, $2, $3, '', $4, $4, 1)",
);

/// The time of the last mail to the owner of the account `$1` for the purpose `$3` that was asked for after `$2`.
pub(crate) const LAST_MAIL_OF: Sql =
    Sql::same("select max(tried_ms) from mail where player = $1 and created_ms > $2 and purpose = $3");

/// The number of mails that were tried after `$1` and are no answers to a request.
pub(crate) const COUNT_TRIED_NOTICES: Sql =
    Sql::same("select count(*) from mail where tried_ms > $1 and purpose in ('turns', 'deadline')");
