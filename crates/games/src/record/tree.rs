//! Edits of a game tree besides moves: promote, delete and restore variations, and comments.

use super::{Node, NodeId, Record};
use crate::notation::marks::has_times_only;

/// A deleted variation, for [`Record::restore`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeletedVariation {
    parent: NodeId,
    child: NodeId,
    index: usize,
    /// Number of deleted moves.
    pub moves: usize,
}

impl Record {
    /// Comment on a position; empty if there is none.
    pub fn comment(&self, node: NodeId) -> &str {
        &self.nodes[node].comment
    }

    /// Replaces the comment on a position; an empty text deletes it. Stored as game files can hold it: on one line,
    /// with closing braces as parentheses.
    pub fn set_comment(&mut self, node: NodeId, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")");
        if self.nodes[node].comment != text {
            self.nodes[node].comment = text;
            self.version += 1;
        }
    }

    /// The values that a review found for a position, as text; empty if there are none.
    pub fn review(&self, node: NodeId) -> &str {
        &self.nodes[node].review
    }

    /// Sets the values of a position: one line without brackets.
    pub fn set_review(&mut self, node: NodeId, text: String) {
        if self.nodes[node].review != text {
            self.nodes[node].review = text;
            self.version += 1;
        }
    }

    /// The positions of the record that have values.
    pub fn reviewed(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.from(0).into_iter().filter(|&node| !self.review(node).is_empty())
    }

    /// Whether a position is on the main line.
    pub fn is_main(&self, node: NodeId) -> bool {
        self.branch(node).is_none()
    }

    /// Start of the innermost variation that contains `node`: the position after its first move. `None` on the main
    /// line.
    pub fn branch(&self, node: NodeId) -> Option<NodeId> {
        let mut node = node;
        while let Some((parent, _)) = self.nodes[node].came {
            if self.nodes[parent].children.first() != Some(&node) {
                return Some(node);
            }
            node = parent;
        }
        None
    }

    /// Start of the variation that leaves the main line on the way to `node`: the position after its first move. `None`
    /// on the main line.
    pub fn first_branch(&self, node: NodeId) -> Option<NodeId> {
        let up = |&branch: &NodeId| self.branch(self.parent(branch)?);
        std::iter::successors(self.branch(node), up).last()
    }

    /// Whether any position has more than one move.
    pub fn has_variations(&self) -> bool {
        self.from(0).into_iter().any(|node| self.nodes[node].children.len() > 1)
    }

    /// Whether any position has a comment, besides times.
    pub fn has_comments(&self) -> bool {
        self.from(0).into_iter().any(|node| !has_times_only(&self.nodes[node].comment))
    }

    /// Promotes the innermost variation that contains `node` above the line it belongs to. False on the main line.
    pub fn promote(&mut self, node: NodeId) -> bool {
        let Some(branch) = self.branch(node) else { return false };
        let Some((parent, _)) = self.nodes[branch].came else { return false };
        let Node { children, chosen, .. } = &mut self.nodes[parent];
        let line = children[*chosen];
        children.retain(|&child| child != branch);
        children.insert(0, branch);
        *chosen = children.iter().position(|&child| child == line).unwrap_or(0);
        self.version += 1;
        true
    }

    /// Deletes a move and everything after it. If the current position is deleted, its parent becomes current. `None`
    /// at the start. Other positions keep their indices.
    pub fn delete(&mut self, node: NodeId) -> Option<DeletedVariation> {
        let (parent, _) = self.nodes[node].came?;
        let index = self.nodes[parent].children.iter().position(|&child| child == node)?;
        let deleted = DeletedVariation { parent, child: node, index, moves: self.count(node) };
        if std::iter::successors(Some(self.current), |&at| self.parent(at)).any(|at| at == node) {
            self.current = parent;
        }
        let Node { children, chosen, .. } = &mut self.nodes[parent];
        children.remove(index);
        // The line stays as it was, or follows the main line if it went through the deleted move.
        *chosen = if *chosen == index { 0 } else { *chosen - usize::from(*chosen > index) };
        self.version += 1;
        Some(deleted)
    }

    /// Restores a deleted variation and goes to its first move. False if the same move was played again or the parent
    /// is gone.
    pub fn restore(&mut self, deleted: DeletedVariation) -> bool {
        let DeletedVariation { parent, child, index, .. } = deleted;
        let Some((_, mv)) = self.nodes.get(child).and_then(|node| node.came) else { return false };
        if !self.holds(parent) || self.tried(parent).any(|(_, tried)| tried == mv) {
            return false;
        }
        let children = &mut self.nodes[parent].children;
        children.insert(index.min(children.len()), child);
        self.version += 1;
        self.go_to(child);
        true
    }

    /// Whether a position exists, that is, was not deleted.
    pub fn holds(&self, node: NodeId) -> bool {
        let mut node = node;
        while let Some(Node { came: Some((parent, _)), .. }) = self.nodes.get(node) {
            if !self.nodes[*parent].children.contains(&node) {
                return false;
            }
            node = *parent;
        }
        node == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{line_text, play, record};
    use super::*;

    #[test]
    fn a_variation_becomes_the_main_line() {
        let mut game = record();
        play(&mut game, "C F b");
        game.back();
        play(&mut game, "a A");
        assert!(game.promote(game.at()));
        assert_eq!(line_text(&game), "C F a A");
        assert!(game.is_main(game.at()) && !game.is_main(3));
        assert!(!game.promote(game.at()), "it is the main line already");
        // A nested variation is promoted within its parent variation first.
        game.go_to(3);
        play(&mut game, "D");
        game.back();
        play(&mut game, "E");
        assert!(game.promote(game.at()) && !game.is_main(game.at()));
        assert!(game.promote(game.at()) && game.is_main(game.at()));
        assert_eq!(line_text(&game), "C F b e");
    }

    #[test]
    fn a_move_is_deleted_with_all_that_follows_and_comes_back() {
        let mut game = record();
        play(&mut game, "C F b D");
        game.go_to(2);
        play(&mut game, "a");
        game.go_to(4);
        let before = notation(&game);
        let deleted = game.delete(3).unwrap();
        assert_eq!((deleted.moves, game.at(), game.len()), (2, 2, 4));
        assert_eq!(line_text(&game), "C F a");
        assert!(!game.holds(3) && !game.holds(4) && game.holds(5));
        assert!(game.restore(deleted));
        assert_eq!((notation(&game), game.at()), (before, 3));
        assert!(!game.restore(deleted), "it is there");
        let deleted = game.delete(1).unwrap();
        assert!(game.is_empty() && game.at() == 0);
        play(&mut game, "C");
        assert!(!game.restore(deleted), "the move was made again");
        assert!(game.delete(0).is_none());
    }

    fn notation(game: &Record) -> String {
        crate::notation::write(game)
    }

    #[test]
    fn comments_are_kept_as_files_can_hold_them() {
        let mut game = record();
        play(&mut game, "C");
        game.set_comment(1, "  a {good}\n move ");
        assert_eq!(game.comment(1), "a {good) move");
        let version = game.version();
        game.set_comment(1, "a {good} move");
        assert_eq!(game.version(), version);
        game.set_comment(1, "");
        assert!(game.comment(1).is_empty() && game.version() > version);
    }
}
