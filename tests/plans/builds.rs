//! Units that builds of different sources or platforms computed are named when they are merged or shown.

use std::fs;
use std::path::Path;

use mancalab::codec::checksum;

use super::{files, home, mancalab, stdout_of, text};

/// Writes another build into the first line of a result: the words after the unit.
fn with_build(result: &Path, sources: &str, target: &str) {
    let bytes = fs::read(result).unwrap();
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let mut words: Vec<String> = text(&bytes[..end]).split(' ').map(str::to_owned).collect();
    words.pop();
    (words[6], words[7]) = (sources.to_owned(), target.to_owned());
    let line = words.join(" ");
    let line = format!("{line} {:016x}", checksum(line.as_bytes()));
    fs::write(result, [line.as_bytes(), &bytes[end..]].concat()).unwrap();
}

#[test]
fn units_of_other_builds_are_named() {
    let home = home();
    let path = home.path();
    stdout_of(path, "plan new match --players random,max --games 9 --block 4 --out plan");
    stdout_of(path, "plan submit plan --engine local");
    let merge = || {
        let output = mancalab(path, "plan merge plan").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    assert_eq!(merge(), "");
    let version = stdout_of(path, "--version");
    let own = version.lines().find_map(|line| line.strip_prefix("sources ")).unwrap();
    let show = stdout_of(path, "runs show plan");
    assert!(show.contains(&format!(", sources {own}\n")) && !show.contains("builds of different"), "{show}");

    let results = files(&path.join("plan"), "results");
    with_build(&results[1], own, "other-platform");
    let warning = merge();
    assert!(warning.contains("builds of different platforms") && warning.contains("units 1 on "), "{warning}");
    with_build(&results[4], "00000000000000ab", "other-platform");
    for warning in [merge(), stdout_of(path, "runs show plan")] {
        for part in ["builds of different sources:\n", "  units 4 on ", ": other-platform, sources 00000000000000ab\n"]
        {
            assert!(warning.contains(part), "{part}: {warning}");
        }
        assert!(warning.contains("  units 0,2-3,5-11 on "), "{warning}");
    }
    let json: serde_json::Value = serde_json::from_str(&stdout_of(path, "runs show plan --json")).unwrap();
    let builds = json["builds"].as_array().unwrap();
    assert_eq!(builds.len(), 3, "{json}");
    let is_other = |build: &&serde_json::Value| build["sources"] == "00000000000000ab";
    let machines = builds.iter().find(is_other).unwrap()["machines"].as_object().unwrap();
    assert_eq!(machines.values().collect::<Vec<_>>(), [&serde_json::json!([4])]);
}
