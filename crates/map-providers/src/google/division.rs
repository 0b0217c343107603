//! How a cell is divided that holds more businesses than one query lists.
//!
//! A query lists the businesses nearest to the middle of its cell. Therefore all of them are known up to the distance of the
//! last one, and only what lies beyond has to be asked about again. A cell loses little at that when it is a strip: the known
//! part is its middle, and two ends are left. A cell that is dense for its width is cut into strips as soon as its first page
//! shows it. No part of this needs to know how the businesses are spread; it only costs more when they are spread badly.

use places::{Area, Bounds, Point};

use super::area::trimmed;
use crate::Cell;

/// A cell of at most this many degrees either way is not divided further: about four metres.
const SMALLEST_DEGREES: f64 = 4.5 / 100_000.0;
/// A cell is cut when the distance within which a whole query's businesses are expected is below this share of its width.
const THIN: f64 = 0.63;
/// The same after the second page, which tells more.
const THIN_LATER: f64 = 0.55;
/// Cells that seem to hold fewer than this are read to the end.
const FEW: f64 = 35.0;
/// Strips are as wide as a square that holds this many businesses.
const STRIP_SQUARE: f64 = 10.8;
/// Strips that a cell is cut into at once: the density in its middle may not be that of the rest.
const STRIPS_MAX: u32 = 10;
/// How much the estimate follows the way in which the density changes from the middle outwards.
const RADIAL: f64 = 1.77;
/// The known middle of a strip is worth keeping with so many businesses, or as such a share of its length.
const MIDDLE_LEAST: usize = 23;
const MIDDLE_SHARE: f64 = 0.87;
/// The same for a known box with cells on all four sides.
const CORE_LEAST: usize = 50;
const CORE_SHARE: f64 = 0.3;
/// Places from which a density is estimated.
const ESTIMATE_LEAST: usize = 5;
/// How much a distance may be off: the provider may measure differently.
const DISTANCE_SHARE: f64 = 0.005;
const DISTANCE_MILES: f64 = 0.002;

/// What to do about a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Read the next page.
    ReadOn,
    /// Ask about these instead.
    Divide(Vec<Cell>),
    /// Everything in one part of it is known; the rest is to be asked about.
    Keep { known: Cell, rest: Vec<Cell> },
    /// Take what was found: the cell cannot be divided.
    Cut,
}

/// How many businesses a query lists, and those that it has listed so far, in its order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'p> {
    pub(super) points: &'p [Point],
    pub(super) query_max: usize,
}

/// What to do when a page was read and more follow.
pub(super) fn after_page(area: &Area, cell: &Cell, listed: Listed<'_>) -> Step {
    let frame = Frame::of(cell);
    let Some(reach) = frame.reach(listed.points) else { return Step::ReadOn };
    if listed.points.len() < ESTIMATE_LEAST || frame.is_smallest() {
        return Step::ReadOn;
    }
    let is_first = listed.points.len() <= super::PAGE_SIZE;
    let density = frame.density(listed.points.len(), reach);
    let outward = if is_first { frame.outward(listed.points, reach) } else { 1.0 };
    let expected = density * outward * frame.area();
    let full_reach = frame.reach_of(listed.query_max as f64 / density);
    let thin = if is_first { THIN } else { THIN_LATER };
    if expected <= FEW || full_reach >= thin * frame.narrow() {
        return Step::ReadOn;
    }
    let step = if is_first { None } else { frame.keep(listed.points, reach) };
    finished(area, step.unwrap_or_else(|| frame.strips(density * outward)))
}

/// What to do when a query has listed as many as it does.
pub(super) fn after_query(area: &Area, cell: &Cell, listed: Listed<'_>) -> Step {
    let frame = Frame::of(cell);
    if frame.is_smallest() {
        return Step::Cut;
    }
    let Some(reach) = frame.reach(listed.points) else { return finished(area, frame.quarters(listed.points)) };
    let step = frame.keep(listed.points, reach).or_else(|| frame.isolate(listed.points));
    let density = frame.density(listed.points.len(), reach);
    finished(area, step.unwrap_or_else(|| frame.strips(density)))
}

/// Four parts of a cell that was asked about with a circle around it, which suits squares only.
pub(super) fn quarters(area: &Area, cell: &Cell) -> Step {
    let frame = Frame::of(cell);
    if frame.is_smallest() {
        return Step::Cut;
    }
    let is_long = frame.width_miles.max(frame.height_miles) > 2.0 * frame.narrow();
    let (rows, columns) = match (is_long, frame.is_wide()) {
        (false, _) => (2, 2),
        (true, true) => (1, 3),
        (true, false) => (3, 1),
    };
    finished(area, Step::Divide(cell.divide(rows, columns)))
}

/// Without the cells that hold nothing of the area.
fn finished(area: &Area, step: Step) -> Step {
    let within = |cells: Vec<Cell>| cells.iter().filter_map(|cell| trimmed(area, cell)).collect();
    match step {
        Step::Divide(cells) => Step::Divide(within(cells)),
        Step::Keep { known, rest } => Step::Keep { known, rest: within(rest) },
        other => other,
    }
}

/// A cell with its measures.
struct Frame {
    cell: Cell,
    bounds: Bounds,
    centre: Point,
    width_miles: f64,
    height_miles: f64,
}

impl Frame {
    fn of(cell: &Cell) -> Frame {
        let (bounds, centre) = (cell.bounds(), cell.centre());
        let at = |latitude: f64, longitude: f64| Point { latitude, longitude };
        // Half the width twice: a wide cell's edges are nearer to each other around the back of the globe.
        let width_miles = 2.0 * centre.miles_to(at(centre.latitude, bounds.east));
        let height_miles = at(bounds.south, centre.longitude).miles_to(at(bounds.north, centre.longitude));
        Frame { cell: *cell, bounds, centre, width_miles, height_miles }
    }

    fn area(&self) -> f64 {
        self.width_miles * self.height_miles
    }

    fn narrow(&self) -> f64 {
        self.width_miles.min(self.height_miles)
    }

    fn is_wide(&self) -> bool {
        self.width_miles >= self.height_miles
    }

    fn is_smallest(&self) -> bool {
        let Bounds { south, west, north, east } = self.bounds;
        north - south <= SMALLEST_DEGREES && east - west <= SMALLEST_DEGREES
    }

    /// The distance from the middle within which everything is known, in miles; `None` when the places do not come in the order
    /// of their distance, so that nothing follows from it.
    fn reach(&self, points: &[Point]) -> Option<f64> {
        let mut last = 0.0_f64;
        for point in points {
            let miles = self.centre.miles_to(*point);
            if miles < last * (1.0 - DISTANCE_SHARE) - DISTANCE_MILES {
                return None;
            }
            last = last.max(miles);
        }
        Some((last * (1.0 - DISTANCE_SHARE) - DISTANCE_MILES).max(0.0))
    }

    /// Businesses in a square mile, when so many lie within a distance from the middle.
    fn density(&self, count: usize, reach: f64) -> f64 {
        count as f64 / disc_in_box(reach, self.width_miles, self.height_miles).max(1e-9)
    }

    /// How the density changes outwards: 1 when it is even, less when the middle is denser than what surrounds it.
    fn outward(&self, points: &[Point], reach: f64) -> f64 {
        let reach = reach.max(1e-9);
        let squares = points.iter().map(|point| (self.centre.miles_to(*point) / reach).powi(2).min(1.0));
        let mean = squares.sum::<f64>() / (points.len() as f64 - 0.5);
        (2.0 * mean).powf(RADIAL)
    }

    /// The distance from the middle at which the disc's part in the cell has this area.
    fn reach_of(&self, area: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.width_miles.hypot(self.height_miles) / 2.0);
        for _ in 0..30 {
            let middle = f64::midpoint(low, high);
            let is_less = disc_in_box(middle, self.width_miles, self.height_miles) < area;
            *(if is_less { &mut low } else { &mut high }) = middle;
        }
        high
    }

    /// Keeps what is known, if that is much.
    fn keep(&self, points: &[Point], reach: f64) -> Option<Step> {
        let Bounds { south, west, north, east } = self.bounds;
        let (half_height, half_width) = ((north - south) / 2.0, (east - west) / 2.0);
        let (up, right) = if self.is_wide() {
            (half_height, self.widest(half_height, reach))
        } else {
            (self.tallest(half_width, reach), half_width)
        };
        let share = if self.is_wide() { right / half_width } else { up / half_height };
        let middle = self.core(up, right)?;
        let count = |cell: &Cell| points.iter().filter(|point| cell.contains(**point)).count();
        if share > 0.0 && (share >= MIDDLE_SHARE || count(&middle.0) >= MIDDLE_LEAST) {
            return Some(Step::Keep { known: middle.0, rest: middle.1 });
        }
        let heights = (1..20).map(|step| self.tallest(0.0, reach) * f64::from(step) / 20.0);
        let cores = heights.filter_map(|up| self.core(up, self.widest(up, reach)));
        // Of equally good ones the first.
        let best = cores.map(|core| (count(&core.0), core)).rev().max_by_key(|(count, _)| *count);
        let (count, (known, rest)) = best?;
        let Bounds { south, west, north, east } = known.bounds();
        let share = (north - south) * (east - west) / (4.0 * half_height * half_width);
        (count >= CORE_LEAST || share >= CORE_SHARE).then_some(Step::Keep { known, rest })
    }

    /// Half the width, in degrees, of the box of this half height around the middle that lies within a distance. Its corners are
    /// what is farthest from the middle.
    fn widest(&self, up: f64, reach: f64) -> f64 {
        let is_within = |right: f64| self.farthest(up, right) <= reach;
        largest((self.bounds.east - self.bounds.west) / 2.0, is_within)
    }

    /// The same for the half height of a box of this half width.
    fn tallest(&self, right: f64, reach: f64) -> f64 {
        let is_within = |up: f64| self.farthest(up, right) <= reach;
        largest((self.bounds.north - self.bounds.south) / 2.0, is_within)
    }

    fn farthest(&self, up: f64, right: f64) -> f64 {
        let Point { latitude, longitude } = self.centre;
        let corner = |latitude: f64| self.centre.miles_to(Point { latitude, longitude: longitude + right });
        corner((latitude + up).min(90.0)).max(corner((latitude - up).max(-90.0)))
    }

    /// The box around the middle with these half sides, and what is around it; `None` when it is the whole cell or nothing.
    fn core(&self, up: f64, right: f64) -> Option<(Cell, Vec<Cell>)> {
        let Point { latitude, longitude } = self.centre;
        let columns = self.cell.cut(&[], &[longitude - right, longitude + right]);
        let column = columns.iter().find(|column| column.contains(self.centre))?;
        let rows = column.cut(&[latitude - up, latitude + up], &[]);
        let known = *rows.iter().find(|row| row.contains(self.centre))?;
        let others = columns.iter().filter(|other| *other != column).chain(rows.iter().filter(|row| **row != known));
        let rest: Vec<Cell> = others.copied().collect();
        (up > 0.0 && right > 0.0 && !rest.is_empty()).then_some((known, rest))
    }

    /// Strips along the cell that are thin for the density.
    fn strips(&self, density: f64) -> Step {
        let wanted = (self.narrow() * (density / STRIP_SQUARE).sqrt()).ceil();
        let count = if wanted.is_finite() { (wanted as u32).clamp(2, STRIPS_MAX) } else { STRIPS_MAX };
        let strips = if self.is_wide() { self.cell.divide(count, 1) } else { self.cell.divide(1, count) };
        // A cell may be too thin for that.
        if strips.len() > 1 { Step::Divide(strips) } else { Step::Divide(self.cell.divide(2, 2)) }
    }

    /// When all are at one spot, such as a tower of offices: the spot, and what is around it.
    fn isolate(&self, points: &[Point]) -> Option<Step> {
        let around = |least: f64, most: f64| [least - 1.0 / 100_000.0, most + 1.0 / 100_000.0];
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
        };
        let (south, north) = ends(&mut points.iter().map(|point| point.latitude));
        let (west, east) = ends(&mut points.iter().map(|point| point.longitude));
        if !(north - south <= SMALLEST_DEGREES / 2.0 && east - west <= SMALLEST_DEGREES / 2.0) {
            return None;
        }
        let parts = self.cell.cut(&around(south, north), &around(west, east));
        (parts.len() > 1).then_some(Step::Divide(parts))
    }

    /// Four parts with about the same number of the places that were found.
    fn quarters(&self, points: &[Point]) -> Step {
        let Bounds { south, west, north, east } = self.bounds;
        let median = |mut values: Vec<f64>, (low, high): (f64, f64)| {
            values.sort_by(f64::total_cmp);
            let value = values.get(values.len() / 2).copied().unwrap_or(f64::midpoint(low, high));
            value.clamp(low + (high - low) * 0.1, high - (high - low) * 0.1)
        };
        let latitude = median(points.iter().map(|point| point.latitude).collect(), (south, north));
        let longitude = median(points.iter().map(|point| point.longitude).collect(), (west, east));
        let parts = self.cell.cut(&[latitude], &[longitude]);
        if parts.len() > 1 { Step::Divide(parts) } else { Step::Divide(self.cell.divide(2, 2)) }
    }
}

/// The largest value up to a limit that passes a test which small values pass.
fn largest(limit: f64, passes: impl Fn(f64) -> bool) -> f64 {
    if passes(limit) {
        return limit;
    }
    let (mut low, mut high) = (0.0, limit);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        *(if passes(middle) { &mut low } else { &mut high }) = middle;
    }
    if passes(low) { low } else { 0.0 }
}

/// The area that a disc has in common with a box around the same middle.
fn disc_in_box(radius: f64, width: f64, height: f64) -> f64 {
    const SLICES: u32 = 24;
    let slice = height / 2.0 / f64::from(SLICES);
    let middles = (0..SLICES).map(|number| (f64::from(number) + 0.5) * slice).take_while(|up| *up < radius);
    4.0 * middles.map(|up| (radius * radius - up * up).sqrt().min(width / 2.0) * slice).sum::<f64>()
}
