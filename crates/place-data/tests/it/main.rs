//! What `place-data` promises, tested through what other crates see of it. One program, so that its dependencies are linked and
//! their generic code is compiled once.

mod collected;
mod files;
mod find;
mod find_random;
mod fuzz;
mod hostile;
mod library;
mod matching;
mod osm;
mod release;
