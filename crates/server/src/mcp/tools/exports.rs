//! `export_leads`: a file by a link that needs no key, so that the key never enters the conversation.

use canvass::exports::{self, LINK_SECONDS, Link};
use serde::Serialize;

use super::{Answer, Call};
use crate::api::exports::{shape, wishes};
use crate::edge::Problem;
use crate::edge::via::Via;
use crate::mcp::resources::{KINDS, kind_name, uri};

#[derive(Serialize)]
struct ExportView {
    download_url: String,
    expires_at: String,
    resource_uri: String,
    file_name: String,
    status: &'static str,
    rows: i64,
    columns: Vec<&'static str>,
}

pub(super) async fn link(mut call: Call) -> Result<Answer, Problem> {
    let path = call.search()?;
    let channel = call.fields.choice("channel", &KINDS, kind_name).flatten();
    let (wishes, opening) = wishes(&mut call.fields);
    call.finish()?;
    let search = path.find().await?;
    let shape = shape(channel, wishes)?;
    let expires_at = path.app().clock.now().plus_seconds(LINK_SECONDS);
    let Via::Key(key) = call.caller.via() else { return Err(Problem::internal()) };
    let link = Link { search: search.id, key, shape, opening, expires_at };
    let name = exports::file_name(shape, &search.request.industry, &search.request.location, search.created_at);
    let view = ExportView {
        download_url: format!("{}/exports/{}", call.edge.base_url, link.sign(path.app())?),
        expires_at: expires_at.to_string(),
        resource_uri: uri(&link),
        file_name: name.ascii,
        status: search.status.name(),
        rows: search.leads_found,
        columns: shape.columns(),
    };
    let answer = Answer::new(&view, next_step(search.is_running()))?;
    Ok(answer.with_resource(view.resource_uri, view.file_name))
}

fn next_step(running: bool) -> &'static str {
    if running {
        "Give the user download_url as it is; it works for 15 minutes and holds what was found so far: after \
         wait_for_search call export_leads again for the whole file."
    } else {
        "Give the user download_url as it is; it works for 15 minutes. Reading resource_uri brings the file in here."
    }
}
