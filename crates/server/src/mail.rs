//! Mails to people: over SMTP where it is set up. Otherwise a mail is only logged, without its links: a reader of the log
//! must not be able to use them.

use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use playout_domain::time::Time;

/// A mail to one person.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Their address.
    pub to: String,
    /// What it is about.
    pub subject: String,
    /// The body, in plain text.
    pub text: String,
}

/// How mails go out.
#[derive(Clone)]
pub enum Mailer {
    /// Mails are not sent: the log shows them without their links.
    Log,
    /// Over SMTP, from this address.
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>, Box<Mailbox>),
}

/// Why a mail did not go out.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// It cannot be written.
    #[error("the mail cannot be written: {0}")]
    Message(#[from] lettre::error::Error),
    /// The address is none that mail goes to.
    #[error("the address is no mailbox: {0}")]
    Address(#[from] lettre::address::AddressError),
    /// The mail server did not take it.
    #[error("the mail server did not take it: {0}")]
    Smtp(#[from] lettre::transport::smtp::Error),
}

impl Mailer {
    /// Over the server at this `smtp://` or `smtps://` address; `None` if it cannot be one.
    pub fn smtp(url: &str, from: Mailbox) -> Option<Self> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).ok()?;
        let transport = transport.timeout(Some(Duration::from_secs(30))).build();
        Some(Self::Smtp(Box::new(transport), Box::new(from)))
    }

    /// Whether mails reach people.
    pub fn is_set_up(&self) -> bool {
        matches!(self, Self::Smtp(..))
    }

    /// Sends a mail.
    pub async fn send(&self, mail: Mail, now: Time) -> Result<(), MailError> {
        let Self::Smtp(transport, from) = self else {
            tracing::info!(
                "no mail server is set up; a mail to {}: {}\n{}",
                mail.to,
                mail.subject,
                without_links(&mail.text)
            );
            return Ok(());
        };
        let since_epoch = Duration::from_micros(u64::try_from(now.as_micros()).unwrap_or(0));
        let message = Message::builder()
            .from(from.as_ref().clone())
            .to(Mailbox::new(None, mail.to.parse()?))
            .subject(mail.subject)
            .date(UNIX_EPOCH + since_epoch)
            .message_id(None)
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text)?;
        transport.send(message).await?;
        Ok(())
    }
}

/// A text whose lines with links are left out.
fn without_links(text: &str) -> String {
    let lines = text.lines().map(|line| match line.contains("://") {
        true => "(a link, which is not logged)",
        false => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The address of the server holds its password.
impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log => f.write_str("Log"),
            Self::Smtp(_, from) => write!(f, "Smtp(from {from})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_of_a_mail_server_is_refused() {
        let from: Mailbox = "Playout <playout@example.org>".parse().unwrap();
        for url in [
            "smtp://localhost",
            "smtps://user:hunter2@mail.example.org",
            "smtp://mail.example.org?tls=required",
        ] {
            let mailer = Mailer::smtp(url, from.clone());
            assert!(
                !format!("{:?}", mailer.as_ref().unwrap()).contains("hunter2"),
                "{url}"
            );
        }
        for url in ["mail.example.org", "https://mail.example.org", "smtp://", ""] {
            assert!(Mailer::smtp(url, from.clone()).is_none(), "{url}");
        }
    }

    #[tokio::test]
    async fn a_mail_goes_to_one_address_and_no_line_of_it_becomes_another_header() {
        let from: Mailbox = "playout@example.org".parse().unwrap();
        let mailer = Mailer::smtp("smtp://127.0.0.1:1", from).unwrap();
        for to in [
            "nobody",
            "a@example.org\r\nBcc: b@example.org",
            "a@example.org, b@example.org",
        ] {
            let mail = Mail {
                to: to.to_owned(),
                subject: "x".to_owned(),
                text: "x".to_owned(),
            };
            let refused = mailer.send(mail, Time::from_secs(1)).await.unwrap_err();
            assert!(matches!(refused, MailError::Address(_)), "{to}: {refused}");
        }
    }
}
