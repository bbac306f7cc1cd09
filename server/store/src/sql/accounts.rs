//! Accounts and the keys of names, in the transaction of a commit. Their writes are rare, so each has statements of its
//! own.

use std::collections::HashMap;

use game::{
    NoticeSettings, PlayerKind, Zone,
    ids::{PasskeyId, PlayerId, SessionId},
};
use uuid::Uuid;

use super::{Connection, commit::end_sessions, mails, text};
use crate::{
    AccountChange, EndedSessions, FirstCredential, Link, LinkOf, MAILS_KEPT_MS, MAX_SESSIONS, Mail, Notice,
    Passkey, Proof, RecoveryProof, SignIn, TokenHash, UsedPasskey, Write,
    accounts::{Accounts, AskedAccounts, KeptName, MailCounts, NamesPlan, StoredAccount},
    row::{self, AccountRow, DELETED, LinkRow, word},
};

/// Reads the accounts and keys that the writes concern. The rows of the accounts' players are locked, so no other
/// transaction changes them; the keys' constraint refuses a key that another transaction takes meanwhile.
pub(super) async fn read(tx: &mut impl Connection, writes: &[Write]) -> Result<Accounts, sqlx::Error> {
    let asked = AskedAccounts::of(writes);
    if asked.is_nothing() {
        return Ok(Accounts::default());
    }
    let rows: Vec<AccountRow> = tx.rows(text::ACCOUNTS.bind_ids(asked.players.iter().copied())).await?;
    let rows: Vec<(PlayerId, StoredAccount)> =
        rows.into_iter().map(TryFrom::try_from).collect::<Result<_, sqlx::Error>>()?;
    let sessions: Vec<(Uuid, Uuid)> = tx.rows(text::SESSIONS_AMONG.bind_ids(asked.players)).await?;
    let sessions = sessions.into_iter().map(|(player, id)| (PlayerId::new(player), SessionId::new(id)));
    let mut owners: Vec<(String, Option<Uuid>)> = Vec::new();
    if !asked.keys.is_empty() {
        owners = tx.rows(text::KEY_OWNERS.bind(&*serde_json::json!(asked.keys).to_string())).await?;
    }
    let owners = owners.into_iter().map(|(key, player)| (key, player.map(PlayerId::new)));
    let mut links = Vec::new();
    for secret in &asked.links {
        let link: Option<LinkRow> = tx.row(text::LINK.bind(secret.as_bytes())).await?;
        links.extend(link.map(LinkOf::try_from).transpose()?);
    }
    let mut mails = MailCounts::default();
    for ((player, recipient), now_ms) in &asked.mails {
        let since_ms = now_ms - MAILS_KEPT_MS;
        let of_account = text::COUNT_MAILS_OF.bind(player.uuid()).bind(since_ms).bind(row::CONFIRM);
        mails.of_accounts.insert(*player, count(tx.row(of_account).await?));
        if let Some(hash) = recipient {
            let to_address = text::COUNT_MAILS_TO.bind(hash.as_bytes()).bind(since_ms);
            mails.to_addresses.insert(*hash, count(tx.row(to_address).await?));
        }
        mails.waiting = count(tx.row(text::COUNT_WAITING_MAILS.into()).await?);
    }
    let mut passkeys: Vec<(Uuid, Uuid)> = Vec::new();
    for (statement, ids) in
        [(text::PASSKEYS_OF_HOLDERS, asked.holders), (text::PASSKEYS_AMONG, asked.passkeys)]
    {
        if !ids.is_empty() {
            passkeys.extend(tx.rows::<(Uuid, Uuid)>(statement.bind_ids(ids)).await?);
        }
    }
    let passkeys = passkeys.into_iter().map(|(id, player)| (PasskeyId::new(id), PlayerId::new(player)));
    let mut kept_names = HashMap::new();
    if !asked.renamed.is_empty() {
        let named: Vec<(Uuid, String, Option<i64>, Option<i64>)> =
            tx.rows(text::KEPT_NAMES.bind_ids(asked.renamed)).await?;
        let kept = named.into_iter().filter_map(|(player, name, muted_until_ms, hidden_ms)| {
            Some((PlayerId::new(player), KeptName::of(&name, muted_until_ms, hidden_ms)?))
        });
        kept_names.extend(kept);
    }
    Ok(Accounts::of(rows, owners, sessions, links, mails, passkeys, kept_names))
}

/// Returns the number that a statement counted.
pub(super) fn count(row: Option<(i64,)>) -> u32 {
    row.map_or(0, |(count,)| u32::try_from(count).unwrap_or(u32::MAX))
}

pub(super) async fn save(tx: &mut impl Connection, change: &AccountChange) -> Result<(), sqlx::Error> {
    let player = change.player().uuid();
    match change {
        AccountChange::Registered { player: _, session: _, credential, recovery, by } => {
            add_account(tx, player, credential, *recovery, by.now_ms).await?;
        }
        AccountChange::Recovered { proof, password, by: SignIn { device, .. }, .. } => {
            recover(tx, player, proof, password, device).await?;
        }
        AccountChange::PasswordSet { password, device, .. } => {
            let device = device.as_ref().map(TokenHash::as_bytes).unwrap_or_default();
            set_password(tx, player, password, device).await?;
        }
        AccountChange::CodeSet { recovery, .. } => {
            tx.execute(text::SET_CODE.bind(player).bind(recovery.as_bytes())).await?;
        }
        AccountChange::LinkMade { link, .. } => add_link(tx, player, link).await?,
        AccountChange::MailAsked { mail, zone, now_ms, .. } => {
            mails::add(tx, mail, *now_ms).await?;
            learn_language(tx, player, mail, zone.as_ref()).await?;
        }
        AccountChange::NoticesSet { notices, now_ms, .. } => {
            set_notices(tx, player, notices).await?;
            tx.execute(text::NOTE_BY_MAIL.bind(player).bind(*now_ms)).await?;
        }
        AccountChange::Unsubscribed { .. } => drop(tx.execute(text::STOP_TURN_MAILS.bind(player)).await?),
        AccountChange::MailConfirmed { link, notice, now_ms, .. } => {
            notify_owner(tx, player, notice, *now_ms, (row::CHANGED, link.as_bytes())).await?;
            tx.execute(text::CONFIRM_MAIL.bind(player).bind(link.as_bytes())).await?;
            leave_address(tx, player).await?;
            tx.execute(text::NOTE_BY_MAIL.bind(player).bind(*now_ms)).await?;
        }
        AccountChange::MailRemoved { notice, now_ms, .. } => {
            notify_owner(tx, player, notice, *now_ms, (row::CHANGED, &[])).await?;
            tx.execute(text::REMOVE_MAIL.bind(player)).await?;
            leave_address(tx, player).await?;
        }
        AccountChange::MailRecoverySet { recovers, .. } => {
            let set = if *recovers { text::ALLOW_MAIL_RECOVERY } else { text::FORBID_MAIL_RECOVERY };
            tx.execute(set.bind(player)).await?;
            if !recovers {
                void_links(tx, player).await?;
            }
        }
        AccountChange::SignedIn { proof: Proof::Passkey(used), .. }
        | AccountChange::PasskeyUsed { used, .. } => {
            let UsedPasskey { id, body, used_ms } = used;
            tx.execute(text::USE_PASSKEY.bind(id.uuid()).bind(body.as_str()).bind(*used_ms)).await?;
        }
        AccountChange::SignedIn { proof: Proof::Password(_), .. } => {}
        AccountChange::PasskeyAdded { passkey, notice, .. } => {
            add_passkey(tx, player, passkey).await?;
            notify_owner(tx, player, notice, passkey.created_ms, (row::PASSKEY, &[])).await?;
        }
        AccountChange::PasskeyNamed { passkey, label, .. } => {
            tx.execute(text::NAME_PASSKEY.bind(passkey.uuid()).bind(label.as_str())).await?;
        }
        AccountChange::PasskeyRemoved { passkey, .. } => {
            tx.execute(text::REMOVE_PASSKEY.bind(passkey.uuid())).await?;
        }
        AccountChange::Closed { now_ms, .. } => close(tx, player, *now_ms).await?,
    }
    for (player, ended) in change.ended() {
        end_sessions(tx, player, ended).await?;
    }
    match change.sign_in() {
        Some((session, by)) => sign_in(tx, change.player(), session, by).await,
        None => Ok(()),
    }
}

/// Voids all links of an account that has another address: those that stop mails are with the owner of the former one.
async fn leave_address(tx: &mut impl Connection, player: Uuid) -> Result<(), sqlx::Error> {
    tx.execute(text::VOID_UNSUBSCRIPTIONS.bind(player)).await?;
    void_links(tx, player).await
}

async fn close(tx: &mut impl Connection, player: Uuid, now_ms: i64) -> Result<(), sqlx::Error> {
    tx.execute(text::CLOSE_ACCOUNT.bind(player).bind(now_ms)).await?;
    tx.execute(text::SET_KIND.bind(player).bind(DELETED)).await?;
    tx.execute(text::WITHDRAW_SEEKS.bind(player)).await?;
    void_links(tx, player).await
}

/// Notes the language and the zone of the page from which a mail was asked for.
async fn learn_language(
    tx: &mut impl Connection,
    player: Uuid,
    mail: &Mail,
    zone: Option<&Zone>,
) -> Result<(), sqlx::Error> {
    let told = text::SET_LANGUAGE.bind(player).bind(mail.language.as_str());
    tx.execute(told.bind(zone.map(Zone::as_str))).await.map(drop)
}

/// Sets what an account is told when it is away.
async fn set_notices(
    tx: &mut impl Connection,
    player: Uuid,
    NoticeSettings { turn_mails, hour, quiet, zone, language }: &NoticeSettings,
) -> Result<(), sqlx::Error> {
    let set = text::SET_NOTICES.bind(player).bind(word(*turn_mails).as_str()).bind(i64::from(hour.get()));
    let set = set.bind(i64::from(quiet.from.get())).bind(i64::from(quiet.to.get()));
    tx.execute(set.bind(zone.as_str()).bind(word(*language).as_str())).await.map(drop)
}

/// Makes an account of a guest.
async fn add_account(
    tx: &mut impl Connection,
    player: Uuid,
    credential: &FirstCredential,
    recovery: TokenHash,
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    let password = match credential {
        FirstCredential::Password(password) => Some(password.as_str()),
        FirstCredential::Passkey(passkey) => {
            add_passkey(tx, player, passkey).await?;
            None
        }
    };
    let account = text::ADD_ACCOUNT.bind(player).bind(password).bind(recovery.as_bytes());
    tx.execute(account.bind(now_ms)).await?;
    tx.execute(text::SET_KIND.bind(player).bind(word(PlayerKind::Account).as_str())).await.map(drop)
}

/// Gives an account a password, and takes from it what an intruder may have added.
async fn recover(
    tx: &mut impl Connection,
    player: Uuid,
    proof: &RecoveryProof,
    password: &str,
    device: &TokenHash,
) -> Result<(), sqlx::Error> {
    match proof {
        RecoveryProof::Code(_) => tx.execute(text::FORBID_MAIL_RECOVERY.bind(player)).await?,
        RecoveryProof::Link(link) => {
            tx.execute(text::RECOVER_BY_LINK.bind(player).bind(link.as_bytes())).await?
        }
    };
    set_password(tx, player, password, device.as_bytes()).await?;
    tx.execute(text::REMOVE_PASSKEYS.bind(player)).await.map(drop)
}

/// Voids the links of an account, and the mails that would bring one. The mails come first: one that is being tried has its link
/// by then.
pub(super) async fn void_links(tx: &mut impl Connection, player: Uuid) -> Result<(), sqlx::Error> {
    tx.execute(text::VOID_MAILS.bind(player)).await?;
    tx.execute(text::VOID_LINKS.bind(player)).await.map(drop)
}

pub(super) async fn add_link(tx: &mut impl Connection, player: Uuid, link: &Link) -> Result<(), sqlx::Error> {
    let (purpose, body) = row::purpose(&link.purpose);
    let added = text::ADD_LINK.bind(link.secret.as_bytes()).bind(player).bind(purpose).bind(body);
    tx.execute(added.bind(link.expires_ms)).await.map(drop)
}

/// Adds a mail for a purpose to the address of an account, unless the link confirms that one.
async fn notify_owner(
    tx: &mut impl Connection,
    player: Uuid,
    Notice { id, language }: &Notice,
    now_ms: i64,
    (purpose, link): (&str, &[u8]),
) -> Result<(), sqlx::Error> {
    let notice = text::NOTIFY_OWNER.bind(player).bind(*id).bind(now_ms).bind(language.as_str());
    tx.execute(notice.bind(link).bind(purpose)).await.map(drop)
}

async fn add_passkey(tx: &mut impl Connection, player: Uuid, passkey: &Passkey) -> Result<(), sqlx::Error> {
    let Passkey { id, host, body, label, created_ms, used_ms } = passkey;
    let added = text::ADD_PASSKEY.bind(id.uuid()).bind(player).bind(host.as_str()).bind(body.as_str());
    tx.execute(added.bind(label.as_deref()).bind(*created_ms).bind(*used_ms)).await.map(drop)
}

/// Sets a password. Devices other than the one that sets it are forgotten, and all links are void.
async fn set_password(
    tx: &mut impl Connection,
    player: Uuid,
    password: &str,
    device: &[u8],
) -> Result<(), sqlx::Error> {
    tx.execute(text::SET_PASSWORD.bind(player).bind(password)).await?;
    void_links(tx, player).await?;
    tx.execute(text::FORGET_OTHER_DEVICES.bind(player).bind(device)).await.map(drop)
}

/// Opens a session, in the place of the one with its id, and records its device. Of both the last used ones are kept.
async fn sign_in(
    tx: &mut impl Connection,
    player: PlayerId,
    session: SessionId,
    by: &SignIn,
) -> Result<(), sqlx::Error> {
    end_sessions(tx, player, EndedSessions::One(session)).await?;
    if by.reopens {
        tx.execute(text::REOPEN_ACCOUNT.bind(player.uuid())).await?;
        tx.execute(text::SET_KIND.bind(player.uuid()).bind(word(PlayerKind::Account).as_str())).await?;
    }
    let opened = text::OPEN_SESSION.bind(by.token.as_bytes()).bind(player.uuid()).bind(session.uuid());
    tx.execute(opened.bind(by.label.as_deref()).bind(by.now_ms)).await?;
    tx.execute(text::TRIM_SESSIONS.bind(player.uuid()).bind(MAX_SESSIONS)).await?;
    let device = text::KNOW_DEVICE.bind(player.uuid()).bind(by.device.as_bytes());
    tx.execute(device.bind(by.device_until_ms)).await?;
    tx.execute(text::TRIM_DEVICES.bind(player.uuid()).bind(MAX_SESSIONS)).await.map(drop)
}

/// Writes the keys and former names of accounts, which exist by now. Keys are taken in order, so two nodes that take the
/// same ones do not deadlock.
pub(super) async fn save_names(tx: &mut impl Connection, names: &NamesPlan) -> Result<(), sqlx::Error> {
    for (key, player) in &names.keys {
        tx.execute(text::TAKE_KEY.bind(key.as_str()).bind(player.uuid())).await?;
    }
    for (player, former_names) in &names.former_names {
        let former_names = serde_json::json!(former_names).to_string();
        tx.execute(text::SET_FORMER_NAMES.bind(player.uuid()).bind(former_names.as_str())).await?;
    }
    Ok(())
}
