use mancalab_base::budget::{Budget, Status};
use mancalab_games::{BoardGame as _, kalah::Kalah};
use mancalab_search::Solver;
fn main() {
    let mut args = std::env::args().skip(1);
    let rules: mancalab_games::kalah::Rules = args.next().unwrap().parse().unwrap();
    let mb = args.next().map_or(512, |t| t.parse().unwrap());
    let table = args.next().map(|path| {
        std::sync::Arc::new(mancalab_search::EndgameTable::open_with(std::path::Path::new(&path), 400).unwrap())
    });
    let mut solver = Solver::with_table(&Kalah::start(rules), mb, table).unwrap();
    let began = std::time::Instant::now();
    while solver.step(Budget::time(std::time::Duration::from_secs(1))) == Status::Running {
        if std::env::var("V").is_ok() {
            let s = solver.solution();
            eprintln!("{:?} {:?} {} {}", began.elapsed(), s.margins, s.nodes, s.line.len());
        }
    }
    let s = solver.solution();
    println!("{rules} {:?} {} nodes {:?}", s.margins, s.nodes, began.elapsed());
}
