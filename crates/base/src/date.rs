//! Dates in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026-11-20 06:23:45Z`
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let date = date(seconds / 86_400);
    let second = seconds % 86_400;
    format!("{date} {:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Days from 1 March of year 0, in the calendar of today, to 1970.
const BEFORE: u64 = 719_468;

/// A day since 1970 as `2026-11-20`.
pub fn date(day: u64) -> String {
    // Years that begin in March have the leap day at their end.
    let era_day = day + BEFORE;
    let era = era_day / 146_097;
    let day = era_day % 146_097;
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    format!("{year:04}-{month:02}-{day:02}")
}

/// The day since 1970 of a text such as `2026-11-20`; `None` if it is none from 1970 to 9999.
pub fn day_of(text: &str) -> Option<u64> {
    let mut parts = text.split('-').map(|part| part.parse::<u64>().ok());
    let mut next = |least, most| parts.next()?.filter(|part| (least..=most).contains(part));
    let year = next(1970, 9999)?;
    let month = next(1, 12)?;
    let day = next(1, 31)?;
    let (month, year) = if month > 2 { (month - 3, year) } else { (month + 9, year - 1) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    days.checked_sub(BEFORE).filter(|&days| date(days) == text)
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

    #[test]
    fn dates_are_days_and_back() {
        assert_eq!([date(0), date(11_016), date(20_454)], ["1970-01-01", "2000-02-29", "2026-01-01"]);
        for day in (0..2_932_897).step_by(97).chain([2_932_896]) {
            assert_eq!(day_of(&date(day)), Some(day));
        }
        for text in
            ["", "2026-02-29", "2026-13-01", "1969-12-31", "2026-1-01", "2026-01-01-1", "x-01-01", "10000-01-01"]
        {
            assert_eq!(day_of(text), None, "{text}");
        }
    }
}
