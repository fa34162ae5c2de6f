//! Dates in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026-11-20 06:23:45Z`
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = seconds / 86_400;
    let second = seconds % 86_400;
    // Years that begin in March have the leap day at their end.
    let era_day = days + 719_468;
    let era = era_day / 146_097;
    let day = era_day % 146_097;
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_reported_in_utc() {
        let at = |seconds| utc(UNIX_EPOCH + std::time::Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01 00:00:00Z");
        assert_eq!(at(951_825_599), "2000-02-29 11:59:59Z");
        assert_eq!(at(1_767_225_600), "2026-01-01 00:00:00Z");
    }
}
