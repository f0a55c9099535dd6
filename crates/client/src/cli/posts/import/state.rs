//! What is known of each row while a file is imported.

use playout_client::{BatchEntry, CreateResult, Error, ErrorBody, Kind};
use playout_domain::time::Time;
use serde_json::Value;

use super::draft::Draft;
use super::file::Row;
use crate::cli::screen::issues;

/// A row, and its post on each of its accounts.
#[derive(Debug)]
pub(super) struct RowState {
    pub(super) row: Row,
    /// Its post, or why it has none.
    pub(super) draft: Result<Draft, Error>,
    pub(super) accounts: Vec<AccountState>,
}

/// What became of a post on one account.
#[derive(Debug)]
pub(super) struct AccountState {
    /// As the row names it.
    pub(super) name: String,
    /// Unknown if the row could not be read.
    pub(super) platform_id: Option<String>,
    pub(super) outcome: Outcome,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// The import ended before.
    NotSent,
    /// It was sent, and there was no response.
    Unknown,
    Created {
        post_id: String,
        scheduled_for: Option<Time>,
        /// By a request of an earlier run, whose response came once more.
        is_repeated: bool,
    },
    /// It would be created.
    Valid,
    /// It failed in an earlier run, and the file that has it since was imported.
    Continued,
    Failed(Problem),
    /// Another import may have created it, and has not ended: it is not sent.
    Blocked(Problem),
}

/// Why a post was not created.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Problem {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) details: Option<Value>,
}

impl Problem {
    /// The problem in one line, with the place of each of its parts.
    pub(super) fn line(&self) -> String {
        let issues = issues(self.details.as_ref());
        match issues.is_empty() {
            true => self.message.clone(),
            false => issues.join("; "),
        }
    }
}

impl From<&Error> for Problem {
    /// The codes of a command that cannot be run are none of a row: others may be created.
    fn from(error: &Error) -> Self {
        let code = match error.kind {
            Kind::Usage => "invalid_row",
            _ => &error.code,
        };
        Self {
            code: code.to_owned(),
            message: error.message.clone(),
            details: error.details.as_deref().cloned(),
        }
    }
}

impl From<ErrorBody> for Problem {
    fn from(error: ErrorBody) -> Self {
        Self {
            code: error.code,
            message: error.message,
            details: error.details,
        }
    }
}

impl RowState {
    /// A row that was not sent yet; `named` are its accounts if it could not be read.
    pub(super) fn new(row: Row, draft: Result<Draft, Error>, named: String) -> Self {
        let state = |name: String, platform_id, outcome| AccountState {
            name,
            platform_id,
            outcome,
            warnings: Vec::new(),
        };
        let accounts = match &draft {
            Ok(draft) => {
                let named = draft.accounts.iter().cloned().zip(&draft.platform_ids);
                named
                    .map(|(name, id)| state(name, Some(id.clone()), Outcome::NotSent))
                    .collect()
            }
            Err(error) => vec![state(named, None, Outcome::Failed(error.into()))],
        };
        Self { row, draft, accounts }
    }

    /// The accounts on which the post is still to be created.
    pub(super) fn open(&self) -> Vec<String> {
        let open = self.accounts.iter().filter(|account| !account.outcome.is_final());
        open.filter_map(|account| account.platform_id.clone()).collect()
    }

    /// Whether it has failed on the account that it names so, or on all of them.
    pub(super) fn has_failed_on(&self, name: &str) -> bool {
        let has_failed = |account: &AccountState| matches!(account.outcome, Outcome::Failed(_));
        let mut named = self.accounts.iter().filter(|account| account.name == name);
        self.accounts.iter().all(has_failed) || named.any(has_failed)
    }

    /// Sets the outcome of all accounts that are still open.
    pub(super) fn set_open(&mut self, outcome: &Outcome) {
        let open = self
            .accounts
            .iter_mut()
            .filter(|account| !account.outcome.is_final());
        open.for_each(|account| account.outcome = outcome.clone());
    }

    /// Sets the outcome of the accounts that are still open, and for which there is one by their names.
    pub(super) fn set_open_by(&mut self, outcome: impl Fn(&str) -> Option<Outcome>) {
        for account in self
            .accounts
            .iter_mut()
            .filter(|account| !account.outcome.is_final())
        {
            if let Some(outcome) = outcome(&account.name) {
                account.outcome = outcome;
            }
        }
    }

    /// Takes over the response about this row, which was sent for these accounts; `is_repeated`: by an earlier run.
    pub(super) fn apply(&mut self, entry: BatchEntry, sent: &[String], is_repeated: bool) {
        let is_named = |id: &String| {
            let mut accounts = self.accounts.iter();
            accounts.any(|account| account.platform_id.as_ref() == Some(id))
        };
        if !sent.iter().all(is_named) {
            // An earlier run could read the row, or its accounts were connected otherwise then.
            self.accounts = sent.iter().map(|id| account(id)).collect();
        }
        if let Some(error) = entry.error {
            let problem = Problem::from(error);
            let of_request = |account: &&mut AccountState| {
                account.platform_id.as_ref().is_some_and(|id| sent.contains(id))
            };
            let accounts = self.accounts.iter_mut().filter(of_request);
            accounts.for_each(|account| account.outcome = Outcome::Failed(problem.clone()));
        }
        for result in entry.results {
            let mut accounts = self.accounts.iter_mut();
            let found = accounts.find(|account| account.platform_id.as_ref() == Some(&result.platform_id));
            if let Some(account) = found {
                account.warnings = result
                    .warnings
                    .iter()
                    .map(|warning| warning.message.clone())
                    .collect();
                account.outcome = outcome_of(result, is_repeated);
            }
        }
    }
}

fn account(id: &str) -> AccountState {
    AccountState {
        name: id.to_owned(),
        platform_id: Some(id.to_owned()),
        outcome: Outcome::NotSent,
        warnings: Vec::new(),
    }
}

fn outcome_of(result: CreateResult, is_repeated: bool) -> Outcome {
    match (result.post, result.error) {
        (Some(group), _) => Outcome::Created {
            post_id: group.root.id,
            scheduled_for: group.root.scheduled_for,
            is_repeated,
        },
        (None, Some(error)) => Outcome::Failed(error.into()),
        (None, None) => Outcome::Valid,
    }
}

impl Outcome {
    /// Why it was not created.
    pub(super) const fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Failed(problem) | Self::Blocked(problem) => Some(problem),
            _ => None,
        }
    }

    const fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Created { .. } | Self::Valid | Self::Continued | Self::Blocked(_)
        )
    }

    /// Its word in documents and tables.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::NotSent => "not_sent",
            Self::Unknown => "unknown",
            Self::Created { .. } => "created",
            Self::Valid => "valid",
            Self::Continued => "continued",
            Self::Failed(_) | Self::Blocked(_) => "failed",
        }
    }
}
