//! The budgets by themselves.

use super::*;
use playout_domain::job::JobKind;
use playout_domain::time::Time;
use uuid::Uuid;

fn job(number: u128, account: u128, workspace: u128) -> Job {
    Job {
        id: JobId(Uuid::from_u128(number)),
        kind: JobKind::PublishPost,
        queue: JobQueue::Start,
        workspace_id: WorkspaceId(Uuid::from_u128(workspace)),
        post_id: None,
        platform_id: PlatformId(Uuid::from_u128(account)),
        run_at: Time::from_secs(0),
        planned_at: Time::from_secs(0),
        first_claimed_at: None,
        asked_at: None,
        lease_owner: "node".to_owned(),
        attempt: 1,
        failures: 0,
        checks: 0,
        deadline_at: Time::from_secs(0),
    }
}

fn upload(number: u128, account: u128, workspace: u128) -> Job {
    Job {
        queue: JobQueue::Upload,
        ..job(number, account, workspace)
    }
}

/// Claims as the database would, as long as something of `due` is offered; answers what was claimed.
fn claim_all(slots: &Slots, due: &mut Vec<Job>) -> Vec<Job> {
    let mut all = Vec::new();
    loop {
        let claimed = slots.offers(JobQueue::Start).into_iter().find_map(|offer| {
            let mut of_account: HashMap<PlatformId, usize> = HashMap::new();
            let mut claimed: Vec<Job> = Vec::new();
            for job in due.iter() {
                let count = of_account.entry(job.platform_id).or_default();
                let is_excluded = offer.without.accounts.contains(&job.platform_id)
                    || offer.without.workspaces.contains(&job.workspace_id);
                if !is_excluded && *count < offer.per_account && claimed.len() < offer.limit {
                    *count += 1;
                    claimed.push(job.clone());
                }
            }
            (!claimed.is_empty()).then_some(claimed)
        });
        let Some(claimed) = claimed else { return all };
        due.retain(|job| !claimed.contains(job));
        claimed.iter().for_each(|job| slots.add(job, Time::from_secs(60)));
        all.extend(claimed);
    }
}

#[test]
fn no_account_and_no_workspace_has_more_than_its_share() {
    for concurrency in 1..=70 {
        let budget = Budget::of(JobQueue::Start, concurrency);
        let slots = Slots::new(concurrency);
        let mut of_one = (0..300).map(|number| job(number, 1, 1)).collect();
        let one = claim_all(&slots, &mut of_one).len();
        assert!(
            (1..=budget.per_account).contains(&one),
            "{concurrency}: {one} of an account"
        );
        let mut of_many = (300..600).map(|number| job(number, number, 1)).collect();
        let all = one + claim_all(&slots, &mut of_many).len();
        assert!(
            all <= budget.per_workspace_with_first,
            "{concurrency}: {all} of a workspace"
        );
        let mut other = vec![job(1000, 1000, 2)];
        assert_eq!(
            claim_all(&slots, &mut other).len(),
            1,
            "{concurrency}: another workspace"
        );
        let mut crowd = (2000..3000).map(|number| job(number, number, number)).collect();
        claim_all(&slots, &mut crowd);
        assert_eq!(slots.count(), 2 * budget.total, "{concurrency}: all in all");
    }
}

#[test]
fn an_account_with_all_its_uploads_starts_no_more_posts_and_others_do() {
    let slots = Slots::new(4);
    slots.add(&upload(1, 1, 1), Time::from_secs(60));
    let mut due = vec![job(2, 1, 1), job(3, 2, 1)];
    let claimed = claim_all(&slots, &mut due);
    assert_eq!(claimed, [job(3, 2, 1)]);
    slots.remove(JobId(Uuid::from_u128(1)), 1);
    assert_eq!(claim_all(&slots, &mut due), [job(2, 1, 1)]);
}

#[tokio::test(start_paused = true)]
async fn a_run_without_room_to_upload_waits_for_a_moment() {
    let slots = Slots::new(1);
    slots.add(&upload(1, 1, 1), Time::from_secs(60));
    slots.add(&upload(2, 2, 2), Time::from_secs(60));
    let third = job(3, 3, 3);
    slots.add(&third, Time::from_secs(60));
    slots.end_start(&third);
    assert!(
        !slots.offers(JobQueue::Start).is_empty(),
        "it takes nothing from the budget of starts"
    );
    assert!(!slots.begin_upload(&third).await);
    let (begins, ()) = tokio::join!(slots.begin_upload(&third), async {
        slots.remove(JobId(Uuid::from_u128(1)), 1);
    });
    assert!(begins);
    slots.remove(third.id, third.attempt);
    assert_eq!(slots.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn runs_that_wait_and_jobs_that_were_given_back_take_turns() {
    let slots = Slots::new(1);
    slots.add(&upload(1, 1, 1), Time::from_secs(60));
    slots.add(&upload(2, 2, 2), Time::from_secs(60));
    slots.have_claimed(true);
    let waits = job(3, 3, 3);
    slots.add(&waits, Time::from_secs(60));
    let mut waiting = Box::pin(slots.begin_upload(&waits));
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    slots.remove(JobId(Uuid::from_u128(1)), 1);
    assert!(
        futures_util::poll!(waiting.as_mut()).is_pending(),
        "the turn of the others"
    );
    assert!(!slots.offers(JobQueue::Upload).is_empty());
    slots.add(&upload(4, 4, 4), Time::from_secs(60));
    slots.remove(JobId(Uuid::from_u128(2)), 1);
    assert!(waiting.await);
}

#[test]
fn a_lease_is_over_at_its_end_unless_it_was_renewed() {
    let slots = Slots::new(10);
    let jobs = [upload(1, 1, 1), upload(2, 2, 2)];
    jobs.iter().for_each(|job| slots.add(job, Time::from_secs(60)));
    assert_eq!(slots.expired(Time::from_secs(59)), []);
    slots.renew(&[jobs[0].id], Time::from_secs(80));
    assert_eq!(slots.expired(Time::from_secs(60)), [(jobs[1].id, 1)]);
    let ends = slots.given_up(&jobs[1]);
    slots.give_up(jobs[1].id, 2);
    assert!(!ends.is_cancelled(), "another run of the job");
    slots.give_up(jobs[1].id, 1);
    assert!(ends.is_cancelled());
}

#[test]
fn a_run_whose_job_is_claimed_again_by_its_own_process_holds_it_no_longer() {
    let slots = Slots::new(10);
    let before = upload(1, 1, 1);
    slots.add(&before, Time::from_secs(60));
    let ends = slots.given_up(&before);
    slots.add(&before, Time::from_secs(120));
    assert!(ends.is_cancelled());
    assert!(!slots.given_up(&before).is_cancelled());
}
