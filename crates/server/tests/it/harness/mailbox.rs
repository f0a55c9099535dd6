//! A mail server that takes everything and shows it (RFC 5321, as much of it as sending a mail needs).

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What arrives.
pub(crate) struct Mailbox {
    /// Where the server is: `smtp://…`.
    pub(crate) url: String,
    mails: UnboundedReceiver<String>,
}

impl Mailbox {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let (sender, mails) = unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(take(stream, sender.clone()));
            }
        });
        Self { url, mails }
    }

    /// The next mail, head and body, its long lines whole again (quoted-printable, RFC 2045 §6.7).
    pub(crate) async fn next(&mut self) -> String {
        let mail = self.mails.recv().await.unwrap();
        mail.replace("=\r\n", "").replace("=3D", "=")
    }

    /// The next mail but for links to verify an address, which every new user gets.
    pub(crate) async fn next_but_verification(&mut self) -> String {
        loop {
            let mail = self.next().await;
            if !mail.contains("Subject: Confirm your address") {
                return mail;
            }
        }
    }

    /// Whether nothing more has arrived.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.mails.try_recv().is_err()
    }
}

async fn take(stream: TcpStream, mails: UnboundedSender<String>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 test\r\n").await?;
    let (mut line, mut mail) = (String::new(), None::<String>);
    while stream.read_line(&mut line).await? > 0 {
        let answer = match (&mut mail, line.trim_end()) {
            (Some(_), ".") => {
                let _kept = mails.send(mail.take().unwrap_or_default());
                "250 kept\r\n"
            }
            (Some(text), _) => {
                text.push_str(&line);
                ""
            }
            (None, "DATA") => {
                mail = Some(String::new());
                "354 go on\r\n"
            }
            (None, "QUIT") => "221 bye\r\n",
            (None, _) => "250 fine\r\n",
        };
        stream.write_all(answer.as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

/// What follows `token=` in a mail.
pub(crate) fn token_in(mail: &str) -> String {
    let (_, rest) = mail
        .split_once("token=")
        .unwrap_or_else(|| panic!("no link in {mail}"));
    rest.chars().take_while(char::is_ascii_alphanumeric).collect()
}
