//! `canvass places list`: what is imported.

use place_data::Library;
use place_data::library::Manifest;

use super::{grouped, size};
use crate::command::output::Output;
use crate::command::table::table;

pub(super) fn run(library: &Library, output: Output) -> anyhow::Result<()> {
    let imports = library.list()?;
    output.show(&imports, || match imports.as_slice() {
        [] => "Nothing is imported. To import an OpenStreetMap extract: canvass places import osm FILE".to_owned(),
        imports => drawn(imports),
    });
    Ok(())
}

fn drawn(imports: &[Manifest]) -> String {
    let row = |manifest: &Manifest| {
        vec![
            manifest.name.clone(),
            grouped(manifest.current.rows),
            size(manifest.current.bytes()),
            manifest.original.clone(),
            manifest.imported_at.strftime("%Y-%m-%d %H:%M").to_string(),
            manifest.current.version.clone(),
            manifest.attribution.clone().unwrap_or_default(),
        ]
    };
    let headings = ["Name", "Businesses", "Size", "File", "Imported (UTC)", "Version", "Attribution"];
    table(&headings, imports.iter().map(row).collect())
}
