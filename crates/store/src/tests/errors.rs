//! The texts of errors.

use super::harness::on_postgres;
use crate::Store;
use crate::db::params;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_postgres_says_is_told_without_the_line_of_its_source() {
    on_postgres(|store: Store| async move {
        let asked = store.rows("SELECT 1 / (pulse - pulse) AS none FROM instance", params![]);
        let said = asked.await.err().unwrap().to_string();
        assert!(
            said.ends_with("division by zero (SQLSTATE 22012)") && !said.contains(" at line "),
            "{said}"
        );
    })
    .await;
}
