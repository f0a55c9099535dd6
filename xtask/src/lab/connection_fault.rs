//! What happens to connections between the nodes and PostgreSQL, as planned.

use std::time::Duration;

use super::chance::Chance;

/// How long a connection is frozen, in milliseconds: up to more than any statement of the service may take.
const FREEZE_MS: (u64, u64) = (100, 6000);
/// How many connections meet one fault, at most.
const CONNECTIONS: u64 = 5;

/// One effect on some of the connections that are open when it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionFault {
    /// The seed by which the proxy chooses connections.
    pub choice: u64,
    /// How many, at most.
    pub connections: usize,
    /// What happens to each.
    pub effect: Effect,
}

/// What can happen to a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It passes nothing on for a while, and then what it held.
    Freeze {
        /// Which bytes are held.
        direction: Direction,
        /// For how long.
        lasts: Duration,
    },
    /// It passes nothing on for a while, and is then cut: what it held is lost.
    FreezeThenCut {
        /// Which bytes are held.
        direction: Direction,
        /// For how long.
        lasts: Duration,
    },
    /// Both sides see the end of the connection.
    Cut,
    /// Whatever passes comes later.
    Delay {
        /// By how much.
        each: Duration,
        /// For how long this is so.
        lasts: Duration,
    },
}

/// The bytes that are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Statements.
    ToServer,
    /// Results.
    ToClient,
    /// Both.
    Both,
}

impl ConnectionFault {
    /// Some connections freeze; one in three of these faults ends with a cut.
    pub fn freeze(chance: &mut Chance) -> Self {
        let directions = [Direction::ToServer, Direction::ToClient, Direction::Both];
        let direction = chance.one_of(&directions);
        let lasts = Duration::from_millis(chance.between(FREEZE_MS.0, FREEZE_MS.1));
        let effect = match chance.happens(33) {
            true => Effect::FreezeThenCut { direction, lasts },
            false => Effect::Freeze { direction, lasts },
        };
        Self::of(chance, effect)
    }

    /// Some connections are cut.
    pub fn cut(chance: &mut Chance) -> Self {
        Self::of(chance, Effect::Cut)
    }

    /// Some connections are slow.
    pub fn delay(chance: &mut Chance) -> Self {
        let effect = Effect::Delay {
            each: Duration::from_millis(chance.between(5, 200)),
            lasts: Duration::from_millis(chance.between(500, 4000)),
        };
        Self::of(chance, effect)
    }

    fn of(chance: &mut Chance, effect: Effect) -> Self {
        Self {
            choice: chance.below(u64::MAX),
            connections: usize::try_from(chance.between(1, CONNECTIONS + 1)).unwrap_or(1),
            effect,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freezes_go_in_every_direction_and_end_with_and_without_a_cut() {
        let mut chance = Chance::seeded(1);
        let faults: Vec<Effect> = (0..100)
            .map(|_| ConnectionFault::freeze(&mut chance).effect)
            .collect();
        for wanted in [Direction::ToServer, Direction::ToClient, Direction::Both] {
            let goes_on =
                |effect: &Effect| matches!(effect, Effect::Freeze { direction, .. } if *direction == wanted);
            let is_cut = |effect: &Effect| matches!(effect, Effect::FreezeThenCut { direction, .. } if *direction == wanted);
            assert!(
                faults.iter().any(goes_on) && faults.iter().any(is_cut),
                "{wanted:?}"
            );
        }
    }
}
