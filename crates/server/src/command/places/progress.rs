//! A bar on the terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use place_data::Error;
use tokio::signal::unix::{SignalKind, signal};

/// How often the bar is drawn, so that it moves while nothing is reported.
const TICK: Duration = Duration::from_millis(200);
/// Steps of a bar that shows parts of a whole.
const PARTS: u64 = 1_000;

/// Shows how far work is, and says when Ctrl-C was pressed. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    cancelled: Arc<AtomicBool>,
}

impl Progress {
    /// A bar that counts up to `length` in this form, and from now on Ctrl-C cancels.
    pub(super) fn start(length: u64, template: &str) -> Progress {
        let target =
            if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(TICK);
        let cancelled = Arc::new(AtomicBool::new(false));
        // Where Ctrl-C cannot be heard, it ends the process as ever, which is as safe.
        if let Ok(mut interrupts) = signal(SignalKind::interrupt()) {
            let asked = cancelled.clone();
            tokio::spawn(async move {
                interrupts.recv().await;
                asked.store(true, Ordering::Relaxed);
            });
        }
        Progress { bar, cancelled }
    }

    /// So much is done.
    pub(super) fn at(&self, done: u64) -> Result<(), Error> {
        self.bar.set_position(done);
        self.check()
    }

    /// An error after Ctrl-C.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.cancelled.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Begins to count parts of another work, in this form.
    pub(super) fn restart(&self, template: &str) {
        self.bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar.set_length(PARTS);
        self.bar.set_position(0);
    }

    /// This part of that work is done, 0 to 1.
    pub(super) fn at_part(&self, part: f64) -> Result<(), Error> {
        self.at((part * PARTS as f64) as u64)
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
