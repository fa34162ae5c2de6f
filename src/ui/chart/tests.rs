//! Tests of drawn charts with and without braille, and of their cost.

use std::time::{Duration, Instant};

use super::*;
use crate::app::stage::look;
use crate::theme::{ColorDepth, Glyphs, Theme};

const PATTERNS: [Pattern; 4] = [Pattern::Solid, Pattern::Dashed, Pattern::Dotted, Pattern::Mixed];

fn ascii() -> Look {
    Look { glyphs: Glyphs::ascii(), ..look() }
}

fn drawn(chart: &Chart, title: &str, size: (u16, u16), look: &Look) -> String {
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buf = Buffer::empty(area);
    chart.framed(Line::from(title.to_owned()), Line::default(), false, area, &mut buf, look);
    let line = |y: u16| (0..area.width).map(|x| buf[(x, y)].symbol()).collect::<String>().trim_end().to_owned() + "\n";
    (0..area.height).map(line).collect()
}

fn points(of: fn(f64) -> f64) -> Vec<(f64, f64)> {
    (0..=100).map(|x| (f64::from(x), of(f64::from(x)))).collect()
}

fn sample() -> Chart {
    Chart {
        x: (0.0, 120.0),
        unit: "generation",
        series: vec![
            Series::new("best", Role::Curve1, Pattern::Solid, points(|x| 50.0 * x.sqrt())),
            Series::new("mean", Role::Curve2, Pattern::Dashed, points(|x| 30.0 * x.sqrt())),
        ],
        band: Some(Band {
            label: "middle half".to_owned(),
            points: points(f64::sqrt).into_iter().map(|(x, root)| (x, 20.0 * root, 36.0 * root)).collect(),
        }),
        ..Chart::default()
    }
}

#[test]
fn a_chart_has_axes_curves_a_band_and_a_legend_in_its_frame() {
    let mut text = String::new();
    for look in [look(), ascii()] {
        text += &drawn(&sample(), "Fitness", (60, 16), &look);
        text += &drawn(&Chart { cursor: Some(64.0), ..sample() }, "Fitness", (46, 11), &look);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn without_braille_curves_are_quadrants() {
    let blocks = Look { glyphs: Glyphs::blocks(), ..look() };
    let text = drawn(&sample(), "Fitness", (60, 16), &blocks);
    assert!(!text.contains(|c: char| ('\u{2800}'..='\u{28ff}').contains(&c)), "{text}");
    let quadrants = text.chars().filter(|c| "▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".contains(*c)).count();
    assert!(quadrants > 40, "{text}");
}

/// A curve must not hide another one: the dots of both are drawn, in the colour of the one on top.
#[test]
fn curves_that_share_a_cell_have_one_colour() {
    let near = |by: f64| (0..=40).map(|x| (f64::from(x), 50.0 + by)).collect::<Vec<_>>();
    let drawn = |first: Role, second: Role, look: &Look| {
        let chart = Chart {
            x: (0.0, 40.0),
            series: vec![
                Series::new("best", first, Pattern::Solid, near(0.0)),
                Series::new("other", second, Pattern::Solid, near(2.0)),
                Series::new("ends", Role::Dim, Pattern::Dotted, vec![(0.0, 0.0), (40.0, 100.0)]),
            ],
            ..Chart::default()
        };
        let area = Rect::new(0, 0, 40, 10);
        let mut buf = Buffer::empty(area);
        let plot = chart.draw(area, &mut buf, look).unwrap().area;
        let cells =
            plot.positions().map(|at| buf[at].clone()).filter(|cell| cell.fg != look.style(Role::Dim).fg.unwrap());
        cells.filter(|cell| cell.symbol() != " ").collect::<Vec<_>>()
    };
    for look in [look(), ascii()] {
        for (first, second, top) in
            [(Role::Curve1, Role::Curve2, Role::Curve1), (Role::Curve1, Role::Accent, Role::Accent)]
        {
            let cells = drawn(first, second, &look);
            assert!(cells.len() > 30 && cells.iter().all(|cell| Some(cell.fg) == look.style(top).fg), "{cells:?}");
        }
    }
    assert!(drawn(Role::Curve1, Role::Curve2, &ascii()).iter().all(|cell| cell.symbol() == "*"));
}

/// The mean is without gaps where it is dim, and dashed where nothing else tells it from the best.
#[test]
fn the_mean_is_solid_and_dim_and_the_best_is_on_top() {
    let rows = [(0_u64, 1.0, 1.0), (40, 9.0, 5.0)];
    let rows: Vec<&(u64, f64, f64)> = rows.iter().collect();
    let columns: [Curve<(u64, f64, f64)>; 2] = [("best", |row| row.1), ("mean", |row| row.2)];
    let chart = Chart { x: (0.0, 40.0), series: curves(&rows, |row| row.0, &columns), ..Chart::default() };
    let mono = Look { theme: Theme::usual(ColorDepth::None), ..look() };
    for (look, is_whole) in [(look(), true), (mono, false)] {
        let area = Rect::new(0, 0, 44, 12);
        let mut buf = Buffer::empty(area);
        let plot = chart.draw(area, &mut buf, &look).unwrap().area;
        let has = |x: u16, role: Role| {
            (plot.y..plot.bottom()).any(|y| {
                buf[(x, y)].symbol() != " " && buf[(x, y)].style() == look.style(role).patch(buf[(x, y)].style())
            })
        };
        let mean = (plot.x + 9..plot.right()).filter(|&x| has(x, Role::Dim)).count();
        assert_eq!(mean == usize::from(plot.width - 9), is_whole, "{mean}");
        assert!(has(plot.x, Role::Curve1));
    }
}

#[test]
fn an_axis_of_percentages_ends_at_100() {
    for rows in 6..40 {
        let points = vec![(0.0, 3.0), (40.0, 97.0)];
        let series = vec![Series::new("", Role::Curve1, Pattern::Solid, points)];
        let chart = Chart { x: (0.0, 40.0), is_percent: true, series, ..Chart::default() };
        let text = drawn(&chart, "won", (40, rows), &look());
        let labels =
            text.lines().filter_map(|line| line.trim_matches(['│', ' ']).split('┤').next()?.parse::<f64>().ok());
        let labels: Vec<f64> = labels.collect();
        assert_eq!(labels.first(), Some(&100.0), "{text}");
    }
}

/// A band is a background where the terminal has 256 colours, and leaves curves as they are.
#[test]
fn a_band_is_a_background_with_enough_colours() {
    let area = Rect::new(0, 0, 60, 16);
    let grounds = |depth: ColorDepth| {
        let look = Look { theme: Theme::usual(depth), ..look() };
        let mut buf = Buffer::empty(area);
        sample().draw(area, &mut buf, &look);
        let ground = look.theme.heat_ground(0.0);
        buf.content().iter().filter(|cell| ground.is_some_and(|ground| cell.bg == ground)).count()
    };
    assert!([ColorDepth::True, ColorDepth::Indexed].map(grounds).iter().all(|&count| count > 60));
    assert_eq!([ColorDepth::Sixteen, ColorDepth::None].map(grounds), [0, 0]);
}

/// A dim curve is drawn only where there is no other.
#[test]
fn a_dim_curve_yields_to_others() {
    let flat = |role| Series::new("", role, Pattern::Solid, vec![(0.0, 1.0), (40.0, 1.0)]);
    let chart = Chart { x: (0.0, 40.0), series: vec![flat(Role::Dim), flat(Role::Curve1)], ..Chart::default() };
    let area = Rect::new(0, 0, 40, 3);
    let mut buf = Buffer::empty(area);
    let look = look();
    chart.draw(area, &mut buf, &look);
    let dim = look.style(Role::Dim).fg.unwrap();
    assert!(buf.content().iter().all(|cell| cell.fg != dim));
}

#[test]
fn patterns_tell_curves_apart_without_colour() {
    for look in [look(), ascii()] {
        let samples = PATTERNS.map(|pattern| raster::sample(pattern, &look));
        assert!((0..4).all(|a| (0..a).all(|b| samples[a] != samples[b])), "{samples:?}");
    }
}

#[test]
fn any_chart_can_be_drawn_at_any_size() {
    let far = vec![(0.0, -1e300), (1.0, 1e300)];
    for points in [vec![], vec![(0.0, 5.0)], vec![(0.0, f64::NAN), (1.0, 2.0)], vec![(-1e12, 1.0), (1e12, 2.0)], far] {
        for x in [(0.0, 0.0), (0.0, 1.0), (5.0, 1e9)] {
            let series = vec![Series::new("x", Role::Curve1, Pattern::Mixed, points.clone())];
            let chart = Chart { x, series, cursor: Some(0.0), ..Chart::default() };
            for (width, height) in [(0, 0), (1, 1), (12, 4), (13, 5), (300, 100)] {
                for look in [look(), ascii()] {
                    let area = Rect::new(0, 0, width, height);
                    chart.draw(area, &mut Buffer::empty(area), &look);
                    chart.framed(Line::from("title"), Line::default(), true, area, &mut Buffer::empty(area), &look);
                }
            }
        }
    }
}

/// Four curves of 100,000 points take a few milliseconds in a release build, and at most a second in a debug build.
#[test]
fn a_long_history_is_cheap_to_draw() {
    let noisy = |phase: f64| (0..100_000).map(|x| (f64::from(x), (f64::from(x) * phase).sin() * 1000.0)).collect();
    let series =
        (0..4).map(|index| Series::new("run", Role::Curve1, PATTERNS[index], noisy(0.1 + index as f64))).collect();
    let chart = Chart { x: (0.0, 100_000.0), series, ..Chart::default() };
    let area = Rect::new(0, 0, 200, 60);
    let look = look();
    let quickest = (0..5)
        .map(|_| {
            let began = Instant::now();
            chart.draw(area, &mut Buffer::empty(area), &look);
            began.elapsed()
        })
        .min()
        .unwrap_or_default();
    let most = if cfg!(debug_assertions) { 1000 } else { 20 };
    assert!(quickest < Duration::from_millis(most), "{quickest:?}");
}

#[test]
fn a_sparkline_has_its_scale_where_there_is_room() {
    let text = |cells| scaled_sparkline(&[4.0, 20.0, 37.0], |value| format!("{value}"), cells, &look());
    assert_eq!([text(20), text(10), text(9)], ["4 ▁▄▇ 37", "4 ▁▄▇ 37", "▁▄▇"]);
    assert_eq!(scaled_sparkline(&[], |value| value.to_string(), 9, &look()), "");
}

#[test]
fn a_sparkline_shows_the_whole_history() {
    let look = look();
    assert_eq!(sparkline(&[0.0, 1.0, 2.0, 3.0], 8, &look), "▁▃▅▇");
    assert_eq!(sparkline(&[1.0; 5], 3, &look), "▄▄▄");
    let long: Vec<f64> = (0..1000).map(f64::from).collect();
    assert_eq!(sparkline(&long, 8, &look).chars().count(), 8);
    assert_eq!(sparkline(&[], 8, &look), "");
}
