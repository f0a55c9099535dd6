//! Passwords that guessing begins with: they are refused wherever one is chosen.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The most frequent passwords of eight characters and more, of the list that zxcvbn ranks by (MIT, Dropbox and contributors).
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Whether a password is among the most frequent ones, in any case.
pub fn is_common(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}

/// Whether a password is the address that it opens, or what stands before its `@`.
pub fn repeats_address(password: &str, email: &str) -> bool {
    let (password, email) = (password.to_lowercase(), email.to_lowercase());
    let local = email.split('@').next().unwrap_or_default();
    password == email || password == local
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_frequent_passwords_in_any_case_and_no_others() {
        for password in ["password", "Password", "12345678", "QWERTYUIOP", "sunshine"] {
            assert!(is_common(password), "{password}");
        }
        for password in ["", "correct horse battery", "password of mine"] {
            assert!(!is_common(password), "{password}");
        }
    }

    #[test]
    fn finds_the_address_and_its_local_part() {
        let repeats = |password| repeats_address(password, "ada.lovelace@example.org");
        assert!(repeats("Ada.Lovelace@example.org") && repeats("ada.lovelace"));
        assert!(!repeats("example.org") && !repeats("ada.lovelace1843"));
    }
}
