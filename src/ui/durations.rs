//! Durations and ages as text.

use std::time::{Duration, SystemTime};

use mancalab_base::utc;

/// Formats a time with a suitable unit: `18.4 µs`, `1.2 ms`, `3.4 s`, and from ten seconds as [`clock`].
pub(crate) fn short_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        ..9.95 => format!("{seconds:.1} s"),
        _ => clock(time),
    }
}

/// Formats the duration of a run: `<1 s`, or as a [`clock`].
pub(crate) fn duration(time: Duration) -> String {
    if time.as_secs() == 0 { "<1 s".to_owned() } else { clock(time) }
}

/// Formats a time as on a clock, in at most nine characters: `0:09`, `4:02`, `1:04:02`, `3 d 4 h`, `120 d`.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let minutes = seconds / 60;
    let hours = seconds / 3600;
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        1..48 => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
        48..2400 => format!("{} d {} h", hours / 24, hours % 24),
        2400..8760 => format!("{} d", hours / 24),
        8760..876_000 => format!("{} years", hours / 8760),
        _ => "centuries".to_owned(),
    }
}

/// Returns an age: `just now`, `5 min ago`, `3 h ago`, `2 d ago`.
pub(crate) fn age(since: Duration) -> String {
    match since.as_secs() {
        0..120 => "just now".to_owned(),
        seconds @ 120..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..86_400 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} d ago", seconds / 86_400),
    }
}

/// Returns a time of today as `15:03`, of this year as `11-27 15:03`, and others as `2025-11-27`; in UTC.
pub(crate) fn time_of(at: SystemTime, now: SystemTime) -> String {
    let [at, now] = [at, now].map(utc);
    let part = |range: std::ops::Range<usize>| at.get(range).unwrap_or_default().to_owned();
    match () {
        () if at.get(..10) == now.get(..10) => part(11..16),
        () if at.get(..4) == now.get(..4) => part(5..16),
        () => part(0..10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_their_date_if_it_is_not_today() {
        let at = |day: u64, minute: u64| std::time::UNIX_EPOCH + Duration::from_secs(86_400 * day + 60 * minute);
        let now = at(20_454, 903);
        assert_eq!(
            [at(20_454, 0), at(20_453, 1439), at(20_454, 903)].map(|then| time_of(then, now)),
            ["00:00", "2025-12-31", "15:03"]
        );
        assert_eq!(time_of(at(20_454, 5), at(20_500, 0)), "01-01 00:05");
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let text = |nanos| short_time(Duration::from_nanos(nanos));
        assert_eq!([text(640), text(1_500_000), text(2_360_000_000)], ["0.6 µs", "1.5 ms", "2.4 s"]);
        assert_eq!([text(99_990_000_000), text(6_674_800_000_000)], ["1:39", "1:51:14"]);
        let clocks =
            [9, 242, 3842, 172_799, 270_000, 8_640_000, 1 << 40].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(clocks, ["0:09", "4:02", "1:04:02", "47:59:59", "3 d 3 h", "100 d", "centuries"]);
        assert_eq!(
            [0.99, 1.0, 242.0].map(|seconds| duration(Duration::from_secs_f64(seconds))),
            ["<1 s", "0:01", "4:02"]
        );
    }

    #[test]
    fn times_are_reported_in_their_units() {
        let ages = [0, 119, 120, 3599, 7200, 200_000].map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(ages, ["just now", "just now", "2 min ago", "59 min ago", "2 h ago", "2 d ago"]);
    }
}
