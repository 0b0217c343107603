//! Reads queries: a union of `nwr` statements with tags and places, or a single node by its id. Everything else is an error.

use places::{Bounds, Point};
use regex::{Regex, RegexBuilder};

const METRES_PER_MILE: f64 = 1_609.344;

/// A query.
#[derive(Debug)]
pub(super) struct Query {
    /// An object is a result when any of them finds it.
    pub(super) statements: Vec<Statement>,
}

/// Finds nodes, ways and relations.
#[derive(Debug)]
pub(super) struct Statement {
    tags: Vec<TagFilter>,
    places: Vec<PlaceFilter>,
}

#[derive(Debug)]
struct TagFilter {
    key: String,
    value: Regex,
}

#[derive(Debug)]
enum PlaceFilter {
    Box(Bounds),
    Around { centre: Point, metres: f64 },
    Polygon(Vec<Point>),
    Id,
}

/// Why a query is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ParseError(pub(super) &'static str);

impl Query {
    /// Reads a query.
    pub(super) fn read(text: &str) -> Result<Query, ParseError> {
        let mut scanner = Scanner { rest: text };
        scanner.settings()?;
        let mut statements = Vec::new();
        if scanner.eat("(") {
            while !scanner.eat(")") {
                statements.push(scanner.statement()?);
            }
            scanner.expect(";")?;
            if !scanner.eat("out tags center qt;") {
                return Err(ParseError("unknown output"));
            }
        } else {
            statements.push(scanner.statement()?);
            if !scanner.eat("out ids;") {
                return Err(ParseError("unknown output"));
            }
        }
        if scanner.rest.trim().is_empty() { Ok(Query { statements }) } else { Err(ParseError("text behind the end")) }
    }

    /// The boxes that are asked about.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Bounds> {
        self.statements.iter().flat_map(|statement| &statement.places).filter_map(|place| match place {
            PlaceFilter::Box(bounds) => Some(*bounds),
            _ => None,
        })
    }

    /// Whether an object with only this tag would be a result, wherever it lies.
    pub(super) fn names(&self, key: &str, value: &str) -> bool {
        let tag = [(key.to_owned(), value.to_owned())];
        self.statements.iter().any(|statement| statement.has_tags(&tag))
    }

    /// Whether an object is a result: one of the points it is drawn with lies where is looked.
    pub(super) fn finds(&self, tags: &[(String, String)], drawn: &[Point]) -> bool {
        let by = |statement: &Statement| {
            statement.has_tags(tags) && drawn.iter().any(|point| statement.places.iter().all(|place| place.has(*point)))
        };
        self.statements.iter().any(by)
    }
}

impl Statement {
    fn has_tags(&self, tags: &[(String, String)]) -> bool {
        let has =
            |filter: &TagFilter| tags.iter().any(|(key, value)| *key == filter.key && filter.value.is_match(value));
        !self.tags.is_empty() && self.tags.iter().all(has)
    }
}

impl PlaceFilter {
    fn has(&self, point: Point) -> bool {
        match self {
            PlaceFilter::Box(bounds) => bounds.contains(point),
            PlaceFilter::Around { centre, metres } => centre.miles_to(point) * METRES_PER_MILE <= *metres,
            PlaceFilter::Polygon(vertices) => is_inside(vertices, point),
            PlaceFilter::Id => false,
        }
    }
}

/// Whether a line from the point eastwards crosses an odd number of sides.
fn is_inside(vertices: &[Point], point: Point) -> bool {
    let sides = vertices.iter().zip(vertices.iter().cycle().skip(1));
    let crossed = sides.filter(|(one, two)| {
        let is_between = (one.latitude > point.latitude) != (two.latitude > point.latitude);
        let share = (point.latitude - one.latitude) / (two.latitude - one.latitude);
        is_between && point.longitude < one.longitude + share * (two.longitude - one.longitude)
    });
    crossed.count() % 2 == 1
}

struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    /// Passes over a text, and the space before it, if it comes next.
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.trim_start().strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &'static str) -> Result<(), ParseError> {
        if self.eat(text) { Ok(()) } else { Err(ParseError(text)) }
    }

    /// What comes before the next occurrence of an end, which is passed over.
    fn until(&mut self, end: char) -> Result<&'t str, ParseError> {
        let (text, rest) = self.rest.split_once(end).ok_or(ParseError("an end is missing"))?;
        self.rest = rest;
        Ok(text)
    }

    /// `[out:json][timeout:60][maxsize:268435456];`
    fn settings(&mut self) -> Result<(), ParseError> {
        let mut has_json = false;
        while self.eat("[") {
            match self.until(']')?.split_once(':') {
                Some(("out", "json")) => has_json = true,
                Some(("timeout" | "maxsize", number)) if number.parse::<u64>().is_ok_and(|number| number > 0) => {}
                _ => return Err(ParseError("unknown setting")),
            }
        }
        if !has_json {
            return Err(ParseError("only JSON is spoken here"));
        }
        self.expect(";")
    }

    /// `nwr["key"~"value",i](box)(around:...);` or `node(1);`
    fn statement(&mut self) -> Result<Statement, ParseError> {
        if !self.eat("nwr") && !self.eat("node") {
            return Err(ParseError("unknown statement"));
        }
        let mut statement = Statement { tags: Vec::new(), places: Vec::new() };
        loop {
            if self.eat("[") {
                statement.tags.push(self.tag_filter()?);
            } else if self.eat("(") {
                statement.places.push(self.place_filter()?);
            } else {
                self.expect(";")?;
                return Ok(statement);
            }
        }
    }

    fn tag_filter(&mut self) -> Result<TagFilter, ParseError> {
        let key = self.string()?;
        self.expect("~")?;
        let pattern = self.string()?;
        let is_any_case = self.eat(",i");
        self.expect("]")?;
        let value = RegexBuilder::new(&pattern).case_insensitive(is_any_case).build();
        Ok(TagFilter { key, value: value.map_err(|_| ParseError("invalid regular expression"))? })
    }

    fn place_filter(&mut self) -> Result<PlaceFilter, ParseError> {
        if self.eat("around:") {
            let [metres, latitude, longitude] = numbers(self.until(')')?, ',')?;
            return Ok(PlaceFilter::Around { centre: Point { latitude, longitude }, metres });
        }
        if self.eat("poly:") {
            let text = self.string()?;
            self.expect(")")?;
            let numbers: Vec<f64> = text.split(' ').map_while(|number| number.parse().ok()).collect();
            let vertices = numbers.chunks_exact(2).map(|at| Point { latitude: at[0], longitude: at[1] }).collect();
            return if numbers.len() >= 6 { Ok(PlaceFilter::Polygon(vertices)) } else { Err(ParseError("polygon")) };
        }
        let text = self.until(')')?;
        if text.parse::<u64>().is_ok() {
            return Ok(PlaceFilter::Id);
        }
        let [south, west, north, east] = numbers(text, ',')?;
        if south > north || west > east || south < -90.0 || north > 90.0 || west < -180.0 || east > 180.0 {
            return Err(ParseError("a box that cannot be"));
        }
        Ok(PlaceFilter::Box(Bounds { south, west, north, east }))
    }

    /// A string in double quotes.
    fn string(&mut self) -> Result<String, ParseError> {
        self.expect("\"")?;
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, letter)) => text.push(letter),
                    None => break,
                },
                letter => text.push(letter),
            }
        }
        Err(ParseError("a string without an end"))
    }
}

fn numbers<const N: usize>(text: &str, separator: char) -> Result<[f64; N], ParseError> {
    let numbers: Option<Vec<f64>> = text.split(separator).map(|number| number.trim().parse().ok()).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or(ParseError("a number is expected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read_and_evaluated() {
        let text = "[out:json][timeout:60][maxsize:1024];\n(\n  nwr[\"craft\"~\"(^|[^a-z_])(plumber)([^a-z_]|$)\",i](30,-98,31,-97)\
            (around:5000,30.5,-97.5);\n nwr[\"shop\"~\"a\\\"b\"](0,0,1,1)(poly:\"0 0 1 0 0 1\"););\nout tags center qt;";
        let query = Query::read(text).unwrap();
        let finds = |key: &str, value: &str, latitude, longitude| {
            query.finds(&[(key.to_owned(), value.to_owned())], &[Point { latitude, longitude }])
        };
        assert!(finds("craft", "hvac; Plumber", 30.5, -97.5));
        assert!(!finds("craft", "plumbers", 30.5, -97.5) && !finds("craft", "plumber", 30.9, -97.5));
        assert!(finds("shop", "a\"b", 0.2, 0.2) && !finds("shop", "a\"b", 0.8, 0.8));
        assert!(query.names("craft", "plumber") && !query.names("craft", "hvac"));
        assert_eq!(query.boxes().count(), 2);
        assert!(Query::read("[out:json][timeout:10];node(1);out ids;").is_ok());
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in [
            "",
            "node(1);out ids;",
            "[out:xml];node(1);out ids;",
            "[out:json][timeout:x];node(1);out ids;",
            "[out:json];(nwr[\"craft\"~\"plumber\"(1,2,3,4););out tags center qt;",
            "[out:json];(nwr[\"craft\"~\"(\"](1,2,3,4););out tags center qt;",
            "[out:json];(nwr[\"craft\"~\"a\"](3,2,1,4););out tags center qt;",
            "[out:json];(nwr[\"craft\"~\"a](1,2,3,4););out tags center qt;",
            "[out:json];(nwr[\"craft\"~\"a\"](1,2,3,4););out tags center qt;node(1);",
            "[out:json];(nwr[\"craft\"~\"a\"](poly:\"1 2\"););out tags center qt;",
            "[out:json];(nwr[\"craft\"~\"a\"](1,2,3,4););out;",
        ] {
            assert!(Query::read(text).is_err(), "{text}");
        }
    }
}
