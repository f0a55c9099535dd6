//! The user, for what a key may not do: they sign in for one command, and out after it.

use std::io::{IsTerminal, Read};

use playout_client::{Credentials, Error, Kind, Organization, Person};
use playout_domain::secret::Secret;

use super::find::is_id;
use super::screen::clean;
use super::session::Session;

/// The user who signs in, and the workspace.
#[derive(Debug, clap::Args)]
pub(super) struct Who {
    /// Your address; on a terminal you are asked for it.
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
    /// A code of your second factor, or a recovery code; on a terminal you are asked for it.
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// The workspace, by name or ID; required if you are an admin of several.
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
}

/// A signed-in user and the workspace.
pub(super) struct In {
    pub(super) person: Person,
    pub(super) workspace: String,
}

/// Signs in. The password is read on a terminal without echo, otherwise from standard input.
pub(super) async fn enter(who: &Who, session: &Session) -> Result<In, Error> {
    let email = match &who.email {
        Some(email) => email.clone(),
        None => ask(session, "E-mail:", false)?.ok_or_else(|| missing("--email"))?,
    };
    let password = ask_for_password(session)?;
    let mut credentials = Credentials {
        email,
        password,
        code: who.code.clone(),
    };
    let api = session.api_with(None)?;
    let person = match api.sign_in(&credentials).await {
        Err(error) if error.code == "second_factor_required" && credentials.code.is_none() => {
            credentials.code = Some(ask(session, "Code:", false)?.ok_or(error)?);
            api.sign_in(&credentials).await?
        }
        outcome => outcome?,
    };
    match workspace(&person.organizations, who.workspace.as_deref()) {
        Ok(workspace) => Ok(In { person, workspace }),
        Err(error) => {
            leave(&person).await;
            Err(error)
        }
    }
}

/// Signs out. A session that cannot be ended now expires.
pub(super) async fn leave(person: &Person) {
    let _unreachable = person.sign_out().await;
}

/// The workspace: the named one, else the only one in which the user is more than a member.
fn workspace(all: &[Organization], named: Option<&str>) -> Result<String, Error> {
    let is_meant = |found: &&Organization| match named {
        Some(name) if is_id(name) => found.id == name,
        Some(name) => found.name.to_lowercase() == name.trim().to_lowercase(),
        None => found.role != "member",
    };
    let found: Vec<&Organization> = all.iter().filter(is_meant).collect();
    let names: Vec<String> = all.iter().map(|known| clean(&known.name)).collect();
    match found.as_slice() {
        [one] => Ok(one.id.clone()),
        [] if named.is_none() => Err(refused("You are an admin of no workspace.")),
        [] => Err(refused(&format!(
            "You are not a member of such a workspace; your workspaces: {}.",
            names.join(", ")
        ))),
        _ => Err(Error::usage(format!(
            "Choose one with --workspace, by its ID if names are alike: {}.",
            names.join(", ")
        ))),
    }
}

fn refused(message: &str) -> Error {
    Error::new(Kind::Refused, "workspace_not_found", message)
}

fn missing(option: &str) -> Error {
    Error::usage(format!("{option} is required without a terminal."))
}

fn ask_for_password(session: &Session) -> Result<Secret, Error> {
    if let Some(password) = ask(session, "Password (it is not shown):", true)? {
        return Ok(Secret::new(password));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(unreadable)?;
    let password = text.strip_suffix('\n').unwrap_or(&text);
    let password = password.strip_suffix('\r').unwrap_or(password);
    match password {
        "" => Err(Error::usage(
            "The password is read from standard input, which is empty.",
        )),
        password => Ok(Secret::new(password)),
    }
}

/// The user's input; `None` without a terminal.
fn ask(session: &Session, question: &str, is_secret: bool) -> Result<Option<String>, Error> {
    if !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    session.screen.remark(question);
    let terminal = console::Term::stderr();
    let typed = match is_secret {
        true => terminal.read_secure_line(),
        false => terminal.read_line(),
    };
    typed
        .map(|typed| Some(typed).filter(|typed| !typed.is_empty()))
        .map_err(unreadable)
}

fn unreadable(error: std::io::Error) -> Error {
    Error::usage(format!("Cannot read the input: {error}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn organization(name: &str, role: &str) -> Organization {
        Organization {
            id: format!("0196f3a0-7c1e-7d3a-9b5e-00000000000{}", name.len()),
            name: name.to_owned(),
            role: role.to_owned(),
        }
    }

    #[test]
    fn the_only_workspace_that_somebody_runs_needs_no_naming() {
        let (own, other) = (organization("Kites", "owner"), organization("Balloon", "member"));
        let all = [other.clone(), own.clone()];
        assert_eq!(workspace(&all, None).unwrap(), own.id);
        assert_eq!(workspace(&all, Some("balloon ")).unwrap(), other.id);
        assert_eq!(workspace(&all, Some(&other.id)).unwrap(), other.id);
        assert_eq!(
            workspace(&all, Some("Boats")).unwrap_err().code,
            "workspace_not_found"
        );
        assert_eq!(workspace(&[other], None).unwrap_err().code, "workspace_not_found");
        let two = [own.clone(), organization("Boats!", "admin")];
        assert_eq!(workspace(&two, None).unwrap_err().code, "usage");
        assert_eq!(
            workspace(&[own.clone(), own], Some("Kites")).unwrap_err().code,
            "usage"
        );
    }
}
