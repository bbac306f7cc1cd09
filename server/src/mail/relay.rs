//! The SMTP server that takes the mails.

use std::{error::Error, fs, net::IpAddr, path::Path, time::Duration};

use anyhow::{Context, bail};
use game::MailAddress;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox,
        header::{HeaderName, HeaderValue},
    },
    transport::smtp::{
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use percent_encoding::percent_decode_str;
use tokio::time::timeout;
use url::{Host, Url};
use uuid::Uuid;

/// Maximum time for a mail to be taken.
const SENDING_TAKES: Duration = Duration::from_secs(20);

/// Header by which programs that answer mails know that nobody reads theirs (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// Usual ports: for TLS from the first byte, and for STARTTLS.
const PORTS: [u16; 2] = [465, 587];

/// A connection to the SMTP server, and the sender of all mails.
#[derive(Clone, Debug)]
pub(crate) struct Relay {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// The reason why a mail was not taken. It never has an address: answers of SMTP servers do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    #[error("the SMTP server refuses it for good: {code}")]
    Refused { code: String },
    #[error("the SMTP server does not take it now: {code}")]
    Later { code: String },
    #[error("the SMTP server does not answer in time")]
    Stalled,
    #[error("the SMTP server cannot be used")]
    Broken(#[source] lettre::transport::smtp::Error),
}

impl Relay {
    /// Returns the relay of a URL, `smtps://USER:PASSWORD@HOST` or `smtp://…`. By the latter the connection begins TLS by
    /// STARTTLS, except without a password to this machine. `authorities` is a file with further certificates to trust.
    ///
    /// # Errors
    /// The URL or the file is invalid. No error has a part of the URL.
    pub(crate) fn new(url: &str, authorities: Option<&Path>, from: Mailbox) -> anyhow::Result<Self> {
        let expected = "expected smtps://USER:PASSWORD@HOST:PORT or smtp://USER:PASSWORD@HOST:PORT";
        let url = Url::parse(url).ok().context(expected)?;
        let host = url.host_str().context(expected)?;
        let [of_smtps, of_smtp] = PORTS;
        let is_plain = url.password().is_none() && is_this_machine(&url);
        let (port, tls) = match url.scheme() {
            "smtps" => (of_smtps, Tls::Wrapper(parameters(host, authorities)?)),
            "smtp" if is_plain => (of_smtp, Tls::None),
            "smtp" => (of_smtp, Tls::Required(parameters(host, authorities)?)),
            _ => bail!(expected),
        };
        let transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
            .port(url.port().unwrap_or(port))
            .tls(tls)
            .timeout(Some(SENDING_TAKES));
        let decoded = |text| percent_decode_str(text).decode_utf8().map(String::from).context(expected);
        let transport = match url.password() {
            Some(password) => {
                transport.credentials(Credentials::new(decoded(url.username())?, decoded(password)?))
            }
            None => transport,
        };
        Ok(Self { transport: transport.build(), from })
    }

    /// Returns the message of a mail. Receivers may take one with the same id for a repetition.
    ///
    /// # Errors
    /// The address is none that mails can be sent to.
    pub(crate) fn message(
        &self,
        id: Uuid,
        to: &MailAddress,
        subject: String,
        body: String,
    ) -> Result<Message, Box<dyn Error + Send + Sync>> {
        let message_id = format!("<{id}@{}>", self.from.email.domain());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to.as_str().parse()?))
            .message_id(Some(message_id))
            .subject(subject)
            .body(body)?;
        message.headers_mut().insert_raw(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()));
        Ok(message)
    }

    /// Returns when the SMTP server has taken the mail.
    pub(crate) async fn send(&self, message: Message) -> Result<(), SendError> {
        match timeout(SENDING_TAKES, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(match error.status().map(|code| code.to_string()) {
                // A wrong password says nothing about the mail.
                Some(code) if error.is_permanent() && !code.starts_with("53") => SendError::Refused { code },
                Some(code) => SendError::Later { code },
                None => SendError::Broken(error),
            }),
            Err(_) => Err(SendError::Stalled),
        }
    }
}

/// Whether the server of a URL is reached without a network.
fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            // The host of a scheme that is not one of the web may be an address in another notation.
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn parameters(host: &str, authorities: Option<&Path>) -> anyhow::Result<TlsParameters> {
    let mut parameters = TlsParameters::builder(host.to_owned());
    if let Some(file) = authorities {
        let cannot = || format!("cannot read the certificates in {}", file.display());
        let pem = fs::read(file).with_context(cannot)?;
        parameters = parameters.add_root_certificate(Certificate::from_pem(&pem).with_context(cannot)?);
    }
    parameters.build().context("cannot use TLS for mail")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relay(url: &str) -> anyhow::Result<Relay> {
        Relay::new(url, None, "Towers <towers@towers.example>".parse().unwrap())
    }

    #[tokio::test]
    async fn a_password_is_never_sent_in_the_clear_and_no_error_has_it() {
        for (url, tls) in [
            ("smtps://ada:s3cret@mail.example", "Wrapper"),
            ("smtp://ada:s3cret@mail.example:25", "Required"),
            ("smtp://mail.example", "Required"),
            ("smtp://ada:s3cret@localhost", "Required"),
            ("smtp://localhost:25", "None"),
            ("smtp://127.0.0.1:25", "None"),
            ("smtp://[::1]:25", "None"),
            ("smtp://192.0.2.1:25", "Required"),
        ] {
            let relay = format!("{:?}", relay(url).unwrap());
            assert!(relay.contains(tls) && !relay.contains("s3cret"), "{url}: {relay}");
        }
        for wrong in ["", "mail.example", "https://ada:s3cret@mail.example", "smtp:s3cret", "smtp://"] {
            let error = format!("{:?}", relay(wrong).unwrap_err());
            assert!(error.contains("expected smtps://") && !error.contains("s3cret"), "{wrong}: {error}");
        }
    }
}
