//! What is done with the tree of a game besides making moves: variations promoted, deleted and brought back, comments.

use super::{Node, NodeId, Record};

/// A variation that was deleted, for [`Record::restore`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deleted {
    parent: NodeId,
    child: NodeId,
    index: usize,
    /// How many moves went.
    pub moves: usize,
}

impl Record {
    /// What was written about a position; empty for nothing.
    pub fn comment(&self, node: NodeId) -> &str {
        &self.nodes[node].comment
    }

    /// Writes a comment about a position in the place of the one before; an empty text takes it away. It is kept as game files can
    /// hold it: in one line, a closing brace as a parenthesis.
    pub fn set_comment(&mut self, node: NodeId, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('}', ")");
        if self.nodes[node].comment != text {
            self.nodes[node].comment = text;
            self.version += 1;
        }
    }

    /// Whether a position lies on the main line.
    pub fn is_main(&self, node: NodeId) -> bool {
        self.branch(node).is_none()
    }

    /// Where the variation begins that `node` lies in, the innermost: the position after its first move. `None` on the main line.
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

    /// Where the variation begins that leaves the main line on the way to `node`: the position after its first move. `None` on the
    /// main line.
    pub fn first_branch(&self, node: NodeId) -> Option<NodeId> {
        let up = |&branch: &NodeId| self.branch(self.parent(branch)?);
        std::iter::successors(self.branch(node), up).last()
    }

    /// Somewhere more than one move was tried.
    pub fn has_variations(&self) -> bool {
        self.from(0).into_iter().any(|node| self.nodes[node].children.len() > 1)
    }

    /// Some position has a comment.
    pub fn has_comments(&self) -> bool {
        self.from(0).into_iter().any(|node| !self.nodes[node].comment.is_empty())
    }

    /// Makes the variation that `node` lies in, the innermost, the line that it is a variation of. False on the main line.
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

    /// Deletes a move with all that follows it; who stood there stands before it. `None` at the start. The numbers of other
    /// positions stay.
    pub fn delete(&mut self, node: NodeId) -> Option<Deleted> {
        let (parent, _) = self.nodes[node].came?;
        let index = self.nodes[parent].children.iter().position(|&child| child == node)?;
        let deleted = Deleted { parent, child: node, index, moves: self.count(node) };
        if std::iter::successors(Some(self.at), |&at| self.parent(at)).any(|at| at == node) {
            self.at = parent;
        }
        let Node { children, chosen, .. } = &mut self.nodes[parent];
        children.remove(index);
        // The line goes on as it did, or along the main line if it went through the deleted move.
        *chosen = if *chosen == index { 0 } else { *chosen - usize::from(*chosen > index) };
        self.version += 1;
        Some(deleted)
    }

    /// Puts a deleted variation back and goes to its first move. False if the same move was made there again, or the place is gone.
    pub fn restore(&mut self, deleted: Deleted) -> bool {
        let Deleted { parent, child, index, .. } = deleted;
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

    /// Whether a position has not been deleted.
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
        // One that lies in another becomes that one's line first.
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
