//! Programs exported as functions: compiled or interpreted, they compute what a direct evaluation computes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use mancalab::program::kalah::{KalahLanguage, Program};
use mancalab::program::othello::{Function, OthelloLanguage};
use mancalab::program::{Grammar, Language, RowTape, Tape};
use mancalab::rng::keyed;
use rand::RngExt;

use super::commands::{mancalab, stdout};

/// Programs of each language.
const PROGRAMS: u64 = 4;
/// Boards on which each is computed.
const BOARDS: u64 = 60;

/// Seeds, some of them more than a game has, so that products grow.
fn seeds(number: u64) -> [u8; 14] {
    let mut rng = keyed(&[7, number]);
    std::array::from_fn(|_| rng.random_range(0..40))
}

fn counts(number: u64) -> [i32; 8] {
    let mut rng = keyed(&[8, number]);
    std::array::from_fn(|_| rng.random_range(0..30))
}

/// Returns the export of a program that a file holds.
fn exported(folder: &Path, text: &str, format: &str) -> String {
    fs::write(folder.join("program.txt"), text).unwrap();
    stdout(mancalab(folder).args(["runs", "program", "program.txt", "--as", format]))
}

/// Returns the lines that a program prints; `None` if there is no such command on this machine.
fn printed(command: &mut Command) -> Option<Vec<String>> {
    let output = command.stderr(Stdio::inherit()).output().ok()?;
    assert!(output.status.success(), "{command:?}");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// Compiles a source text with this command and runs it.
fn compiled(folder: &Path, source: &str, name: &str, compiler: &[&str]) -> Option<Vec<String>> {
    fs::write(folder.join(name), source).unwrap();
    printed(Command::new(compiler[0]).args(&compiler[1..]).arg(name).args(["-o", "exported"]).current_dir(folder))?;
    printed(&mut Command::new(folder.join("exported")))
}

fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// Checks what the exports print against the values; `calls` are the arguments of each call.
fn agree(text: &str, values: &[String], calls: &[String], kalah: bool) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let each = |call: &dyn Fn(&str) -> String| calls.iter().map(|arguments| call(arguments)).collect::<String>();
    let rust = exported(folder, text, "rust");
    let main = match kalah {
        true => each(&|seeds| format!("    println!(\"{{}}\", program(&[{seeds}]));\n")),
        false => each(&|counts| format!("    println!(\"{{:?}}\", program({}));\n", counts.replace(',', ".0,") + ".0")),
    };
    let rust = format!("{rust}\nfn main() {{\n{main}}}\n");
    let by_rust = compiled(folder, &rust, "exported.rs", &["rustc", "-Aunused", "--edition=2021"]);
    assert_eq!(by_rust.expect("tests are run where a compiler is"), values, "{text}");
    let c = exported(folder, text, "c");
    let main = match kalah {
        true => each(&|seeds| format!("    printf(\"%lld\\n\", (long long)program((int64_t[]){{{seeds}}}));\n")),
        false => each(&|counts| format!("    printf(\"%.17g\\n\", program({counts}));\n")),
    };
    let c = format!("#include <stdio.h>\n{c}\nint main(void) {{\n{main}    return 0;\n}}\n");
    let number = |line: &String| line.parse::<f64>().unwrap();
    let same = |lines: Vec<String>| {
        let is_same = |(line, value): (&String, &String)| match kalah {
            true => line == value,
            false => {
                number(line).to_bits() == number(value).to_bits() || number(line).is_nan() && number(value).is_nan()
            }
        };
        assert!(lines.len() == values.len() && lines.iter().zip(values).all(is_same), "{text}: {lines:?} {values:?}");
    };
    compiled(folder, &c, "exported.c", &["cc", "-w"]).into_iter().for_each(same);
    let python = exported(folder, text, "python");
    let main = match kalah {
        true => each(&|seeds| format!("print(program([{seeds}]))\n")),
        false => each(&|counts| format!("print(repr(float(program({}))))\n", counts.replace(',', ".0,") + ".0")),
    };
    fs::write(folder.join("exported.py"), format!("{python}\n{main}")).unwrap();
    printed(Command::new("python3").arg("exported.py").current_dir(folder)).into_iter().for_each(same);
}

#[test]
fn programs_of_pits_compute_the_same_in_other_languages() {
    let names: Vec<&str> = KalahLanguage::SYMBOLS.iter().map(|symbol| symbol.name).chain(["constant"]).collect();
    let grammar = Grammar::<KalahLanguage>::with_symbols(&names).unwrap();
    for number in 0..PROGRAMS {
        let program: Program = grammar.program(7, &mut keyed(&[number]));
        let mut tape = Tape::new(&program);
        let boards: Vec<[u8; 14]> = (0..BOARDS).map(|board| seeds(number * BOARDS + board)).collect();
        let values: Vec<String> = boards.iter().map(|board| tape.run(board).to_string()).collect();
        let calls: Vec<String> = boards.iter().map(|board| joined(board)).collect();
        agree(&program.to_notation(), &values, &calls, true);
    }
}

#[test]
fn functions_of_othello_compute_the_same_in_other_languages() {
    let names = |names: &[&'static str]| {
        let plain = ["add", "sub", "mul", "div", "if", "min", "max", "constant"];
        let names: Vec<&str> = plain.iter().chain(names).copied().collect();
        Grammar::<OthelloLanguage>::with_symbols(&names).unwrap()
    };
    let of_counts = mancalab::program::othello::count_names();
    let main = names(&[&of_counts[..], &["adf2"]].concat());
    let body = names(&["arg1", "arg2"]);
    for number in 0..PROGRAMS {
        let rng = &mut keyed(&[number, 1]);
        let (main, body) = (main.grown(5, 200, rng), body.grown(3, 50, rng));
        let (Some(main), Some(body)) = (main, body) else { continue };
        let text = match main.to_notation().contains("adf2") {
            true => format!("{} where adf2 = {}", main.to_notation(), body.to_notation()),
            false => main.to_notation(),
        };
        let function = Function::parse(&text).unwrap();
        let mut tape = RowTape::new(function.tape(), 4);
        let boards: Vec<[i32; 8]> = (0..BOARDS).map(|board| counts(number * BOARDS + board)).collect();
        let value = |board: &[i32; 8]| {
            let look = |rows: &mut [f64], room: usize| {
                board.iter().enumerate().for_each(|(count, &value)| rows[count * room] = value.into());
            };
            tape.run(1, look)[0]
        };
        let values: Vec<String> = boards.iter().map(value).map(|value| format!("{value:?}")).collect();
        let calls: Vec<String> = boards.iter().map(|board| joined(board)).collect();
        agree(&text, &values, &calls, false);
    }
}
