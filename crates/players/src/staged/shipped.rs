//! Functions that come with the program, by their names after `staged:`. Comments in their files contain the commands that evolved them.

/// Names and texts.
const SHIPPED: [(&str, &str); 2] =
    [("best", include_str!("best.txt")), ("best-staged", include_str!("best-staged.txt"))];

/// Returns the canonical name and the text; `None` if the name is unknown.
pub(super) fn shipped(name: &str) -> Option<(&'static str, &'static str)> {
    SHIPPED.into_iter().find(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::SHIPPED;
    use crate::Spec;

    #[test]
    fn what_is_shipped_can_be_read_and_keeps_its_name() {
        for (name, _) in SHIPPED {
            let text = format!("staged:{name}");
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(Spec::file_in(&text).unwrap(), None, "no file is opened for it");
            let deeper: Spec = format!("{text}:depth=3").parse().unwrap();
            assert_eq!(deeper.to_string(), format!("{text}:depth=3"));
            let Spec::Staged(staged) = spec else { unreachable!() };
            assert!(staged.stages.iter().map(|stage| stage.share).sum::<u32>() == 100);
        }
    }
}
