//! Who comes in: their names, the same person again, and how many people there may be.

use std::sync::Arc;
use std::time::Instant;

use mancalab_base::Error;

use super::{Entry, Link, Lobby, NAME, Person};
use crate::name;
use crate::network::Network;
use crate::serve::limits::BY_KEY;
use crate::serve::table::EMPTY;

/// Who wants to come in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// The name of their choice.
    pub name: String,
    /// The fingerprint of the key.
    pub key: Option<String>,
    pub network: Network,
}

/// A name of a person's choice, reduced to letters, digits, `-`, `_` and `.` of ASCII, so that it is seen and fits into lists, files
/// and sentences.
pub fn clean_name(text: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name::visible(text, is_allowed, NAME).unwrap_or_else(|| "guest".to_owned())
}

fn has_key_and_name(one: &Visitor, other: &Visitor) -> bool {
    one.key == other.key && one.name == other.name
}

impl Lobby {
    /// Lets a person in under this name, or a numbered one if a similar one is taken. A person with the name and the key of one who is
    /// here or away is the same person: an earlier session ends, and the table is kept.
    ///
    /// # Errors
    /// There are as many people as may be, in all or from the address or with the key, those who are away included.
    pub fn enter(&mut self, visitor: Visitor, link: Arc<dyn Link>, now: Instant) -> Result<Entry, Error> {
        self.tick(now);
        let visitor = Visitor { name: clean_name(&visitor.name), ..visitor };
        let visit = self.number();
        let is_same = |person: &Person| visitor.key.is_some() && has_key_and_name(&person.visitor, &visitor);
        if let Some((&id, person)) = self.people.iter_mut().find(|(_, person)| is_same(person)) {
            if person.away_until.take().is_none() {
                person.link.end("You have connected again from elsewhere.");
            }
            (person.link, person.visit, person.visitor) = (link, visit, visitor);
            self.remark_at(id, "is back");
            self.list_changed = true;
            return Ok(Entry { person: id, visit });
        }
        self.has_room(&visitor)?;
        let others = self.people.values().map(|person| person.name.clone()).chain([EMPTY.to_owned()]);
        let name = name::distinct(visitor.name.clone(), |name, number| format!("{name}-{number}"), others);
        self.people
            .insert(visit, Person { name, visitor, table: None, away_until: None, visit, link, begun: Vec::new() });
        self.list_changed = true;
        Ok(Entry { person: visit, visit })
    }

    fn has_room(&self, visitor: &Visitor) -> Result<(), Error> {
        let count = |fits: &dyn Fn(&Visitor) -> bool| self.people.values().filter(|one| fits(&one.visitor)).count();
        if self.people.len() >= self.limits.sessions {
            return Err("this server has as many guests as it allows; try again later".into());
        }
        if count(&|one| one.network == visitor.network) >= self.limits.by_address {
            return Err("there are too many guests from your address; try again later".into());
        }
        if visitor.key.is_some() && count(&|one| one.key == visitor.key) >= BY_KEY {
            return Err(format!("at most {BY_KEY} guests have the same key").into());
        }
        Ok(())
    }
}
