//! What the provider has, as its simulator lists it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::simulator::Control;
use crate::failure::{Failure, Outcome};

/// The whole list at a path of the simulator.
///
/// # Errors
/// When it does not answer with a list.
pub fn list(simulator: &mut Control, path: &str) -> Outcome<Vec<Value>> {
    match simulator.ask("GET", path, &Value::Null)? {
        Value::Array(all) => Ok(all),
        other => Err(Failure::new(format!("{path} answers {other} instead of a list"))),
    }
}

/// What bears the number of a post, by that number.
pub fn by_number(all: &[Value], number: impl Fn(&Value) -> Option<usize>) -> BTreeMap<usize, Vec<Value>> {
    let mut by: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for one in all {
        if let Some(number) = number(one) {
            by.entry(number).or_default().push(one.clone());
        }
    }
    by
}
