//! Plans are data: a built-in TOML, or the operator's own (`docs/contract.md#plans`).

use std::collections::BTreeMap;

use playout_domain::workspace::Plan;
use serde::Deserialize;

const BUILT_IN: &str = include_str!("plans.toml");
static NONE: Plan = Plan {
    posts_per_month: None,
    connected_accounts: None,
    storage_bytes: None,
    ai_credits_per_month: None,
    max_video_bytes: None,
    rate_limit: None,
};

/// The plans by name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plans {
    plans: BTreeMap<String, Plan>,
}

impl Plans {
    /// The plans that come with the service.
    pub fn built_in() -> Self {
        Self::parse(BUILT_IN).expect("the built-in plans are read by a test")
    }

    /// Reads `[plans.NAME]` tables.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The plan of that name.
    pub fn find(&self, name: &str) -> Option<&Plan> {
        self.plans.get(name)
    }

    /// The largest video that any plan takes, if all of them have a limit.
    pub fn largest_video(&self) -> Option<u64> {
        let limits = self.plans.values().map(|plan| plan.max_video_bytes);
        limits.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// A plan without limits.
    pub fn none() -> &'static Plan {
        &NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_plans_are_those_of_the_contract() {
        let plans = Plans::built_in();
        assert_eq!(plans.find("free").unwrap().posts_per_month, Some(30));
        assert_eq!(
            plans.find("business").unwrap().storage_bytes,
            Some(500_000_000_000)
        );
        assert_eq!(
            plans.find("unlimited").unwrap().max_video_bytes,
            Some(4_000_000_000)
        );
    }

    #[test]
    fn a_misspelt_limit_is_refused_rather_than_ignored() {
        assert!(Plans::parse("[plans.x]\nposts_per_moth = 3").is_err());
    }
}
