//! Where businesses are that are drawn as ways and relations: collects what they refer to, then finds a point for each.

use super::element::{Candidate, Coordinate, Geometry, WayNodes};
use super::gather::HeldBudget;
use super::geometry;
use super::passes::{PassContext, Passes, Progress};
use super::wanted::Wanted;
use crate::Error;

/// Ways and nodes that candidates refer to.
pub(super) struct Shapes {
    ways: Wanted<WayNodes>,
    nodes: Wanted<Coordinate>,
}

impl Shapes {
    /// Finds everything that these candidates refer to, in up to two passes over the file.
    pub(super) fn find(
        file: &mut dyn Passes,
        candidates: &[Candidate],
        budget: &HeldBudget,
        progress: &mut Progress<'_, '_>,
    ) -> Result<Shapes, Error> {
        let (own_ways, mut way_ids, mut node_ids) = references(candidates);
        let mut ways = Wanted::new(std::mem::take(&mut way_ids));
        if !ways.is_empty() {
            file.ways(&mut ways, &mut PassContext { budget, progress })?;
        }
        progress.end_pass()?;
        let unlocated = |way: &&WayNodes| way.located.is_empty();
        for way in own_ways.into_iter().chain(ways.found()).filter(unlocated) {
            node_ids.extend(&way.refs);
        }
        let mut nodes = Wanted::new(node_ids);
        if !nodes.is_empty() {
            file.nodes(&mut nodes, progress)?;
        }
        progress.end_pass()?;
        Ok(Shapes { ways, nodes })
    }

    /// The point that stands for a candidate; `None` when the file has none of its nodes.
    pub(super) fn point(&self, geometry: &Geometry) -> Option<Coordinate> {
        match geometry {
            Geometry::Point(at) => Some(*at),
            Geometry::Way(way) if way.is_closed() => geometry::point_inside(&[self.ring(way)]),
            Geometry::Way(way) => geometry::middle(&self.line(way)),
            Geometry::Members { ways, nodes } => {
                let lines: Vec<Vec<Coordinate>> =
                    ways.iter().filter_map(|id| self.ways.get(*id)).map(|way| self.line(way)).collect();
                geometry::point_inside(&lines).or_else(|| {
                    let nodes: Vec<Coordinate> = nodes.iter().filter_map(|id| self.nodes.get(*id).copied()).collect();
                    geometry::middle(&nodes)
                })
            }
        }
    }

    /// The positions of a way's nodes, as far as they are known.
    fn line(&self, way: &WayNodes) -> Vec<Coordinate> {
        if way.located.is_empty() {
            return way.refs.iter().filter_map(|id| self.nodes.get(*id).copied()).collect();
        }
        way.located.iter().flatten().copied().collect()
    }

    /// The same, closed again where the node that it begins and ends with is missing.
    fn ring(&self, way: &WayNodes) -> Vec<Coordinate> {
        let mut line = self.line(way);
        if line.first() != line.last() {
            line.extend(line.first().copied());
        }
        line
    }
}

/// Candidates that are ways; ids of the ways and of the nodes that relations refer to.
fn references(candidates: &[Candidate]) -> (Vec<&WayNodes>, Vec<i64>, Vec<i64>) {
    let (mut own, mut ways, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    for candidate in candidates {
        match &candidate.geometry {
            Geometry::Point(_) => {}
            Geometry::Way(way) => own.push(way),
            Geometry::Members { ways: member_ways, nodes: member_nodes } => {
                ways.extend(member_ways);
                nodes.extend(member_nodes);
            }
        }
    }
    (own, ways, nodes)
}
