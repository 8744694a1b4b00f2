//! A seeded simulation: hundreds of nodes on one database, users who order at once, crashes, partitions, pauses and clocks that are set.
//!
//! Every decision is the program's own: `store::settlement` settles, `domain::lease` judges who is gone and what becomes of a run,
//! `actors::rescuer` says how many are claimed, `domain::quota` admits. Simulated is what lies between them: time, messages and rows. A tiny
//! reference says what each movement has to answer, and after each step nothing may contradict it.
//!
//! `SKILLKILN_TEST_STEPS` takes other than a million steps, `SKILLKILN_TEST_SEED` another course of events.

mod node;
mod random;
mod reference;
mod windows;
mod world;

use crate::simulation::world::World;

fn set(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |set| set.parse().expect("a number"))
}

#[test]
fn whatever_happens_to_hundreds_of_nodes_the_books_agree_with_the_reference() {
    let steps = set("SKILLKILN_TEST_STEPS", 1_000_000);
    let seed = set("SKILLKILN_TEST_SEED", 49);
    let mut world = World::new(seed, 200, 400);
    for step in 0..steps {
        if let Err(fault) = world.step() {
            panic!("seed {seed}, step {step}, {}: {fault}", world.when());
        }
    }
    let told = world.told();
    println!("seed {seed}, {}", world.when());
    if let Err(fault) = world.calm_down() {
        panic!("seed {seed}, at the end, {}: {fault}", world.when());
    }
    // A course in which nothing happened would say nothing.
    let all = [
        told.charged,
        told.refused,
        told.crashes,
        told.set,
        told.taken_up,
        told.limited,
        told.left_to_all,
    ];
    assert!(
        steps < 100_000 || all.iter().all(|count| *count > 0),
        "{told:?}"
    );
}
