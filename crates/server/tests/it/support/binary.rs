//! The real binary as a real process.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The `canvass` command on a data folder of its own.
pub struct Binary {
    pub folder: TempDir,
    settings: Vec<(String, String)>,
}

impl Binary {
    pub fn new() -> Binary {
        Binary { folder: tempfile::tempdir().unwrap(), settings: Vec::new() }
    }

    pub fn set(mut self, name: &str, value: &str) -> Binary {
        self.settings.push((name.into(), value.into()));
        self
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_canvass"));
        command.args(arguments).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("CANVASS_DATA", self.data()).envs(self.settings.iter().cloned());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command with `--json` that must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("not JSON: {output:?}"))
    }

    /// Runs a command that must fail, and gives what it said.
    pub fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Starts the server on a free port and waits until it listens.
    pub fn serve(&self) -> Served {
        self.serve_with(&["serve", "--json", "--listen", "127.0.0.1:0"])
    }

    /// The same with other arguments.
    pub fn serve_with(&self, arguments: &[&str]) -> Served {
        Binary::start(self.command(arguments))
    }

    /// Starts the server on a free port, with what `ulimit` sets before.
    pub fn serve_under(&self, ulimit: &str) -> Served {
        let script = format!("ulimit {ulimit} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_canvass"), "serve", "--json", "--listen", "127.0.0.1:0"]);
        command.current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("CANVASS_DATA", self.data()).envs(self.settings.iter().cloned());
        Binary::start(command)
    }

    fn start(mut command: Command) -> Served {
        // Into a file: a pipe that nobody reads fills up, and the server would wait for ever to log its next line.
        let log = tempfile::tempfile().unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log.try_clone().unwrap()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = String::new();
        while !said.ends_with("}\n") {
            let Some(Ok(line)) = lines.next() else { panic!("it did not start: {:?} {}", child.wait(), read(log)) };
            said += &format!("{line}\n");
        }
        Served { child, log: Some(log), started: serde_json::from_str(&said).unwrap() }
    }
}

/// All that was written to a file.
fn read(mut file: File) -> String {
    let mut text = String::new();
    file.rewind().and_then(|()| file.read_to_string(&mut text)).unwrap();
    text
}

/// A running server.
pub struct Served {
    child: Child,
    log: Option<File>,
    pub started: Value,
}

impl Served {
    pub fn base(&self) -> &str {
        self.started["base_url"].as_str().unwrap()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn key(&self) -> &str {
        self.started["key"].as_str().unwrap()
    }

    /// Kills it: whatever it had open stays as it is.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to stop, waits for it, and gives its log.
    pub fn stop(mut self) -> (bool, String) {
        let pid = i32::try_from(self.child.id()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), rustix::process::Signal::TERM)
            .unwrap();
        let succeeded = self.child.wait().unwrap().success();
        (succeeded, self.log.take().map(read).unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
