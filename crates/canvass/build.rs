//! Rebuilds the crate when a migration is added, as `sqlx::migrate!` reads them at compile time.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
