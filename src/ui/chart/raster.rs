//! Curves as dots, and dots as cells: four rows of two dots in a braille character, two rows of two as quadrants, or one dot per cell in
//! ASCII.
//!
//! Curves are combined here instead of in layers, because a layer hides those below: a cell shared by two curves shows
//! the dots of both, all in the colour (in ASCII as the character) of the one on top; a dim curve yields to others. A band is behind
//! them, as a background, or as sparse dots that cells of a curve leave out.

use std::ops::RangeInclusive;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::Span;

use super::{Pattern, Series};
use crate::theme::{Dots, Role};
use crate::ui::Look;
use crate::ui::chart::axes::Rows;

/// The dots of all curves in a plot.
pub struct Raster {
    plot: Rect,
    dots: Dots,
    has_colour: bool,
    /// The dots of each curve in each cell, as the bits of a braille character: all, the upper two rows, or the first.
    curves: Vec<Vec<u8>>,
}

/// The bits of a braille character, by row and column of its dots.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Raster {
    pub fn new(plot: Rect, look: &Look) -> Raster {
        Raster { plot, dots: look.glyphs.dots, has_colour: has_colour(look), curves: Vec::new() }
    }

    /// Returns the number of dots across and down.
    fn size(&self) -> (i64, i64) {
        let (across, down) = grid(self.dots);
        (i64::from(self.plot.width) * across, i64::from(self.plot.height) * down)
    }

    /// Returns the dot of a point, which may be outside.
    fn dot(&self, (x, y): (f64, f64), (from, to): (f64, f64), rows: &Rows) -> (i64, i64) {
        let (wide, _) = self.size();
        let across = (x - from) / (to - from) * (wide - 1) as f64;
        let row = f64::from(self.plot.height - 1) - rows.above(y);
        // The middle of a cell of four dots is between its second and third.
        let high = grid(self.dots).1 as f64;
        let down = row * high + (high - 1.0) / 2.0;
        (across.clamp(-1e9, 1e9).round() as i64, down.clamp(-1e9, 1e9).round() as i64)
    }

    /// Adds a curve.
    pub fn add(&mut self, series: &Series, x: (f64, f64), rows: &Rows) {
        let cells = usize::from(self.plot.width) * usize::from(self.plot.height);
        self.curves.push(vec![0; cells]);
        let mut pen = Pen { dots: series.pattern.dots(self.has_colour), gone: 0 };
        let mut last = None;
        for at in self.thinned(&series.points, x, rows) {
            match last {
                None => self.mark(at, &mut pen),
                Some(from) => self.line(from, at, &mut pen),
            }
            last = Some(at);
        }
    }

    /// Returns the first, lowest, highest and last dot in each column of dots: at most four per column, however many
    /// points there are.
    fn thinned(&self, points: &[(f64, f64)], x: (f64, f64), rows: &Rows) -> Vec<(i64, i64)> {
        let mut kept: Vec<(i64, i64)> = Vec::new();
        let mut column: Option<[(i64, i64); 4]> = None;
        let end = |column: Option<[(i64, i64); 4]>, kept: &mut Vec<(i64, i64)>| {
            kept.extend(column.into_iter().flatten());
            kept.dedup();
        };
        for &(px, py) in points.iter().filter(|(_, y)| y.is_finite()) {
            let dot = self.dot((px, py), x, rows);
            match &mut column {
                Some([_, low, high, last]) if last.0 == dot.0 => {
                    *low = if dot.1 > low.1 { dot } else { *low };
                    *high = if dot.1 < high.1 { dot } else { *high };
                    *last = dot;
                }
                _ => end(column.replace([dot; 4]), &mut kept),
            }
        }
        end(column, &mut kept);
        kept
    }

    /// Draws a band, `(x, low, high)` with x ascending, linear between its points: as a background where the terminal has enough colours,
    /// else as sparse dots.
    pub fn shade(&self, band: &[(f64, f64, f64)], x: (f64, f64), rows: &Rows, buf: &mut Buffer, look: &Look) {
        let (wide, high) = self.size();
        let (across, down) = grid(self.dots);
        let ground = look.theme.heat_ground(0.0);
        let is_braille = self.dots == Dots::Braille;
        let mut dots = vec![0_u8; usize::from(self.plot.width) * usize::from(self.plot.height)];
        for column in 0..wide {
            let Some((low, top)) = edges(band, x, column as f64 / (wide.max(2) - 1) as f64, wide) else { continue };
            let [first, last] = [top, low].map(|y| self.dot((x.0, y), x, rows).1);
            for y in first.max(0)..=last.min(high - 1) {
                if is_braille && ground.is_none() && !is_strewn(column, y) {
                    continue;
                }
                let cell = (y / down) as usize * usize::from(self.plot.width) + (column / across) as usize;
                dots[cell] |= BITS[(y % down) as usize][(column % across) as usize];
            }
        }
        for (cell, &bits) in dots.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let column = cell % usize::from(self.plot.width);
            let line = cell / usize::from(self.plot.width);
            let cell = &mut buf[(self.plot.x + column as u16, self.plot.y + line as u16)];
            match ground {
                Some(ground) if is_braille => fill(cell, bits, ground),
                Some(ground) => _ = cell.set_bg(ground),
                None if is_braille => _ = cell.set_char(braille(bits)).set_style(look.style(Role::Dim)),
                None => _ = cell.set_symbol(look.glyphs.shade[1]).set_style(look.style(Role::Dim)),
            }
        }
    }

    fn line(&mut self, (x1, y1): (i64, i64), (x2, y2): (i64, i64), pen: &mut Pen) {
        let (wide, high) = self.size();
        let steps = (x2 - x1).abs().max((y2 - y1).abs()).max(1);
        // Skip the steps outside the plot, so that the cost is bounded by its size.
        let seen = within(1..=steps, (x1, x2), wide, steps);
        for step in within(seen, (y1, y2), high, steps) {
            let part = step as f64 / steps as f64;
            let at = (x1 as f64 + part * (x2 - x1) as f64, y1 as f64 + part * (y2 - y1) as f64);
            self.mark((at.0.round() as i64, at.1.round() as i64), pen);
        }
    }

    fn mark(&mut self, (x, y): (i64, i64), pen: &mut Pen) {
        let (wide, high) = self.size();
        if !pen.draws(self.dots) || !(0..wide).contains(&x) || !(0..high).contains(&y) {
            return;
        }
        let (across, down) = grid(self.dots);
        let cell = (y / down) as usize * usize::from(self.plot.width) + (x / across) as usize;
        if let Some(bits) = self.curves.last_mut().and_then(|curve| curve.get_mut(cell)) {
            *bits |= BITS[(y % down) as usize][(x % across) as usize];
        }
    }

    /// Draws the curves in their roles. In shared cells one with the role of the selection is on top, or else the first.
    pub fn draw(&self, series: &[Series], buf: &mut Buffer, look: &Look) {
        let wide = usize::from(self.plot.width);
        for cell in 0..wide * usize::from(self.plot.height) {
            let column = cell % wide;
            let line = cell / wide;
            let mut here: Vec<usize> = (0..self.curves.len()).filter(|&curve| self.curves[curve][cell] != 0).collect();
            let is_bright = |curve: &usize| series[*curve].role != Role::Dim;
            if here.iter().any(is_bright) {
                here.retain(is_bright);
            }
            let is_selected = |curve: &&usize| series[**curve].role == Role::Accent;
            let Some(&top) = here.iter().find(is_selected).or(here.first()) else { continue };
            let shown = &series[top];
            let dots = here.iter().fold(0, |dots, &curve| dots | self.curves[curve][cell]);
            let symbol = symbol(self.dots, dots).unwrap_or_else(|| shown.pattern.mark());
            let place = (self.plot.x + column as u16, self.plot.y + line as u16);
            buf[place].set_char(symbol).set_style(look.style(shown.role));
        }
    }
}

/// Returns the range of `steps` of a line from `start` to `end` along one axis that may be within `0..size`. `of` is
/// the number of steps in all, at least the length along this axis.
fn within(steps: RangeInclusive<i64>, (start, end): (i64, i64), size: i64, divisions: i64) -> RangeInclusive<i64> {
    let (first, last) = steps.into_inner();
    let step =
        |at: i64| i64::try_from(i128::from(at - start) * i128::from(divisions) / i128::from(end - start)).unwrap_or(0);
    let (enters, leaves) = match end - start {
        0 if (0..size).contains(&start) => (first, last),
        0 => (1, 0),
        1.. => (step(-1) - 1, step(size) + 1),
        _ => (step(size) - 1, step(-1) + 1),
    };
    first.max(enters)..=last.min(leaves)
}

/// Returns the lower and upper edge of a band at the fraction `share` of an axis of `wide` dots; `None` outside its
/// ends.
fn edges(band: &[(f64, f64, f64)], (from, to): (f64, f64), share: f64, wide: i64) -> Option<(f64, f64)> {
    let first = band.first()?.0;
    let last = band.last()?.0;
    let at = from + (to - from) * share;
    let half = (to - from) / (wide.max(2) - 1) as f64 / 2.0;
    if at + half < first || at - half > last {
        return None;
    }
    let at = at.clamp(first, last);
    let after = band.partition_point(|&(x, ..)| x < at).min(band.len() - 1);
    let (x2, low2, high2) = band[after];
    let (x1, low1, high1) = band[after.saturating_sub(1)];
    let part = if x2 > x1 { ((at - x1) / (x2 - x1)).clamp(0.0, 1.0) } else { 1.0 };
    let edges = (low1 + part * (low2 - low1), high1 + part * (high2 - high1));
    (edges.0.is_finite() && edges.1.is_finite()).then_some(edges)
}

/// Fills the halves of a cell of which a band covers at least half.
fn fill(cell: &mut Cell, bits: u8, ground: Color) {
    let covers = |half: [[u8; 2]; 2]| half.as_flattened().iter().filter(|bit| bits & **bit != 0).count() >= 2;
    match [covers([BITS[0], BITS[1]]), covers([BITS[2], BITS[3]])] {
        [true, true] => _ = cell.set_bg(ground),
        [true, false] => _ = cell.set_char('▀').set_fg(ground),
        [false, true] => _ = cell.set_char('▄').set_fg(ground),
        [false, false] => {}
    }
}

/// Returns whether a band has a dot here: two per cell, as far apart as possible.
fn is_strewn(x: i64, y: i64) -> bool {
    y % 4 == 2 * (x % 2)
}

/// Returns a sample of a band for the legend.
pub fn shade_sample(look: &Look) -> Span<'static> {
    if let Some(ground) = look.theme.heat_ground(0.0) {
        return Span::styled("  ", Style::new().bg(ground));
    }
    if look.glyphs.dots != Dots::Braille {
        return look.span(Role::Dim, look.glyphs.shade[1]);
    }
    let dots = (0..4).flat_map(|y| (0..2).map(move |x| (x, y))).filter(|&(x, y)| is_strewn(x, y));
    let sample = braille(dots.fold(0, |bits, (x, y)| bits | BITS[y as usize][x as usize]));
    look.span(Role::Dim, sample.to_string().repeat(2))
}

/// Whether a dim curve has a colour of its own.
fn has_colour(look: &Look) -> bool {
    look.style(Role::Dim).fg.is_some()
}

fn braille(dots: u8) -> char {
    char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
}

/// Returns the dots of a cell across and down.
fn grid(dots: Dots) -> (i64, i64) {
    match dots {
        Dots::Braille => (2, 4),
        Dots::Quadrants => (2, 2),
        Dots::Cells => (1, 1),
    }
}

/// The quadrants by the bits of the upper left one, the upper right, the lower left and the lower right.
const QUADRANTS: [char; 16] = [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];

/// Returns the character of the dots in a cell; `None`: that of the curve.
fn symbol(dots: Dots, bits: u8) -> Option<char> {
    match dots {
        Dots::Braille => Some(braille(bits)),
        Dots::Quadrants => {
            let set = |bit: u8, value: usize| if bits & bit != 0 { value } else { 0 };
            let [[left, right], [lower_left, lower_right], ..] = BITS;
            Some(QUADRANTS[set(left, 1) + set(right, 2) + set(lower_left, 4) + set(lower_right, 8)])
        }
        Dots::Cells => None,
    }
}

/// The position in a pattern along its curve.
struct Pen {
    /// See [`Pattern::dots`].
    dots: &'static str,
    gone: usize,
}

impl Pen {
    /// Returns whether the next dot is drawn. In ASCII every dot is: characters distinguish the curves.
    fn draws(&mut self, dots: Dots) -> bool {
        self.gone += 1;
        dots == Dots::Cells || self.dots.as_bytes()[(self.gone - 1) % self.dots.len()] == b'#'
    }
}

/// Returns a sample of a curve for the legend, three cells wide.
pub fn sample(pattern: Pattern, look: &Look) -> String {
    let dots = look.glyphs.dots;
    let mut pen = Pen { dots: pattern.dots(has_colour(look)), gone: 0 };
    let mut cell = || BITS[1].into_iter().fold(0, |bits, bit| if pen.draws(dots) { bits | bit } else { bits });
    let cells: Option<String> = (0..3).map(|_| symbol(dots, cell())).collect();
    cells.unwrap_or_else(|| pattern.mark().to_string())
}
