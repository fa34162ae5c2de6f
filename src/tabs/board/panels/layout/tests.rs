use super::*;
use crate::game::Variant;

fn boards() -> Vec<Board> {
    let variants = ["kalah", "kalah:1x3", "kalah:8x4", "othello", "checkers"];
    variants.map(|text| text.parse::<Variant>().unwrap().start().board()).into()
}

fn panels(layout: &Layout) -> [Rect; 8] {
    let Layout { board, beside, moves, curve, mistakes, analysis, terms, reports, .. } = *layout;
    [board, beside, moves, curve, mistakes, analysis, terms, reports]
}

/// All panels.
fn requests() -> impl Iterator<Item = PanelRequest> {
    (0_u16..256).map(|bits| {
        let bit = |index: u16| bits >> index & 1 == 1;
        PanelRequest {
            analysis: bit(0),
            lines: 6,
            terms: bit(1),
            terms_last: bit(2),
            has_terms: bit(1) || bit(3),
            term_lines: if bit(7) { [27, 14] } else { [10, 5] },
            curve: bit(4),
            mistakes: bit(4),
            reports: if bit(5) { 1 + u16::from(bit(4)) } else { 0 },
            story: 2 * u16::from(bit(5)),
            edit: bit(6),
        }
    })
}

#[test]
fn panels_never_overlap_and_never_leave_the_screen() {
    let requests: Vec<PanelRequest> = requests().collect();
    let widths = || (20..=130).chain((131..480).step_by(13)).chain([160, 200, 480]);
    let heights = || (5..=62).chain((63..154).step_by(9)).chain([154]);
    for board in boards() {
        for (width, height) in widths().flat_map(|width| heights().map(move |height| (width, height))) {
            // Each size draws some of the cases, and together they draw all.
            for wanted in requests.iter().skip(usize::from(width * 7 + height) % 17).step_by(17) {
                let area = Rect::new(3, 1, width, height);
                let layout = layout(area, &board, wanted);
                let joined = panels(&layout.joined());
                assert!(
                    joined.iter().all(|panel| panel.is_empty() || panel.intersection(area) == *panel),
                    "{layout:?}"
                );
                let panels = panels(&layout).into_iter().filter(|panel| !panel.is_empty()).collect::<Vec<_>>();
                for (index, panel) in panels.iter().enumerate() {
                    assert_eq!(panel.intersection(area), *panel, "{width}x{height} {wanted:?} {layout:?}");
                    for other in &panels[..index] {
                        assert!(!panel.intersects(*other), "{width}x{height} {wanted:?} {layout:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn large_screens_are_used_up_and_show_everything() {
    let [kalah, _, _, othello, _] = <[Board; 5]>::try_from(boards()).unwrap();
    for (width, height) in [(120, 38), (160, 48), (200, 58), (240, 70)] {
        for (board, has_terms) in [(&kalah, true), (&othello, false)] {
            let area = Rect::new(0, 1, width, height);
            let wanted = PanelRequest {
                analysis: true,
                lines: 6,
                has_terms,
                term_lines: [10, 5],
                curve: true,
                mistakes: true,
                reports: 2,
                ..PanelRequest::default()
            };
            let layout = layout(area, board, &wanted);
            let used: u32 = panels(&layout).iter().map(|panel| panel.area()).sum();
            assert_eq!(used, area.area(), "{width}x{height} {layout:?}");
            let shown = [layout.moves, layout.curve, layout.analysis, layout.reports];
            assert!(shown.iter().all(|panel| panel.height >= 5 && panel.width >= 30), "{layout:?}");
        }
    }
}

#[test]
fn analysis_and_terms_stand_side_by_side_where_there_is_room() {
    let [kalah, ..] = <[Board; 5]>::try_from(boards()).unwrap();
    let wanted = PanelRequest {
        analysis: true,
        lines: 6,
        terms: true,
        has_terms: true,
        term_lines: [10, 5],
        ..PanelRequest::default()
    };
    for (width, height, both) in [(80, 22, false), (100, 30, true), (120, 38, true), (200, 58, true)] {
        let layout = layout(Rect::new(0, 1, width, height), &kalah, &wanted);
        assert_eq!(!layout.analysis.is_empty() && !layout.terms.is_empty(), both, "{width}x{height} {layout:?}");
    }
}
