//! `mancalab runs export --out`: tidy tables as processes write them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::runs::home;
use super::{assert_refused, refused, stdout_of};

/// Returns a table's header and rows, whose fields contain no commas.
fn table(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn runs_are_exported_as_tidy_tables_with_types_units_and_provenance() {
    let home = home();
    let evolved = "evolve mancala-gp-1 --population 8 --generations 2 --set opponents=max --keep population --out";
    stdout_of(home.path(), &format!("{evolved} kept --seed 5"));
    stdout_of(home.path(), &format!("{evolved} other --seed 6"));
    stdout_of(home.path(), "runs export ./kept ./other --out data");
    let data = home.path().join("data");
    let package: Value = serde_json::from_str(&fs::read_to_string(data.join("datapackage.json")).unwrap()).unwrap();
    let resources = package["resources"].as_array().unwrap();
    let names: Vec<&str> = resources.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["runs", "settings", "generations", "timings", "individuals"]);
    for resource in resources {
        let fields = resource["schema"]["fields"].as_array().unwrap();
        let rows = table(&data, resource["name"].as_str().unwrap());
        assert_eq!(rows[0], fields.iter().map(|field| field["name"].as_str().unwrap()).collect::<Vec<_>>());
        for (at, field) in fields.iter().enumerate() {
            assert!(!field["description"].as_str().unwrap().is_empty(), "{field}");
            let is_number = ["integer", "number"].contains(&field["type"].as_str().unwrap());
            let odd = rows[1..]
                .iter()
                .map(|row| &row[at])
                .find(|text| is_number && !text.is_empty() && text.parse::<f64>().is_err());
            assert_eq!(odd, None, "{field}");
        }
        // Keys identify rows.
        let key: Vec<usize> = resource["schema"]["primaryKey"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| rows[0].iter().position(|own| own == name).unwrap())
            .collect();
        let mut keys: Vec<Vec<&String>> =
            rows[1..].iter().map(|row| key.iter().map(|&at| &row[at]).collect()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), rows.len() - 1, "{resource}");
    }
    assert_eq!((table(&data, "generations").len(), table(&data, "individuals").len()), (1 + 2 * 3, 1 + 2 * 3 * 8));
    assert_eq!(package["runs"][1]["provenance"][0]["role"], "computed");
    assert_eq!(package["exported_by"]["version"], env!("CARGO_PKG_VERSION"));

    assert_refused(home.path(), &[("runs export ./kept --out data", "--out: data is not empty; name a new folder")]);
    let kinds = refused(home.path(), "runs export ./kept kalah --out both");
    assert!(
        kinds.contains("has other columns in generations than the runs before") && !home.path().join("both").exists()
    );
    let refused = [
        ("runs export ./kept --format parquet", "--out"),
        ("runs export ./kept --format json --out x", "csv or parquet"),
    ];
    assert_refused(home.path(), &refused);
}

#[test]
fn packed_columns_are_tables_of_their_own() {
    let home = tempfile::tempdir().unwrap();
    stdout_of(home.path(), "match --players random,max --games 2 --seed 1 --losses --game kalah:2x2 --out table");
    stdout_of(home.path(), "runs export ./table --out games");
    let json: Value = serde_json::from_str(&stdout_of(home.path(), "match --resume ./table --format json")).unwrap();
    let games = table(&home.path().join("games"), "games");
    assert_eq!(games.len(), 1 + 2 * 4);
    let at = |name: &str| games[0].iter().position(|own| own == name).unwrap();
    for (pair, cell) in json["cells"].as_array().unwrap().iter().enumerate() {
        let own: Vec<_> = games[1..].iter().filter(|row| row[at("pair")] == (pair + 1).to_string()).collect();
        let sum = |name: &str| own.iter().map(|row| row[at(name)].parse::<f64>().unwrap()).sum::<f64>();
        let won = own.iter().filter(|row| row[at("first_outcome")] == "won").count();
        assert_eq!(
            (won, sum("first_margin") / 2.0),
            (cell["wins"].as_u64().unwrap() as usize, cell["mean_margin"].as_f64().unwrap())
        );
        assert_eq!(sum("first_lost") / 2.0, cell["mean_lost"][0].as_f64().unwrap());
        assert!(own.iter().all(|row| row[at("moves")].len() == row[at("moves_count")].parse::<usize>().unwrap()));
    }
    assert_eq!(table(&home.path().join("games"), "game_timings").len(), 1 + 2 * 4 * 2);

    let training = "train kalah-thesis-a3c --generations 2 --set workers=1 --set rounds=1 --set hidden=8 --set panel=[\"random\",\"max\"] \
                    --set panel_games=3 --set panel_every=1 --seed 1 --out net";
    stdout_of(home.path(), training);
    stdout_of(home.path(), "runs export ./net --out panel");
    let panel = table(&home.path().join("panel"), "panel");
    assert_eq!(panel.len(), 1 + 3 * 2 * 2);
    let packed = fs::read_to_string(home.path().join("net/generations.csv")).unwrap();
    let last = packed.lines().last().unwrap().rsplit(',').next().unwrap();
    let texts: Vec<String> = panel[panel.len() - 4..].iter().map(|row| row[4..].join("-")).collect();
    assert_eq!(format!("{}/{} {}/{}", texts[0], texts[1], texts[2], texts[3]), last);
    assert_eq!((panel[1][2].as_str(), panel[3][2].as_str(), panel[2][3].as_str()), ("random", "max", "second"));
}

/// `cargo test --features parquet`
#[cfg(feature = "parquet")]
#[test]
fn parquet_files_hold_the_same_tables() {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;
    let home = tempfile::tempdir().unwrap();
    let evolved =
        "evolve mancala-gp-1 --population 8 --generations 2 --set opponents=max --keep population --seed 5 --out kept";
    stdout_of(home.path(), evolved);
    stdout_of(home.path(), "runs export ./kept --out csv");
    stdout_of(home.path(), "runs export ./kept --out parquet --format parquet");
    for name in ["runs", "settings", "generations", "timings", "individuals"] {
        let file = fs::File::open(home.path().join(format!("parquet/{name}.parquet"))).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let package: Value = serde_json::from_str(metadata[0].value.as_ref().unwrap()).unwrap();
        assert_eq!(package["schema"], "datapackage/1");
        let rows = table(&home.path().join("csv"), name);
        let read: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), rows.len() - 1, "{name}");
        for (row, texts) in read.iter().zip(&rows[1..]) {
            for ((column, field), text) in row.get_column_iter().zip(texts) {
                let is_same = match field {
                    Field::Null => text.is_empty(),
                    Field::Str(own) => own == text.trim_matches('"'),
                    Field::Bool(own) => own.to_string() == *text,
                    Field::Long(own) => own.to_string() == *text,
                    Field::Double(own) => text.parse::<f64>().unwrap() == *own,
                    other => panic!("{column}: {other:?}"),
                };
                assert!(is_same, "{name}, {column}: {field} is not {text}");
            }
        }
    }
}
