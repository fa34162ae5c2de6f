//! The texts of players, and the errors of invalid ones.

use super::*;
use crate::Spec;

#[test]
fn texts_mean_what_they_say() {
    let samuel = |text: &str| match text.parse() {
        Ok(Spec::Samuel(samuel)) => samuel,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(samuel("samuel").to_string(), "samuel:6");
    assert_eq!(samuel("samuel:4@ones:quiet=on:prune=off:ties=first").to_string(), "samuel:4");
    assert_eq!(samuel("Samuel:ms=500").depth, MAX_DEPTH);
    assert_eq!(samuel("samuel@pieces:ms=5").to_string(), "samuel@pieces:ms=5");
    assert_eq!(samuel("samuel:9:ms=5").to_string(), "samuel:9:ms=5");
    assert_eq!(samuel("samuel@pieces").to_string(), "samuel:6@pieces");
    let numbers = weights::PIECES.to_string();
    assert_eq!(samuel(&format!("samuel:2@{numbers}:ties=random")).weights, weights::PIECES);
    let list = Spec::list(&format!("random,samuel:2@{numbers}:ties=random,samuel:4")).unwrap();
    let texts: Vec<String> = list.iter().map(Spec::to_string).collect();
    assert_eq!(texts, ["random", &format!("samuel:2@{numbers}:ties=random"), "samuel:4"]);
}

#[test]
fn mistakes_say_what_would_be_accepted() {
    let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    assert_eq!(error("samuel:0"), "samuel depth must be 1 to 60, as in samuel:6 (got 0)");
    assert_eq!(error("samuel:six"), "samuel depth must be 1 to 60, as in samuel:6 (got six)");
    assert_eq!(
        error("samuel:6:fast"),
        "samuel takes ms=T, clock=T|T+INC, ties=first|last|random|window, prune=on|off, quiet=on|off and threads=T (got fast)"
    );
    assert_eq!(error("samuel:6:prune=maybe"), "prune must be on or off (got maybe)");
    assert_eq!(error("samuel:ms=0"), "ms must be a number of milliseconds from 1 to 3600000 (got 0)");
    assert!(error("samuel:6@no/such.toml").contains("cannot read no/such.toml"));
}

#[test]
fn it_plays_checkers_alone_and_shows_so() {
    let spec: Spec = "samuel:6".parse().unwrap();
    let checked = |game: &str| crate::check_plays(&spec, &game.parse().unwrap());
    assert_eq!(checked("checkers:limit=40"), Ok(()));
    assert_eq!(checked("kalah"), Err("'samuel:6' does not play Kalah: samuel plays checkers only".into()));
}

#[test]
fn weights_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.toml");
    weights::PIECES.write(&path, &[]).unwrap();
    let text = format!("samuel:3@{}", path.display());
    assert_eq!(Spec::file_in(&text).unwrap(), Some(path.clone()));
    let spec: Spec = text.parse().unwrap();
    assert_eq!(spec.to_string(), text);
    assert_eq!(spec.contents(), Some(weights::PIECES.to_string()));
}
