//! `canvass places verify`: every byte and every row.

use place_data::library::{Verified, verify_import};
use place_data::{Library, RowsExpected};

use super::subject::SubjectArguments;
use super::{grouped, size};
use crate::command::output::Output;

pub(super) async fn run(library: &Library, arguments: &SubjectArguments, output: Output) -> anyhow::Result<()> {
    let subject = arguments.resolve(library)?;
    let verified = match &subject.manifest {
        Some(manifest) => verify_import(&subject.folder, manifest).await?,
        None => {
            let dataset = subject.dataset().await?;
            let rows = dataset.verify(RowsExpected::Any).await?;
            let (files, bytes) = dataset.size().await?;
            Verified { files, bytes, rows }
        }
    };
    output.show(&verified, || {
        let (rows, files, bytes) = (grouped(verified.rows), grouped(verified.files), size(verified.bytes));
        let checksums = if subject.manifest.is_some() { ", with the checksums they were written with" } else { "" };
        format!("{}: sound. Businesses: {rows}, files: {files} ({bytes}){checksums}.", subject.name)
    });
    Ok(())
}
