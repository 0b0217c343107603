//! The commands of README.md and docs/*.md, run as they are written against a fresh server with the built binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::Binary;

/// Where the documents say that the server is.
const WRITTEN_BASE: &str = "http://127.0.0.1:8080";
/// What the words behind the opening of a block may be.
const KINDS: [&str; 8] = ["", "sh", "sh ignore", "json", "toml", "sql", "mermaid", "text"];
/// Blocks that cannot run here: they build Canvass itself, need another program, or change its settings.
const IGNORED_MAX: usize = 10;
/// As pasted, but an error ends it: also one that a server answers with.
const PREAMBLE: &str = "set -euo pipefail\ncurl() { command curl --fail-with-body \"$@\"; }\n";

/// One fenced block.
struct Block {
    kind: String,
    text: String,
    line: usize,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn documents() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    found.sort();
    found.insert(0, root().join("README.md"));
    found
}

fn blocks(document: &Path) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in (1..).zip(std::fs::read_to_string(document).unwrap().lines()) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(kind), None) => open = Some(Block { kind: kind.trim().into(), text: String::new(), line: number }),
            (None, Some(block)) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{} ends inside a block", document.display());
    found
}

/// The commands of a document, each block with the line it stands at.
fn script(document: &Path) -> String {
    let name = document.file_name().unwrap().to_string_lossy();
    let commands = blocks(document).into_iter().filter(|block| block.kind == "sh");
    commands.map(|block| format!("echo '>>> {name}:{}'\n{}", block.line, block.text)).collect()
}

#[test]
fn blocks_say_what_they_are_and_few_cannot_be_run() {
    let mut ignored = 0;
    for document in documents() {
        for block in blocks(&document) {
            let at = format!("{}:{}", document.display(), block.line);
            assert!(KINDS.contains(&block.kind.as_str()), "{at}: {:?} is none of {KINDS:?}", block.kind);
            // What installs a system is run by packaging/test.py and scripts/image, and what takes minutes by make.
            let has_own_run = ["installing.md", "reliability.md"].iter().any(|name| document.ends_with(name));
            ignored += usize::from(block.kind == "sh ignore" && !has_own_run);
            let placeholder =
                block.kind == "sh" && ["cv_live_", "019a", "your-server"].iter().any(|one| block.text.contains(one));
            assert!(!placeholder, "{at}: a command cannot be pasted with a placeholder in it");
        }
    }
    assert!(ignored <= IGNORED_MAX, "{ignored} blocks are not run");
}

#[test]
fn every_command_of_the_documents_works_as_it_is_written() {
    let binary = Binary::new();
    let served = binary.serve();
    let built = binary.folder.path().join("target/quick");
    std::fs::create_dir_all(&built).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_canvass"), built.join("canvass")).unwrap();
    let documents = documents();
    let mut all = format!("{PREAMBLE}{}", script(&documents[0]));
    for document in &documents[1..] {
        // Each where README left off, in a folder of its own, so that files of one do not stand in the way of another.
        let folder = document.file_stem().unwrap().to_string_lossy();
        all += &format!("(mkdir -p {folder} && cd {folder}\n{})\n", script(document));
    }
    let all = all.replace(WRITTEN_BASE, served.base());
    let mut shell = Command::new("bash");
    shell.args(["-c", &all]).current_dir(binary.folder.path()).stdin(Stdio::null());
    shell.env("CANVASS_DATA", binary.data()).env_remove("CANVASS_DATABASE_URL");
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.rfind(">>> ").map_or("", |at| &said[at..]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "this failed:\n{last}\n{errors}");

    let radar = said.rsplit(">>> README.md").find(|block| block.contains("checked:")).unwrap();
    assert!(radar.contains("\"summary\":"), "the example ends in an alert:\n{radar}");
}
