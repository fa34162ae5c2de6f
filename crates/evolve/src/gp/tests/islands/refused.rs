//! Tests of rejected epochs and settings.

use super::*;

#[test]
fn what_an_epoch_cannot_begin_from_is_refused() {
    let of = |texts: &[&str]| settings(&[&["migration_every=2", "migrants=1"], texts].concat());
    let settings = of(&[]);
    let first = next_epoch(&settings, 0, &[], PLAIN);
    let [zero, one, two] = [0, 1, 2].map(|island: usize| Some(&*first[island]));
    let refused = |island, epoch, own: Option<&[u8]>, neighbour: Option<&[u8]>| {
        Epoch::begin(&settings, island, epoch, own, neighbour).err().unwrap_or_else(|| panic!("it is not refused"))
    };
    let check = |why: Error, words: &str| assert!(why.to_string().contains(words), "{why}");
    assert!(Epoch::begin(&settings, 1, 1, one, zero).is_ok());
    check(refused(1, 1, zero, one), "the data for epoch 0 of island 0 belong to epoch 0 of island 1");
    check(refused(1, 1, one, two), "the data for epoch 0 of island 0 belong to epoch 0 of island 2");
    check(refused(1, 2, one, zero), "the data for epoch 1 of island 0 belong to epoch 0 of island 0");
    check(refused(1, 1, one, None), "epoch 1 of island 1 requires epoch 0 of island 0, which is missing");
    check(refused(1, 0, one, None), "epoch 0 of island 1 takes no previous result");
    check(refused(3, 0, None, None), "island must be 0 to 2 (got 3)");
    check(refused(0, 4, zero, two), "epoch must be 0 to 3 (got 4)");
    for other in [of(&["seed=2"]), of(&["mutation=1"])] {
        let why = Epoch::begin(&other, 1, 1, one, zero).err().unwrap();
        check(why, "the data for epoch 0 of island 0 belong to a run with other settings");
    }
    assert!(Epoch::begin(&of(&["generations=9", "max_nodes=123456"]), 1, 1, one, zero).is_ok());
    let mut unfinished = Epoch::begin(&settings, 1, 0, None, None).unwrap();
    assert_eq!(unfinished.advance(&Pool::alone(), Budget::UNLIMITED), EpochProgress::Generation(0));
    let unfinished = unfinished.save();
    check(refused(1, 1, Some(&unfinished), zero), "epoch 0 of island 1 is incomplete: 1 of 2 generations");
    for at in (0..first[1].len()).step_by(7) {
        let mut damaged = first[1].clone();
        damaged[at] ^= 4;
        check(refused(1, 1, Some(&damaged), zero), "the data for epoch 0 of island 1 are damaged");
        check(refused(1, 1, Some(&first[1][..at]), zero), "the data for epoch 0 of island 1 are damaged");
    }
    let why = Epoch::resume(&settings, 2, 0, None, None, &unfinished).err().unwrap();
    check(why, "the data for epoch 0 of island 2 belong to epoch 0 of island 1");
}

#[test]
fn what_cannot_be_put_together_is_refused() {
    let settings = settings(&["migration_every=2", "migrants=1"]);
    let first = next_epoch(&settings, 0, &[], PLAIN);
    let [zero, one, two] = [0, 1, 2].map(|island: usize| &*first[island]);
    let mut unfinished = Epoch::begin(&settings, 1, 0, None, None).unwrap();
    assert_eq!(unfinished.advance(&Pool::alone(), Budget::UNLIMITED), EpochProgress::Generation(0));
    let unfinished = unfinished.save();
    let refused =
        |results: &[&[u8]]| ToyRun::start(settings.clone()).unwrap().take_epoch(results, &mut |_| Ok(())).unwrap_err();
    assert!(refused(&[zero, one]).to_string().contains("epoch 0 requires the results of 3 islands (got 2)"));
    assert!(
        refused(&[zero, two, one])
            .to_string()
            .contains("the data for epoch 0 of island 1 belong to epoch 0 of island 2")
    );
    let why = refused(&[zero, &unfinished, two]);
    assert!(why.to_string().contains("epoch 0 of island 1 is incomplete: it ends before generation 1"), "{why}");
    let mut run = ToyRun::start(settings.clone()).unwrap();
    assert_eq!(run.take_epoch(&[zero, one, two], &mut |_| Ok(())), Ok(Progress::Working));
    let why = run.take_epoch(&[zero, one, two], &mut |_| Ok(())).unwrap_err();
    assert!(why.to_string().contains("the data for epoch 1 of island 0 belong to epoch 0 of island 0"), "{why}");
}

#[test]
fn runs_that_cannot_be_cut_are_reported_by_the_setting() {
    fn refused(text: &str) -> Error {
        check::<Toy>(&settings(&[text])).unwrap_err()
    }
    assert!(refused("islands=1").to_string().starts_with("islands must be at least 2"));
    assert!(refused("champions=true").to_string().starts_with("opponents must not contain champions"));
    assert!(refused("islands=5").to_string().contains("a multiple of 5"));
    for (text, epochs) in
        [("migration_every=0", 1), ("migration_every=3", 3), ("migration_every=7", 2), ("generations=0", 1)]
    {
        let settings = settings(&["migration_every=1", text]);
        assert_eq!(
            (check::<Toy>(&settings), settings.tableau().islands, islands::epochs(settings.tableau())),
            (Ok(()), 3, epochs),
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_the_settings_islands_give_what_one_machine_writes(
        which in 0..2usize,
        (seed, generations, islands) in (0..1000u64, 0..6u64, 2..5u32),
        (every, migrants, elitism) in (0..5u32, 0..4u32, 0..3u32),
        (crossover, mutation, parsimony) in (0..=100u32, 0..=100u32, 0..3u32),
        (is_small, is_tournament, points) in (any::<bool>(), any::<bool>(), 0..4usize),
        nodes in prop_oneof![Just(1_000_000), 20..3000u64],
        (threads, is_resumed) in (1..3usize, any::<bool>()),
    ) {
        let set = |tableau: &mut Tableau| {
            (tableau.seed, tableau.generations, tableau.islands) = (seed, generations, islands);
            (tableau.population, tableau.max_nodes, tableau.prefer_small) = (islands * 7, nodes, is_small);
            (tableau.migration_every, tableau.migrants, tableau.elitism) = (every, migrants, elitism);
            (tableau.crossover, tableau.mutation) = (crossover.into(), mutation.into());
            tableau.parsimony = f64::from(parsimony) / 8.0;
            tableau.points = ["uniform", "walk", "depth", "inner"][points].parse().unwrap();
            tableau.selection = if is_tournament { "tournament:3" } else { "roulette" }.parse().unwrap();
        };
        let options = Options { threads, micros: None, is_resumed };
        let mut settings = settings(KINDS[which]);
        set(&mut settings.tableau);
        assert_eq!(check::<Toy>(&settings), Ok(()));
        assert_eq!(by_islands(&settings, options), whole(&settings));
    }
}
