//! What a person sees of the lobby.

use std::time::Instant;

use super::super::table::{Phase, Sitter, Table, TableId};
use super::{Lobby, Person, PersonId};
use crate::game::{Side, Variant};
use crate::tabs::board::TimeControl;

/// What a person sees.
#[derive(Clone, Debug)]
pub struct View {
    /// The person's name.
    pub name: String,
    pub people: Vec<PersonRow>,
    pub tables: Vec<TableRow>,
    /// The table where the person sits or watches.
    pub table: Option<TableView>,
}

/// A person in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonRow {
    pub name: String,
    pub is_away: bool,
    /// Such as `plays at table 2`.
    pub doing: String,
}

/// A table in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    pub id: TableId,
    pub variant: Variant,
    pub control: Option<TimeControl>,
    /// `[south, north]`.
    pub names: [String; 2],
    pub is_open: bool,
    pub phase: Phase,
    pub moves: u32,
    pub watchers: usize,
}

/// A table from a person's place.
#[derive(Clone, Debug)]
pub struct TableView {
    pub table: Table,
    /// The side that the person plays.
    pub side: Option<Side>,
    pub watchers: Vec<String>,
    /// Until when a side that is away can come back.
    pub away_until: [Option<Instant>; 2],
}

impl Lobby {
    /// What a person sees; `None` after the exit.
    pub fn view(&self, person: PersonId) -> Option<View> {
        let me = self.people.get(&person)?;
        let at = me.table.and_then(|at| self.tables.get(&at)).map(|table| self.table_view(table, person));
        let people = self.people.iter().map(|(&id, person)| self.person_row(id, person)).collect();
        let tables = self.tables.values().map(table_row).collect();
        Some(View { name: me.name.clone(), people, tables, table: at })
    }

    fn person_row(&self, id: PersonId, person: &Person) -> PersonRow {
        let table = person.table.and_then(|at| self.tables.get(&at));
        let doing = match table.map(|table| (table.id, table.side_of(id), table.phase)) {
            None => "in the lobby".to_owned(),
            Some((table, None, _)) => format!("watches table {table}"),
            Some((table, Some(_), Phase::Playing)) => format!("plays at table {table}"),
            Some((table, Some(_), _)) => format!("sits at table {table}"),
        };
        PersonRow { name: person.name.clone(), is_away: person.away_until.is_some(), doing }
    }

    fn table_view(&self, table: &Table, person: PersonId) -> TableView {
        let name = |id: &PersonId| self.people.get(id).map(|person| person.name.clone());
        let away_until = |side: Side| {
            let sitter = table.seats[side.index()].as_ref()?;
            let Sitter::Person { id, .. } = sitter else { return None };
            self.people.get(id)?.away_until
        };
        TableView {
            side: table.side_of(person),
            watchers: table.watchers.iter().filter_map(name).collect(),
            away_until: Side::BOTH.map(away_until),
            table: table.clone(),
        }
    }
}

fn table_row(table: &Table) -> TableRow {
    TableRow {
        id: table.id,
        variant: table.terms.variant,
        control: table.terms.control,
        names: Side::BOTH.map(|side| table.name(side)),
        is_open: table.seats.iter().any(Option::is_none),
        phase: table.phase,
        moves: table.record.ply(),
        watchers: table.watchers.len(),
    }
}
