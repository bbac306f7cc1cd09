//! Planning of the writes about names and accounts, the counterpart of [`plan`](super::plan) for games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use game::{
    MailAddress, Player,
    ids::{PasskeyId, PlayerId, PlayerName, SessionId},
};
use uuid::Uuid;

use super::{
    AccountChange, EndedSessions, FirstCredential, LinkOf, MAILS_A_DAY, MAILS_A_DAY_TO_ADDRESS,
    MAX_FORMER_NAMES, MAX_MAILS_WAITING, MAX_PASSKEYS, Mail, NEUTRAL_NAME_KEPT_MS, Passkey, Proof,
    RecoveryProof, Refused, SessionChange, SignIn, TokenHash, Write,
};

/// State of the accounts and keys of names that the writes concern. It must not change until the writes are done, except
/// that another node may take a key: then the key's insertion fails.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    rows: HashMap<PlayerId, StoredAccount>,
    /// The account of each taken key; `None` if that account is gone.
    owners: HashMap<String, Option<PlayerId>>,
    /// The sessions of the players.
    sessions: BTreeSet<(PlayerId, SessionId)>,
    links: Vec<LinkOf>,
    mails: MailCounts,
    /// The owners of the passkeys.
    passkeys: BTreeMap<PasskeyId, PlayerId>,
    /// The players whom moderators keep from taking another name.
    kept_names: HashMap<PlayerId, KeptName>,
}

/// A name that its player keeps, since a moderator has muted the player or hidden a former name.
#[derive(Clone, Debug)]
pub(super) struct KeptName {
    pub(super) name: String,
    /// Milliseconds since 1970.
    pub(super) until_ms: i64,
}

impl KeptName {
    /// Returns a player's name as kept; `None` if the player was neither muted nor had a name hidden.
    pub(super) fn of(name: &str, muted_until_ms: Option<i64>, hidden_ms: Option<i64>) -> Option<Self> {
        let until_ms = muted_until_ms.max(hidden_ms.map(|hidden_ms| hidden_ms + NEUTRAL_NAME_KEPT_MS))?;
        Some(Self { name: name.to_owned(), until_ms })
    }
}

/// Numbers of mails that limits depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct MailCounts {
    /// Mails with links that were asked for by accounts in the last day.
    pub(super) of_accounts: HashMap<PlayerId, u32>,
    /// Mails in the last day that ask the owner of an address to confirm it, by its [hash](Mail::confirming).
    pub(super) to_addresses: HashMap<TokenHash, u32>,
    pub(super) waiting: u32,
}

/// Stored state of one account.
#[derive(Clone, Debug)]
pub(super) struct StoredAccount {
    pub(super) name: PlayerName,
    pub(super) former_names: Vec<PlayerName>,
    pub(super) password: Option<String>,
    pub(super) recovery: Option<TokenHash>,
    pub(super) mail: Option<MailAddress>,
    pub(super) is_closed: bool,
    /// Whether a moderator has closed it.
    pub(super) is_barred: bool,
}

impl Accounts {
    pub(super) fn of(
        rows: impl IntoIterator<Item = (PlayerId, StoredAccount)>,
        owners: impl IntoIterator<Item = (String, Option<PlayerId>)>,
        sessions: impl IntoIterator<Item = (PlayerId, SessionId)>,
        links: Vec<LinkOf>,
        mails: MailCounts,
        passkeys: impl IntoIterator<Item = (PasskeyId, PlayerId)>,
        kept_names: HashMap<PlayerId, KeptName>,
    ) -> Self {
        Self {
            rows: rows.into_iter().collect(),
            owners: owners.into_iter().collect(),
            sessions: sessions.into_iter().collect(),
            links,
            mails,
            passkeys: passkeys.into_iter().collect(),
            kept_names,
        }
    }

    /// Takes note that sessions of a player end.
    pub(super) fn end_sessions(&mut self, player: PlayerId, ended: EndedSessions) {
        self.sessions.retain(|(of, session)| *of != player || !ended.include(*session));
    }

    /// Verifies that a proof lets its holder set the password of an account.
    fn must_be_proved(&self, player: PlayerId, proof: RecoveryProof, now_ms: i64) -> Result<(), Refused> {
        match proof {
            RecoveryProof::Code(code) => {
                let account = self.rows.get(&player);
                let is_right = account.is_some_and(|account| account.recovery == Some(code));
                if is_right { Ok(()) } else { Err(Refused::WrongCredentials) }
            }
            RecoveryProof::Link(secret) => {
                let is_right =
                    |of: &LinkOf| of.player.id == player && of.link.secret == secret && of.recovers(now_ms);
                if self.links.iter().any(is_right) { Ok(()) } else { Err(Refused::NoLink) }
            }
        }
    }

    /// Gives an account the mail address that a link confirms. Returns whether it is another one than before.
    fn confirm_mail(&mut self, player: PlayerId, secret: TokenHash, now_ms: i64) -> Result<bool, Refused> {
        let mut of_player = self.links.iter().filter(|of| of.player.id == player && of.link.secret == secret);
        let address = of_player.find_map(|of| of.confirms(now_ms)).ok_or(Refused::NoLink)?;
        let account = self.rows.get_mut(&player).ok_or(Refused::UnknownPlayer)?;
        let before = account.mail.replace(address.clone());
        let is_other = before.is_none_or(|before| !before.is_same_as(address));
        self.links.retain(|of| of.player.id != player);
        Ok(is_other)
    }

    /// Takes the mail address from an account, whose links end. Returns whether it had one.
    fn remove_mail(&mut self, player: PlayerId) -> Result<bool, Refused> {
        let account = self.rows.get_mut(&player).ok_or(Refused::UnknownPlayer)?;
        self.links.retain(|of| of.player.id != player);
        Ok(account.mail.take().is_some())
    }

    /// Verifies that a link stops the mails to an account.
    fn must_unsubscribe(&self, player: PlayerId, secret: TokenHash, now_ms: i64) -> Result<(), Refused> {
        let is_right =
            |of: &LinkOf| of.player.id == player && of.link.secret == secret && of.unsubscribes(now_ms);
        if self.links.iter().any(is_right) { Ok(()) } else { Err(Refused::NoLink) }
    }

    /// Decides whether a browser with the right credentials may sign in.
    fn sign_in(&mut self, player: PlayerId, by: &SignIn) -> Result<(), Refused> {
        let account = self.rows.get_mut(&player).ok_or(Refused::WrongCredentials)?;
        if account.is_barred {
            return Err(Refused::AccountBarred);
        }
        if account.is_closed && !by.reopens {
            return Err(Refused::AccountClosed);
        }
        account.is_closed = false;
        Ok(())
    }

    /// Verifies that a player has an account.
    fn must_have(&self, player: PlayerId) -> Result<(), Refused> {
        self.rows.get(&player).map(drop).ok_or(Refused::UnknownPlayer)
    }

    /// Sets the password of an account, whose links end.
    fn set_password(&mut self, player: PlayerId, password: &str, unknown: Refused) -> Result<(), Refused> {
        let account = self.rows.get_mut(&player).ok_or(unknown)?;
        account.password = Some(password.to_owned());
        self.links.retain(|of| of.player.id != player);
        Ok(())
    }

    /// Decides whether a proof lets a browser sign in and set the password of an account, which loses its passkeys.
    fn recover(
        &mut self,
        player: PlayerId,
        proof: RecoveryProof,
        password: &str,
        by: &SignIn,
    ) -> Result<(), Refused> {
        self.must_be_proved(player, proof, by.now_ms)?;
        self.sign_in(player, by)?;
        self.set_password(player, password, Refused::WrongCredentials)?;
        if let (RecoveryProof::Link(_), Some(account)) = (proof, self.rows.get_mut(&player)) {
            account.recovery = None;
        }
        self.passkeys.retain(|_, owner| *owner != player);
        Ok(())
    }

    /// Verifies that a player has a passkey.
    fn must_own(&self, player: PlayerId, passkey: PasskeyId, otherwise: Refused) -> Result<(), Refused> {
        if self.passkeys.get(&passkey) == Some(&player) { Ok(()) } else { Err(otherwise) }
    }

    /// Number of passkeys of a player.
    fn n_passkeys(&self, player: PlayerId) -> usize {
        self.passkeys.values().filter(|owner| **owner == player).count()
    }

    /// Gives a player a passkey that nobody has.
    fn add_passkey(&mut self, player: PlayerId, passkey: &Passkey) -> Result<(), Refused> {
        if self.passkeys.contains_key(&passkey.id) {
            return Err(Refused::PasskeyTaken);
        }
        if self.n_passkeys(player) >= MAX_PASSKEYS {
            return Err(Refused::TooManyPasskeys);
        }
        self.passkeys.insert(passkey.id, player);
        Ok(())
    }

    /// Takes a passkey from a player, who keeps another one or a password.
    fn remove_passkey(&mut self, player: PlayerId, passkey: PasskeyId) -> Result<(), Refused> {
        self.must_own(player, passkey, Refused::NoPasskey)?;
        let has_password = self.rows.get(&player).is_some_and(|account| account.password.is_some());
        if !has_password && self.n_passkeys(player) == 1 {
            return Err(Refused::LastCredential);
        }
        self.passkeys.remove(&passkey);
        Ok(())
    }

    /// Verifies that what proved an account still does.
    fn must_prove(&self, player: PlayerId, proof: &Proof) -> Result<(), Refused> {
        match proof {
            Proof::Password(password) => {
                let account = self.rows.get(&player).ok_or(Refused::WrongCredentials)?;
                if account.password.as_ref() == Some(password) {
                    Ok(())
                } else {
                    Err(Refused::WrongCredentials)
                }
            }
            Proof::Passkey(used) => self.must_own(player, used.id, Refused::WrongCredentials),
        }
    }

    /// Verifies that no moderator keeps a player from taking a name.
    fn must_be_free(&self, player: PlayerId, name: &PlayerName, now_ms: i64) -> Result<(), Refused> {
        match self.kept_names.get(&player) {
            Some(KeptName { name: kept, until_ms }) if *until_ms > now_ms && kept != name.as_str() => {
                Err(Refused::KeepsName { until_ms: *until_ms })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the keys of a name that nobody has. It is refused if a player other than this one has another.
    fn free_keys(&self, player: PlayerId, name: &PlayerName) -> Result<Vec<String>, Refused> {
        let keys = name.keys();
        let is_others = |key: &String| self.owners.get(key).is_some_and(|owner| *owner != Some(player));
        if keys.iter().any(is_others) {
            return Err(Refused::NameTaken);
        }
        Ok(keys.into_iter().filter(|key| !self.owners.contains_key(key)).collect())
    }
}

impl MailCounts {
    /// Counts a mail with a link to the owner of an account.
    fn count(&mut self, player: PlayerId, mail: &Mail) -> Result<(), Refused> {
        let n_mails = self.of_accounts.entry(player).or_default();
        let to_address = mail.confirming();
        let n_to_address =
            to_address.and_then(|hash| self.to_addresses.get(&hash)).copied().unwrap_or_default();
        if *n_mails >= MAILS_A_DAY || n_to_address >= MAILS_A_DAY_TO_ADDRESS {
            return Err(Refused::TooManyMails);
        }
        if self.waiting >= MAX_MAILS_WAITING {
            return Err(Refused::MailsWait);
        }
        *n_mails += 1;
        self.to_addresses.extend(to_address.map(|hash| (hash, n_to_address + 1)));
        self.waiting += 1;
        Ok(())
    }
}

/// A write about sessions.
#[derive(Debug)]
pub(super) enum SessionWrite<'w> {
    Session(SessionChange),
    Account(&'w AccountChange),
}

/// Changes to write about the names of accounts.
#[derive(Debug, Default)]
pub(super) struct NamesPlan {
    /// Keys to be taken, and by whom.
    pub(super) keys: BTreeMap<String, PlayerId>,
    /// The new lists of former names.
    pub(super) former_names: BTreeMap<PlayerId, Vec<PlayerName>>,
}

impl NamesPlan {
    /// Plans the new name of a guest or of an account. A guest takes no key.
    pub(super) fn rename(
        &mut self,
        player: PlayerId,
        name: &PlayerName,
        now_ms: i64,
        accounts: &mut Accounts,
    ) -> Result<(), Refused> {
        accounts.must_be_free(player, name, now_ms)?;
        let keys = accounts.free_keys(player, name)?;
        let Some(account) = accounts.rows.get_mut(&player) else { return Ok(()) };
        if account.is_closed {
            return Err(Refused::NoSession);
        }
        let mut former_names = account.former_names.clone();
        former_names.push(account.name.clone());
        former_names.retain(|former| former != name);
        if former_names.len() > MAX_FORMER_NAMES {
            return Err(Refused::TooManyNames);
        }
        account.name = name.clone();
        account.former_names.clone_from(&former_names);
        self.former_names.insert(player, former_names);
        self.take_keys(player, keys, accounts);
        Ok(())
    }

    /// Plans a change of an account, whose player exists. Returns whether the account is another one by it: the mail address that it
    /// has makes it none.
    pub(super) fn change(
        &mut self,
        change: &AccountChange,
        accounts: &mut Accounts,
    ) -> Result<bool, Refused> {
        let mut is_change = true;
        let by = change.session().map(|session| (change.player(), session));
        if by.is_some_and(|by| !accounts.sessions.contains(&by)) {
            return Err(Refused::NoSession);
        }
        match change {
            AccountChange::Registered { player, credential, recovery, by, .. } => {
                accounts.must_be_free(player.id, &player.name, by.now_ms)?;
                self.register(player, credential, *recovery, accounts)?;
            }
            AccountChange::SignedIn { player, proof, by, .. } => {
                accounts.must_prove(*player, proof)?;
                accounts.sign_in(*player, by)?;
            }
            AccountChange::Recovered { player, proof, password, by, .. } => {
                accounts.recover(*player, *proof, password, by)?;
            }
            AccountChange::PasswordSet { player, password, .. } => {
                accounts.set_password(*player, password, Refused::UnknownPlayer)?;
            }
            AccountChange::CodeSet { player, recovery, .. } => {
                let account = accounts.rows.get_mut(player).ok_or(Refused::UnknownPlayer)?;
                account.recovery = Some(*recovery);
            }
            AccountChange::LinkMade { player, .. }
            | AccountChange::NoticesSet { player, .. }
            | AccountChange::MailRecoverySet { player, recovers: true, .. } => accounts.must_have(*player)?,
            AccountChange::MailAsked { player, mail, .. } => {
                accounts.must_have(*player)?;
                accounts.mails.count(*player, mail)?;
            }
            AccountChange::MailConfirmed { player, link, now_ms, .. } => {
                is_change = accounts.confirm_mail(*player, *link, *now_ms)?;
            }
            AccountChange::Unsubscribed { player, link, now_ms } => {
                accounts.must_unsubscribe(*player, *link, *now_ms)?;
            }
            AccountChange::MailRemoved { player, .. } => is_change = accounts.remove_mail(*player)?,
            AccountChange::MailRecoverySet { player, recovers: false, .. } => {
                accounts.must_have(*player)?;
                accounts.links.retain(|of| of.player.id != *player);
            }
            AccountChange::PasskeyUsed { player, used, .. } => {
                accounts.must_own(*player, used.id, Refused::WrongCredentials)?;
            }
            AccountChange::PasskeyAdded { player, passkey, .. } => {
                accounts.must_have(*player)?;
                accounts.add_passkey(*player, passkey)?;
            }
            AccountChange::PasskeyNamed { player, passkey: id, .. } => {
                accounts.must_own(*player, *id, Refused::NoPasskey)?;
            }
            AccountChange::PasskeyRemoved { player, passkey: id, .. } => {
                accounts.remove_passkey(*player, *id)?;
            }
            AccountChange::Closed { player, .. } => {
                let account = accounts.rows.get_mut(player).ok_or(Refused::UnknownPlayer)?;
                account.is_closed = true;
                accounts.links.retain(|of| of.player.id != *player);
            }
        }
        for (player, ended) in change.ended() {
            accounts.end_sessions(player, ended);
        }
        if let Some((session, _)) = change.sign_in() {
            accounts.sessions.insert((change.player(), session));
        }
        Ok(is_change)
    }

    /// Plans the account of a guest.
    fn register(
        &mut self,
        player: &Player,
        credential: &FirstCredential,
        recovery: TokenHash,
        accounts: &mut Accounts,
    ) -> Result<(), Refused> {
        if accounts.rows.contains_key(&player.id) {
            return Err(Refused::HasAccount);
        }
        let keys = accounts.free_keys(player.id, &player.name)?;
        let password = match credential {
            FirstCredential::Password(password) => Some(password.clone()),
            FirstCredential::Passkey(passkey) => {
                accounts.add_passkey(player.id, passkey)?;
                None
            }
        };
        let (name, former_names, recovery) = (player.name.clone(), Vec::new(), Some(recovery));
        accounts.rows.insert(
            player.id,
            StoredAccount {
                name,
                former_names,
                password,
                recovery,
                mail: None,
                is_closed: false,
                is_barred: false,
            },
        );
        self.take_keys(player.id, keys, accounts);
        Ok(())
    }

    fn take_keys(&mut self, player: PlayerId, keys: Vec<String>, accounts: &mut Accounts) {
        accounts.owners.extend(keys.iter().map(|key| (key.clone(), Some(player))));
        self.keys.extend(keys.into_iter().map(|key| (key, player)));
    }
}

/// The accounts and keys whose state the writes depend on.
#[derive(Debug, Default)]
pub(super) struct AskedAccounts {
    pub(super) players: BTreeSet<Uuid>,
    pub(super) keys: BTreeSet<String>,
    pub(super) links: BTreeSet<TokenHash>,
    /// Accounts that ask for mails, with the [hashes](Mail::confirming) of the addresses, and when, in milliseconds since 1970.
    pub(super) mails: BTreeMap<(PlayerId, Option<TokenHash>), i64>,
    /// Of the players, those who take a name.
    pub(super) renamed: BTreeSet<Uuid>,
    /// Of the players, those whose passkeys count.
    pub(super) holders: BTreeSet<Uuid>,
    /// Passkeys to be added.
    pub(super) passkeys: BTreeSet<Uuid>,
}

impl AskedAccounts {
    pub(super) fn of(writes: &[Write]) -> Self {
        let mut asked = Self::default();
        for write in writes {
            match write {
                Write::Rename { player, name, .. } => {
                    asked.players.insert(player.uuid());
                    asked.renamed.insert(player.uuid());
                    asked.keys.extend(name.keys());
                }
                Write::Account(change) => {
                    asked.players.insert(change.player().uuid());
                    match &**change {
                        AccountChange::Registered { player, .. } => {
                            asked.renamed.insert(player.id.uuid());
                            asked.keys.extend(player.name.keys());
                        }
                        AccountChange::Recovered { proof: RecoveryProof::Link(secret), .. }
                        | AccountChange::MailConfirmed { link: secret, .. }
                        | AccountChange::Unsubscribed { link: secret, .. } => {
                            asked.links.insert(*secret);
                        }
                        AccountChange::MailAsked { player, mail, now_ms, .. } => {
                            asked.mails.insert((*player, mail.confirming()), *now_ms);
                        }
                        AccountChange::Recovered { proof: RecoveryProof::Code(_), .. }
                        | AccountChange::SignedIn { .. }
                        | AccountChange::PasswordSet { .. }
                        | AccountChange::CodeSet { .. }
                        | AccountChange::LinkMade { .. }
                        | AccountChange::Closed { .. }
                        | AccountChange::MailRemoved { .. }
                        | AccountChange::MailRecoverySet { .. }
                        | AccountChange::NoticesSet { .. }
                        | AccountChange::PasskeyUsed { .. }
                        | AccountChange::PasskeyAdded { .. }
                        | AccountChange::PasskeyNamed { .. }
                        | AccountChange::PasskeyRemoved { .. } => {}
                    }
                    asked.holders.extend(change.needs_passkeys().then(|| change.player().uuid()));
                    asked.passkeys.extend(change.new_passkey().map(|passkey| passkey.id.uuid()));
                }
                Write::Append(_)
                | Write::Draft(_)
                | Write::TakeDraft { .. }
                | Write::Line(_)
                | Write::Review(_)
                | Write::SetConditional(_)
                | Write::DropConditional(_)
                | Write::NewPlayer { .. }
                | Write::Block { .. }
                | Write::Unblock { .. }
                | Write::Session(_)
                | Write::Mail(_)
                | Write::Outbox(_)
                | Write::Push(_)
                | Write::ServerKey { .. }
                | Write::Moderation(_)
                | Write::Seek(_)
                | Write::Ceremony(_)
                | Write::Vacation(_)
                | Write::SeeNotices { .. }
                | Write::Seen { .. }
                | Write::Clear(_)
                | Write::Beat { .. }
                | Write::TakeSweep { .. } => {}
            }
        }
        asked
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.players.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(number: u128) -> PlayerId {
        PlayerId::new(Uuid::from_u128(number))
    }

    fn name(text: &str) -> PlayerName {
        text.to_owned().try_into().unwrap()
    }

    fn account(text: &str) -> StoredAccount {
        let (password, recovery) = (Some("hash".to_owned()), Some(TokenHash::of(b"code")));
        StoredAccount {
            name: name(text),
            former_names: Vec::new(),
            password,
            recovery,
            mail: None,
            is_closed: false,
            is_barred: false,
        }
    }

    #[test]
    fn names_in_one_transaction_see_the_earlier_ones() {
        let owners = [("ada".to_owned(), Some(player(1))), ("gone".to_owned(), None)];
        let mut accounts = Accounts::of(
            [(player(1), account("Ada")), (player(2), account("Bob"))],
            owners,
            [],
            vec![],
            MailCounts::default(),
            [],
            HashMap::new(),
        );
        let mut plan = NamesPlan::default();
        let mut rename = |number, text| plan.rename(player(number), &name(text), 0, &mut accounts);
        assert_eq!(rename(2, "ADA"), Err(Refused::NameTaken));
        assert_eq!(
            rename(3, "Gone"),
            Err(Refused::NameTaken),
            "a guest, and the name of an account that is gone"
        );
        assert_eq!(rename(3, "Countess"), Ok(()));
        assert_eq!(rename(1, "Countess"), Ok(()), "a guest takes no key");
        assert_eq!(rename(3, "C0untess"), Err(Refused::NameTaken));
        assert_eq!(rename(2, "Ada"), Err(Refused::NameTaken), "a former name stays with its account");
        assert_eq!(rename(1, "Ada"), Ok(()));
        assert_eq!(plan.former_names[&player(1)], [name("Countess")]);
        assert_eq!(plan.keys.values().collect::<BTreeSet<_>>(), BTreeSet::from([&player(1)]));
    }

    #[test]
    fn an_account_has_a_bounded_number_of_former_names_and_may_return_to_each() {
        let mut accounts = Accounts::of(
            [(player(1), account("Ada"))],
            [("ada".to_owned(), Some(player(1)))],
            [],
            vec![],
            MailCounts::default(),
            [],
            HashMap::new(),
        );
        let mut plan = NamesPlan::default();
        let mut rename = |text: &str| plan.rename(player(1), &name(text), 0, &mut accounts);
        for number in 0..MAX_FORMER_NAMES {
            assert_eq!(rename(&format!("Ada{number}x")), Ok(()));
        }
        assert_eq!(rename("Countess"), Err(Refused::TooManyNames));
        assert_eq!(rename("Ada"), Ok(()));
        assert_eq!(rename("Ada3x"), Ok(()));
        assert_eq!(rename("ADA"), Err(Refused::TooManyNames), "other letters are another name");
        assert_eq!(plan.former_names[&player(1)].len(), MAX_FORMER_NAMES);
    }
}
