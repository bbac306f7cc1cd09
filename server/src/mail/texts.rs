//! The texts of mails, in the languages of the pages.

use game::ids::PlayerName;
use protocol::LinkSecret;

use crate::net::origin::Origin;

/// Content of a mail.
#[derive(Debug)]
pub(super) enum Content<'a> {
    /// It goes to an address that may be a stranger's, so it has no word that the account's owner has chosen.
    Confirm {
        link: &'a LinkSecret,
    },
    Recover {
        name: &'a PlayerName,
        link: &'a LinkSecret,
    },
    Changed {
        name: &'a PlayerName,
    },
    PasskeyAdded {
        name: &'a PlayerName,
    },
}

/// Returns the subject and the text of a mail.
pub(super) fn text(content: &Content<'_>, origin: &Origin, language: &str) -> (String, String) {
    match (content, language) {
        (Content::Confirm { link }, "fr") => (
            "Confirmez votre adresse".to_owned(),
            format!(
                "Cette adresse a été indiquée pour un compte sur {origin}\n\n\
                 Si c’est bien vous, confirmez-la en ouvrant ce lien dans les 30 minutes\u{a0}:\n\n\
                 {}\n\n\
                 Sinon, ignorez ce message\u{a0}: rien ne se passe sans le lien.\n",
                url(origin, "confirm", link)
            ),
        ),
        (Content::Confirm { link }, _) => (
            "Confirm your address".to_owned(),
            format!(
                "This address was entered for an account at {origin}\n\n\
                 If that was you, confirm it by opening this link within 30 minutes:\n\n\
                 {}\n\n\
                 If not, ignore this mail: nothing happens without the link.\n",
                url(origin, "confirm", link)
            ),
        ),
        (Content::Recover { name, link }, "fr") => (
            format!("Un nouveau mot de passe pour {name}"),
            format!(
                "Ce lien vous permet de choisir un nouveau mot de passe pour votre compte {name}. Il est valable \
                 30 minutes et ne sert qu’une fois\u{a0}:\n\n\
                 {}\n\n\
                 Si vous ne l’avez pas demandé, ignorez ce message\u{a0}: votre mot de passe ne change pas.\n",
                url(origin, "recover", link)
            ),
        ),
        (Content::Recover { name, link }, _) => (
            format!("A new password for {name}"),
            format!(
                "This link lets you choose a new password for your account {name}. It works once, within 30 \
                 minutes:\n\n\
                 {}\n\n\
                 If you did not ask for it, ignore this mail: your password stays as it is.\n",
                url(origin, "recover", link)
            ),
        ),
        (Content::Changed { name }, "fr") => (
            format!("L’adresse du compte {name} a changé"),
            format!(
                "Votre compte {name} sur {origin} n’utilise plus cette adresse\u{a0}: elle a été remplacée ou \
                 supprimée.\n\n\
                 Si ce n’est pas vous, connectez-vous et changez aussitôt votre mot de passe.\n"
            ),
        ),
        (Content::Changed { name }, _) => (
            format!("The address of the account {name} has changed"),
            format!(
                "Your account {name} at {origin} no longer uses this address: it was replaced or removed.\n\n\
                 If that was not you, sign in and change your password at once.\n"
            ),
        ),
        (Content::PasskeyAdded { name }, _) => of_new_passkey(name, origin, language),
    }
}

fn of_new_passkey(name: &PlayerName, origin: &Origin, language: &str) -> (String, String) {
    match language {
        "fr" => (
            format!("Une nouvelle clé d’accès pour {name}"),
            format!(
                "Une clé d’accès vient d’être ajoutée à votre compte {name} sur {origin}\n\n\
                 Si ce n’est pas vous, connectez-vous, supprimez-la et changez aussitôt votre mot de passe.\n"
            ),
        ),
        _ => (
            format!("A new passkey for {name}"),
            format!(
                "A passkey was added to your account {name} at {origin}\n\n\
                 If that was not you, sign in, remove it and change your password at once.\n"
            ),
        ),
    }
}

/// The address of a link. The secret stands behind `#`, so neither logs nor other sites get it.
fn url(origin: &Origin, purpose: &str, secret: &LinkSecret) -> String {
    format!("{origin}/#{purpose}={}", secret.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mail_has_its_link_on_a_line_of_its_own_in_both_languages() {
        let origin = "https://towers.example".parse().unwrap();
        let name = PlayerName::try_from("Ada".to_owned()).unwrap();
        let link = &LinkSecret::new([0; LinkSecret::CHARS]);
        let zeros = "0".repeat(LinkSecret::CHARS);
        for (content, purpose) in [
            (Content::Confirm { link }, Some("confirm")),
            (Content::Recover { name: &name, link }, Some("recover")),
            (Content::Changed { name: &name }, None),
            (Content::PasskeyAdded { name: &name }, None),
        ] {
            let [english, french] = ["en", "fr"].map(|language| text(&content, &origin, language));
            assert!(english.0 != french.0 && english.1 != french.1, "{content:?}");
            for (subject, body) in [english, french] {
                let link = purpose.map(|purpose| format!("https://towers.example/#{purpose}={zeros}"));
                let found = body.lines().find(|line| line.contains("/#"));
                assert_eq!(found, link.as_deref(), "{body}");
                let is_named = subject.contains("Ada") && body.contains("Ada");
                assert_eq!(is_named, purpose != Some("confirm"), "{subject}: {body}");
            }
        }
    }
}
