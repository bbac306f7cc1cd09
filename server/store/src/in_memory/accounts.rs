//! Accounts, the keys of names, and links.

use std::collections::HashMap;

use game::{Language, MailAddress, NoticeSettings, TurnMails, Zone, ids::PlayerId};

use super::{AccountData, MailData, Person, Tables};
use crate::{
    AccountChange, Act, ActKind, Errand, FirstCredential, LinkOf, Mail, Notice, Proof, Purpose,
    RecoveryProof, SignIn, TokenHash,
    accounts::{Accounts, KeptName, MailCounts, NamesPlan, StoredAccount},
};

impl AccountData {
    /// Returns a new account.
    fn new(password: Option<String>, recovery: TokenHash) -> Self {
        Self {
            password,
            recovery: Some(recovery),
            former_names: Vec::new(),
            mail: None,
            mail_recovers: true,
            notices: NoticeSettings::default(),
            mail_is_refused: false,
            closed_ms: None,
            is_barred: false,
        }
    }
}

impl Tables {
    pub(super) fn accounts(&self) -> Accounts {
        let rows = self.players.values().filter_map(|Person { player, account, .. }| {
            let AccountData { password, recovery, former_names, mail, closed_ms, is_barred, .. } =
                account.clone()?;
            let (name, is_closed) = (player.name.clone(), closed_ms.is_some());
            let row = StoredAccount { name, former_names, password, recovery, mail, is_closed, is_barred };
            Some((player.id, row))
        });
        let sessions = self.sessions.values().map(|used| (used.player, used.id));
        let passkeys = self.passkeys.iter().map(|(id, (player, _))| (*id, *player));
        let owners = self.name_keys.keys().map(|key| (key.clone(), self.owner(key)));
        let is_confirming = |errand: &Errand| matches!(errand, Errand::Confirm(_));
        let of_accounts = self
            .players
            .keys()
            .map(|player| (*player, self.count_mails_of(*player, i64::MIN, is_confirming)));
        let waiting = self.mails_waiting();
        let mut to_addresses = HashMap::new();
        for hash in self.mails.iter().filter_map(|data| data.mail.confirming()) {
            *to_addresses.entry(hash).or_default() += 1;
        }
        let mails = MailCounts { of_accounts: of_accounts.collect(), to_addresses, waiting };
        let kept_names = self.players.values().filter_map(|Person { player, muted_until_ms, .. }| {
            let is_hiding =
                |act: &&Act| act.target == player.id && matches!(act.what, ActKind::NameHidden(_));
            let hidden_ms = self.acts.values().filter(is_hiding).map(|act| act.at_ms).max();
            Some((player.id, KeptName::of(player.name.as_str(), *muted_until_ms, hidden_ms)?))
        });
        let kept_names = kept_names.collect();
        Accounts::of(rows, owners, sessions, self.links().collect(), mails, passkeys, kept_names)
    }

    /// The account that may take a name with a key.
    pub(super) fn owner(&self, key: &String) -> Option<PlayerId> {
        self.name_keys.get(key).copied().flatten().filter(|_| !self.hidden_keys.contains(key))
    }

    /// The account of a player who may have none.
    pub(super) fn account_of(&self, player: PlayerId) -> Option<&AccountData> {
        self.players.get(&player)?.account.as_ref()
    }

    pub(super) fn account(&mut self, player: PlayerId) -> &mut AccountData {
        self.person(player).account.as_mut().expect("a change is planned of a stored account")
    }

    pub(super) fn links(&self) -> impl Iterator<Item = LinkOf> {
        self.links
            .iter()
            .map(|(id, link)| LinkOf { player: self.players[id].player.clone(), link: link.clone() })
    }

    pub(super) fn change_account(&mut self, change: &AccountChange) {
        let player = change.player();
        match change {
            AccountChange::Registered { credential, recovery, .. } => {
                let password = match credential {
                    FirstCredential::Password(password) => Some(password.clone()),
                    FirstCredential::Passkey(passkey) => {
                        self.passkeys.insert(passkey.id, (player, passkey.clone()));
                        None
                    }
                };
                self.person(player).account = Some(AccountData::new(password, *recovery));
            }
            AccountChange::Recovered { proof, password, by: SignIn { device, .. }, .. } => {
                self.recover(player, proof, password, *device);
            }
            AccountChange::PasswordSet { password, device, .. } => {
                self.set_password(player, password, *device);
            }
            AccountChange::CodeSet { recovery, .. } => self.account(player).recovery = Some(*recovery),
            AccountChange::LinkMade { link, .. } => self.links.push((player, link.clone())),
            AccountChange::Closed { now_ms, .. } => {
                self.account(player).closed_ms = Some(*now_ms);
                self.withdraw_seeks(player);
                self.void_links(player);
            }
            AccountChange::MailAsked { mail, zone, now_ms, .. } => {
                self.add_mail(mail.clone(), *now_ms);
                self.learn_language(player, mail, zone.as_ref());
            }
            AccountChange::NoticesSet { notices, now_ms, .. } => {
                self.account(player).notices = notices.clone();
                self.note_by_mail(player, *now_ms);
            }
            AccountChange::Unsubscribed { .. } => self.account(player).notices.turn_mails = TurnMails::Off,
            AccountChange::MailConfirmed { link, notice, now_ms, .. } => {
                self.set_mail(player, self.address_of(*link), notice, *now_ms);
                self.note_by_mail(player, *now_ms);
            }
            AccountChange::MailRemoved { notice, now_ms, .. } => self.set_mail(player, None, notice, *now_ms),
            AccountChange::MailRecoverySet { recovers, .. } => {
                self.account(player).mail_recovers = *recovers;
                if !recovers {
                    self.void_links(player);
                }
            }
            AccountChange::SignedIn { proof: Proof::Passkey(used), .. }
            | AccountChange::PasskeyUsed { used, .. } => {
                let passkey = self.passkey(used.id);
                (passkey.body, passkey.used_ms) = (used.body.clone(), used.used_ms);
            }
            AccountChange::SignedIn { proof: Proof::Password(_), .. } => {}
            AccountChange::PasskeyAdded { passkey, notice, .. } => {
                self.passkeys.insert(passkey.id, (player, passkey.clone()));
                if let Some(to) = self.account(player).mail.clone() {
                    let (errand, language) = (Errand::PasskeyAdded(player), notice.language.clone());
                    self.add_mail(Mail { id: notice.id, errand, to, language }, passkey.created_ms);
                }
            }
            AccountChange::PasskeyNamed { passkey, label, .. } => {
                self.passkey(*passkey).label = Some(label.clone());
            }
            AccountChange::PasskeyRemoved { passkey, .. } => drop(self.passkeys.remove(passkey)),
        }
        for (player, ended) in change.ended() {
            self.end_sessions(player, ended);
        }
        if let Some((session, by)) = change.sign_in() {
            self.sign_in(player, session, by);
        }
    }

    fn recover(&mut self, player: PlayerId, proof: &RecoveryProof, password: &str, device: TokenHash) {
        let by_mail = self.links.iter().any(|(_, known)| {
            *proof == RecoveryProof::Link(known.secret)
                && known.purpose == Purpose::Recovery { by_mail: true }
        });
        let account = self.account(player);
        account.mail_recovers &= by_mail;
        if let RecoveryProof::Link(_) = proof {
            account.recovery = None;
        }
        self.set_password(player, password, Some(device));
        self.passkeys.retain(|_, (owner, _)| *owner != player);
    }

    fn set_password(&mut self, player: PlayerId, password: &str, device: Option<TokenHash>) {
        self.account(player).password = Some(password.to_owned());
        self.void_links(player);
        self.devices.retain(|(owner, known), _| *owner != player || Some(*known) == device);
    }

    /// The address that a link confirms.
    fn address_of(&self, link: TokenHash) -> Option<MailAddress> {
        let (_, link) = self.links.iter().find(|(_, known)| known.secret == link)?;
        match &link.purpose {
            Purpose::Mail(address) => Some(address.clone()),
            Purpose::Recovery { .. } | Purpose::Unsubscription => None,
        }
    }

    /// Adds a mail to the address of an account, if it has another one than this, whose links are void.
    fn set_mail(&mut self, player: PlayerId, new: Option<MailAddress>, notice: &Notice, now_ms: i64) {
        let account = self.account(player);
        account.mail_is_refused = false;
        let former = std::mem::replace(&mut account.mail, new.clone());
        let other = former.filter(|former| new.is_none_or(|new| !new.is_same_as(former)));
        if let Some(to) = other {
            let (errand, language) = (Errand::Changed(player), notice.language.clone());
            self.add_mail(Mail { id: notice.id, errand, to, language }, now_ms);
        }
        self.links.retain(|(owner, link)| *owner != player || link.purpose != Purpose::Unsubscription);
        self.void_links(player);
    }

    pub(super) fn void_links(&mut self, player: PlayerId) {
        self.links.retain(|(owner, link)| *owner != player || link.purpose == Purpose::Unsubscription);
        let is_void = |data: &&mut MailData| data.mail.errand == Errand::Confirm(player);
        self.mails.iter_mut().filter(is_void).for_each(|data| data.due_ms = None);
    }

    /// Notes the language and the zone of the page from which a mail was asked for.
    fn learn_language(&mut self, player: PlayerId, mail: &Mail, zone: Option<&Zone>) {
        let notices = &mut self.account(player).notices;
        notices.language = Language::of_page(&mail.language);
        notices.zone = zone.unwrap_or(&notices.zone).clone();
    }

    pub(super) fn save_names(&mut self, names: &NamesPlan) {
        self.name_keys.extend(names.keys.iter().map(|(key, player)| (key.clone(), Some(*player))));
        for (player, former_names) in &names.former_names {
            self.account(*player).former_names.clone_from(former_names);
        }
    }
}
