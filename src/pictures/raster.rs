//! Draws pictures as pixels: discs with a light from above on the left, crowns, and heaps of seeds.

use super::Picture;

/// Red, green, blue.
pub(crate) type Rgb = (u8, u8, u8);

/// What a picture shows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Motif {
    Disc {
        ink: Rgb,
        /// A ring is cut into it, as into the men of checkers.
        is_cut: bool,
        /// The colour of its crown.
        crown: Option<Rgb>,
        mark: Option<(Mark, Rgb)>,
    },
    Seeds {
        count: u16,
        ink: Rgb,
    },
}

/// A mark in the middle of a disc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// It was moved last.
    Spot,
    /// It is flipped or captured by a move.
    Ring,
}

/// An image without transparency, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Image {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Rgb>,
}

/// A shape's colour at a point, if it covers the point.
type Shape<'a> = &'a dyn Fn(f64, f64) -> Option<Rgb>;

/// Draws a picture for cells of this width and height in pixels.
pub(super) fn draw(picture: &Picture, cell: (u16, u16)) -> Image {
    let width = usize::from(picture.cells.0 * cell.0);
    let height = usize::from(picture.cells.1 * cell.1);
    let mut image = Image { width, height, pixels: vec![picture.ground; width * height] };
    match &picture.motif {
        Motif::Disc { ink, is_cut, crown, mark } => {
            let radius = 0.44 * width.min(height) as f64;
            let disc = Disc { x: width as f64 / 2.0, y: height as f64 / 2.0, radius };
            image.disc(&disc, *ink, picture.ground);
            if *is_cut {
                image.ring(&disc, 0.62, 0.7, mix(*ink, opposite(*ink), 0.25));
            }
            if let Some(color) = crown {
                image.crown(&disc, *color);
            }
            match mark {
                Some((Mark::Spot, color)) => image.ring(&disc, 0.0, 0.2, *color),
                Some((Mark::Ring, color)) => image.ring(&disc, 0.32, 0.48, *color),
                None => {}
            }
        }
        Motif::Seeds { count, ink } => image.seeds(*count, *ink, picture.ground),
    }
    image
}

/// A circle, in pixels.
struct Disc {
    x: f64,
    y: f64,
    radius: f64,
}

impl Disc {
    /// Returns a point relative to the middle, in radii.
    fn relative(&self, x: f64, y: f64) -> (f64, f64) {
        ((x - self.x) / self.radius, (y - self.y) / self.radius)
    }
}

/// Samples a pixel's side is divided into, for smooth edges.
const SAMPLES: usize = 3;

impl Image {
    /// Returns the part at `from` of this size, cut where the image ends.
    pub fn part(&self, from: (usize, usize), size: (usize, usize)) -> Image {
        let width = size.0.min(self.width.saturating_sub(from.0));
        let height = size.1.min(self.height.saturating_sub(from.1));
        let row = |y: usize| {
            let start = (from.1 + y) * self.width + from.0;
            self.pixels[start..start + width].iter().copied()
        };
        Image { width, height, pixels: (0..height).flat_map(row).collect() }
    }

    /// Paints a shape within this distance of a point.
    fn paint(&mut self, disc: &Disc, reach: f64, shape: Shape) {
        let range = |middle: f64, most: usize| {
            let reach = reach * disc.radius + 1.0;
            ((middle - reach).max(0.0) as usize)..((middle + reach).max(0.0) as usize + 1).min(most)
        };
        let step = 1.0 / SAMPLES as f64;
        for y in range(disc.y, self.height) {
            for x in range(disc.x, self.width) {
                let pixel = &mut self.pixels[y * self.width + x];
                let mut sum = [0.0; 3];
                for sample in 0..SAMPLES * SAMPLES {
                    let dx = ((sample % SAMPLES) as f64 + 0.5) * step;
                    let dy = ((sample / SAMPLES) as f64 + 0.5) * step;
                    let (red, green, blue) = shape(x as f64 + dx, y as f64 + dy).unwrap_or(*pixel);
                    [red, green, blue].into_iter().zip(&mut sum).for_each(|(part, sum)| *sum += f64::from(part));
                }
                let [red, green, blue] = sum.map(|sum| (sum / (SAMPLES * SAMPLES) as f64).round() as u8);
                *pixel = (red, green, blue);
            }
        }
    }

    /// Paints a disc with its shadow on the ground and its rim.
    fn disc(&mut self, disc: &Disc, ink: Rgb, ground: Rgb) {
        let shade = mix(ground, (0, 0, 0), 0.4);
        self.paint(disc, 1.2, &|x, y| {
            let (dx, dy) = disc.relative(x, y);
            (square(dx - 0.06, dy - 0.1) <= 1.0).then_some(shade)
        });
        self.paint(disc, 1.0, &|x, y| {
            let (dx, dy) = disc.relative(x, y);
            let distance = square(dx, dy);
            // Towards the light, and at the rim a sharper edge of it.
            let light = -(0.5 * dx + 0.8 * dy) * if distance > 0.88 * 0.88 { 0.35 } else { 0.16 };
            (distance <= 1.0).then(|| lit(ink, light))
        });
    }

    /// Paints a ring between two parts of the radius.
    fn ring(&mut self, disc: &Disc, inner: f64, outer: f64, color: Rgb) {
        self.paint(disc, outer, &|x, y| {
            let (dx, dy) = disc.relative(x, y);
            (inner * inner..=outer * outer).contains(&square(dx, dy)).then_some(color)
        });
    }

    fn crown(&mut self, disc: &Disc, color: Rgb) {
        self.paint(disc, 0.6, &|x, y| {
            let (dx, dy) = disc.relative(x, y);
            // Three points above a band: between them the upper edge falls and rises.
            let across = dx.abs();
            let top = if across < 0.24 { 2.0 * across - 0.42 } else { 0.06 - 1.4 * (across - 0.24) };
            (across <= 0.46 + 0.1 * (0.3 - dy) && (top..=0.34).contains(&dy)).then_some(color)
        });
    }

    /// Paints seeds in rows, as large as they fit without hiding each other.
    fn seeds(&mut self, count: u16, ink: Rgb, ground: Rgb) {
        let wide = self.width as f64;
        let high = self.height as f64;
        let count = usize::from(count);
        let radius = |rows: usize| {
            let most = count.div_ceil(rows) as f64;
            (wide / (2.0 * most + 0.6)).min(high / (2.0 * rows as f64 + 0.6)).min(high / 5.0).min(wide / 5.0)
        };
        // The fewest rows of the largest seeds.
        let best = (1..=count).map(|rows| (rows, radius(rows))).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let Some((rows, radius)) = best else { return };
        for row in 0..rows {
            // Rows differ by one seed at most, the middle ones have more.
            let place = |row: usize| (2 * row).abs_diff(rows - 1);
            let longer = (0..rows).filter(|other| (place(*other), *other) < (place(row), row)).count() < count % rows;
            let seeds = count / rows + usize::from(longer);
            let y = high / 2.0 + (row as f64 - (rows - 1) as f64 / 2.0) * 2.0 * radius;
            for index in 0..seeds {
                let x = wide / 2.0 + (index as f64 - (seeds - 1) as f64 / 2.0) * 2.0 * radius;
                let tint = ((row + index) % 3) as f64 * 0.08 - 0.08;
                self.disc(&Disc { x, y, radius: 0.92 * radius }, lit(ink, tint), ground);
            }
        }
    }
}

/// The square of a distance: roots took most of the time.
fn square(dx: f64, dy: f64) -> f64 {
    dx * dx + dy * dy
}

/// Mixes two colours: `share` of the second.
fn mix(first: Rgb, second: Rgb, share: f64) -> Rgb {
    let part =
        |first: u8, second: u8| (f64::from(first) + (f64::from(second) - f64::from(first)) * share).round() as u8;
    (part(first.0, second.0), part(first.1, second.1), part(first.2, second.2))
}

/// A colour in more (above 0) or less light.
fn lit(color: Rgb, light: f64) -> Rgb {
    if light > 0.0 { mix(color, (255, 255, 255), light) } else { mix(color, (0, 0, 0), -light) }
}

/// Black for light colours, white for dark ones.
fn opposite(color: Rgb) -> Rgb {
    let sum = u16::from(color.0) + u16::from(color.1) + u16::from(color.2);
    if sum > 3 * 127 { (0, 0, 0) } else { (255, 255, 255) }
}
