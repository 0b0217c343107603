//! Imports between the files of a crate: layers of the server, and no circles anywhere.
//!
//! A folder's `mod.rs` that declares and re-exports its files does not import them by that; whoever imports a re-exported
//! name imports the file that defines it.

use std::collections::{BTreeMap, BTreeSet};

use super::{before_tests, files, root};

/// Which part of the server may use which, top down. What is not listed here may use nothing of the crate.
const LAYERS: &[(&str, &[&str])] = &[
    ("command", &["serve", "api", "limits", "log", "printable"]),
    ("serve", &["router", "streaming", "edge", "connection", "metrics"]),
    ("router", &["api", "mcp", "streaming", "web", "edge"]),
    ("mcp", &["api", "edge", "connection", "limits", "log"]),
    ("streaming", &["api", "edge"]),
    ("api", &["edge", "connection", "metrics"]),
    ("web", &["edge"]),
    ("edge", &["connection", "limits", "log", "metrics"]),
    ("metrics", &["connection"]),
    ("connection", &["limits"]),
    ("log", &["printable", "traces"]),
];

/// The composition root: it stores the ports of all nouns, and all nouns may use it. What it imports makes no circle.
const COMPOSITION_ROOT: &str = "app";

/// A module's path inside its crate; empty for the crate itself.
type Module = Vec<String>;

/// One crate's modules and what each imports.
struct Crate {
    texts: BTreeMap<Module, String>,
    /// What a public name of a module stands for.
    re_exports: BTreeMap<Module, Module>,
}

impl Crate {
    fn read(name: &str) -> Crate {
        let source = root().join("crates").join(name).join("src");
        let texts = files(&source, &[".rs"]).into_iter().map(|(path, text)| {
            let relative = path.strip_prefix(&source).unwrap().with_extension("");
            let mut module: Module = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if ["mod", "lib"].contains(&module.last().unwrap().as_str()) {
                module.pop();
            }
            (module, before_tests(&text).to_owned())
        });
        let mut read = Crate { texts: texts.collect(), re_exports: BTreeMap::new() };
        for (module, text) in &read.texts {
            for (path, public) in imported(text) {
                let Some(target) = read.absolute(module, &path).filter(|_| public) else { continue };
                let mut name = module.clone();
                name.push(path.last().unwrap().clone());
                read.re_exports.insert(name, target);
            }
        }
        read
    }

    /// A path as written in a module, seen from the crate; nothing for what comes from elsewhere.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (mut base, mut rest) = (module.clone(), path);
        match rest.first()?.as_str() {
            "crate" => return Some(rest[1..].to_vec()),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            child => {
                let mut child_module = module.clone();
                child_module.push(child.to_owned());
                self.texts.contains_key(&child_module).then_some(())?;
            }
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The file that defines what a path names.
    fn definition(&self, path: &Module) -> Option<&Module> {
        let mut path = path.clone();
        // Re-exports of re-exports are a few steps long; a circle of them would not compile.
        for _ in 0..10 {
            let named = (1..=path.len()).rev().find(|length| self.re_exports.contains_key(&path[..*length]));
            let Some(length) = named else { break };
            let target = &self.re_exports[&path[..length]];
            path = target.iter().chain(&path[length..]).cloned().collect();
        }
        (0..=path.len()).rev().find_map(|length| self.texts.get_key_value(&path[..length]).map(|(module, _)| module))
    }

    /// What each file imports of the crate's other files.
    fn graph(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let edges = |(module, text): (&'_ Module, &String)| -> Vec<&Module> {
            let targets = imported(text).into_iter().filter_map(|(path, public)| {
                let target = self.absolute(module, &path)?;
                let facade = public && target.starts_with(module);
                self.definition(&target).filter(|_| !facade)
            });
            targets.collect()
        };
        let of =
            |(module, text)| (module, edges((module, text)).into_iter().filter(|found| *found != module).collect());
        self.texts.iter().map(of).collect()
    }
}

/// The paths that a file imports or names, and whether it re-exports them.
fn imported(text: &str) -> Vec<(Vec<String>, bool)> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        let declared = statement.rfind("use ").filter(|at| {
            let before = statement[..*at].rsplit('\n').next().unwrap().trim();
            statement.ends_with(';') && (before.is_empty() || before == "pub" || before.starts_with("pub("))
        });
        match declared {
            Some(at) => {
                let public = statement[..at].rsplit('\n').next().unwrap().contains("pub");
                let mut paths = Vec::new();
                expand(&[], &statement[at + 4..statement.len() - 1], &mut paths);
                found.extend(paths.into_iter().map(|path| (path, public)));
                rest.push_str(&statement[..at]);
            }
            None => rest.push_str(statement),
        }
    }
    for start in ["crate::", "super::"] {
        let named = rest.split(start).skip(1).map(|after| {
            let path = after.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next().unwrap();
            let first = start.trim_end_matches("::");
            [first].into_iter().chain(path.split("::").filter(|part| !part.is_empty())).map(str::to_owned).collect()
        });
        found.extend(named.map(|path| (path, false)));
    }
    found
}

/// Writes out the paths of a `use`, braces and all.
fn expand(before: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let (mut depth, mut item) = (0, String::new());
    for c in tree.chars().chain([',']) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c != ',' || depth > 0 {
            item.push(c);
            continue;
        }
        let one = std::mem::take(&mut item);
        let (head, inner) = one.split_once('{').map_or((one.as_str(), None), |(head, inner)| (head, Some(inner)));
        let head = head.split(" as ").next().unwrap();
        let parts = head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
        let path: Vec<String> = before.iter().cloned().chain(parts).collect();
        match inner {
            Some(inner) => expand(&path, inner.rsplit_once('}').map_or(inner, |(inner, _)| inner), paths),
            None if path.len() > before.len() => paths.push(path),
            None => {}
        }
    }
}

/// Everything that can be reached from a file.
fn reached<'a>(graph: &BTreeMap<&'a Module, BTreeSet<&'a Module>>, from: &'a Module) -> BTreeSet<&'a Module> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(module) = next.pop() {
        next.extend(graph[module].iter().filter(|target| reached.insert(**target)));
    }
    reached
}

/// The circles of a crate: groups of files each of which reaches all others.
fn circles(name: &str) -> Vec<BTreeSet<String>> {
    let read = Crate::read(name);
    let mut graph = read.graph();
    graph.retain(|module, _| module.join("::") != COMPOSITION_ROOT);
    let kept: BTreeSet<&Module> = graph.keys().copied().collect();
    graph.values_mut().for_each(|targets| targets.retain(|target| kept.contains(target)));
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = graph.keys().map(|from| (*from, reached(&graph, from))).collect();
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for (module, targets) in &reach {
        let circle: BTreeSet<String> =
            targets.iter().filter(|target| reach[**target].contains(module)).map(|target| target.join("::")).collect();
        if !circle.is_empty() && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    for name in ["canvass", "server"] {
        let found = circles(name);
        assert!(found.is_empty(), "{name}: these import each other, so a type of theirs belongs elsewhere: {found:#?}");
    }
}

#[test]
fn the_layers_of_the_server_use_only_what_lies_below_them() {
    let read = Crate::read("server");
    for (module, targets) in read.graph() {
        let Some(layer) = module.first() else { continue };
        let below = LAYERS.iter().find(|(name, _)| name == layer).map_or(&[][..], |(_, below)| *below);
        for target in targets.iter().filter_map(|target| target.first()) {
            let fine = target == layer || below.contains(&target.as_str());
            assert!(fine, "{} uses {target}: {layer} may not", module.join("::"));
        }
    }
}

#[test]
fn imports_are_found_in_every_form() {
    let text =
        "pub use one::Two;\nuse crate::{a::{self, B as C}, d};\nfn f() { super::x::y(crate::z::Z); } // crate::no\n";
    let found: Vec<(String, bool)> =
        imported(text).into_iter().map(|(path, public)| (path.join(" "), public)).collect();
    let expected = ["one Two", "crate a self", "crate a B", "crate d", "crate z Z", "super x y"];
    assert_eq!(found, expected.map(|path| (path.to_owned(), path == "one Two")));
}
