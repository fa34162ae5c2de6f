//! Text that is typed or pasted into fields and filters.

/// Appends typed or pasted text without its control characters to a value of at most `most` characters. Returns whether
/// all of it fitted.
pub fn extend(value: &mut String, text: &str, most: usize) -> bool {
    let mut typed = text.chars().filter(|c| !c.is_control());
    let room = most.saturating_sub(value.chars().count());
    value.extend(typed.by_ref().take(room));
    typed.next().is_none()
}
