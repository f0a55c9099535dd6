//! A model of the submission protocol (`playout_domain::submission`), checked by a machine: see `tests/protocol/main.rs`. The crate
//! itself is empty.
