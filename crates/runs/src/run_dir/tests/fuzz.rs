//! Malicious checkpoints with correct checksums.

use proptest::prelude::*;

use super::*;
use crate::codec::{checksum, joined};
use crate::files::Kind;

/// A checkpoint with correct checksums and arbitrary content.
fn mended(words: &str, provenance: &[u8], state: &[u8]) -> Vec<u8> {
    let line = format!("{words} {} {} {:016x}", provenance.len(), state.len(), joined(&[provenance, state]));
    let mut bytes = format!("{line} {:016x}\n", checksum(line.as_bytes())).into_bytes();
    bytes.extend_from_slice(provenance);
    bytes.extend_from_slice(state);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// After a change with corrected checksums it is refused with nothing changed, or the run is the same.
    #[test]
    fn a_mended_checkpoint_is_refused_or_gives_the_same_run(
        head in prop_oneof![
            5 => Just("mancalab checkpoint 5 sums 3 5 running".to_owned()),
            1 => "mancalab checkpoint [0-6] (sums|gp) [2-4] [0-9]{1,20} (running|finished)",
        ],
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        state in prop_oneof![3 => Just("5 35".to_owned()), 1 => "[0-9]{1,20} [0-9]{1,20}", 1 => ".{0,8}"],
    ) {
        let folder = stopped();
        let path = folder.path().join("checkpoint");
        let held = DirHandle::open(folder.path()).unwrap();
        let expected = CheckpointFormat { kind: "sums", format: 3 };
        let mut provenance = checkpoint::read(&held, "checkpoint", expected, Kind::Checkpoint).unwrap().unwrap().provenance.encode();
        for (place, byte) in changes {
            let place = place.index(provenance.len());
            provenance[place] = byte;
        }
        provenance.truncate(cut.map_or(provenance.len(), |cut| cut.index(provenance.len())));
        // It is read in bounded time and memory, whatever it claims.
        let _ = Provenance::decode(&provenance);
        fs::write(&path, mended(&head, &provenance, state.as_bytes())).unwrap();
        let before = snapshot(folder.path());
        let _ = (list(folder.path().parent().unwrap()), RunReader::open(folder.path()));
        match RunJob::resume(folder.path(), FORMS, &Pool::alone()) {
            Err(_) => prop_assert_eq!(snapshot(folder.path()), before),
            Ok((mut job, _)) => {
                prop_assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
                prop_assert_eq!(job.error(), None);
                prop_assert_eq!(fs::read_to_string(folder.path().join(ROWS)).unwrap(), ROWS_OF_TEN);
            }
        }
    }
}
