//! The rules about the code's shape, as a test: `cargo xtask tidy` prints the figures as well.

#[test]
fn the_checkout_keeps_its_own_rules() {
    let report = xtask::tidy::check(&xtask::root()).unwrap();
    assert!(
        report.broken.is_empty(),
        "broken rules:\n{}",
        report.broken.join("\n")
    );
}
