//! `canvass key`: creates, lists and revokes API keys.

use anyhow::bail;
use canvass::App;
use canvass::clock::Moment;
use canvass::ids::KeyId;
use canvass::keys::{self, Key};
use canvass::plan::Tier;
use clap::Subcommand;
use serde::Serialize;

use super::account::Who;
use super::output::Output;
use super::table::table;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a key and print it once
    Create {
        #[command(flatten)]
        who: Who,
        /// Name of the key, such as the tool that will use it
        #[arg(long, value_name = "NAME")]
        name: String,
    },
    /// List the keys of an account, including revoked ones
    List {
        #[command(flatten)]
        who: Who,
    },
    /// Revoke a key immediately and permanently
    Revoke {
        /// Id of the key, from `key list`
        #[arg(value_name = "ID")]
        id: String,
    },
}

/// A new key, including its secret.
#[derive(Debug, Serialize)]
struct CreatedView<'a> {
    id: String,
    name: &'a str,
    key: &'a str,
}

pub(super) async fn run(app: &App, command: Command, output: Output) -> anyhow::Result<()> {
    match command {
        Command::Create { who, name } => {
            let account = who.find(app).await?;
            let created = keys::create(app, account.id, &name).await?;
            let key = created.secret.reveal();
            let view = CreatedView { id: created.key.id.to_string(), name: &created.key.name, key };
            if !app.settings.plans.of(account.tier).api_access {
                output.note(&no_access(account.tier));
            }
            output.show(&view, || {
                format!(
                    "{key}\n\nThis is the only time the key is shown. It can spend credits: treat it like a password."
                )
            });
        }
        Command::List { who } => {
            let account = who.find(app).await?;
            let keys = keys::list(&app.db, account.id).await?;
            output.show(&keys, || listing(&keys));
        }
        Command::Revoke { id } => {
            let revoked = match KeyId::parse(id.trim()) {
                Some(id) => keys::revoke(app, id).await?,
                None => None,
            };
            let Some(key) = revoked else {
                bail!("there is no key with that id; `canvass key list --email EMAIL` lists the keys of an account")
            };
            output.show(&key, || format!("The key {} ({}...) has been revoked.", key.name, key.prefix));
        }
    }
    Ok(())
}

/// Warning for a key that most routes refuse.
fn no_access(tier: Tier) -> String {
    format!(
        "warning: the {tier} plan has no API access: this key works for GET /me only, until \
         `canvass account set --email EMAIL --tier TIER` puts the account on a plan that has it"
    )
}

fn listing(keys: &[Key]) -> String {
    if keys.is_empty() {
        return "There are no keys yet; `canvass key create --email EMAIL --name NAME` creates one.".into();
    }
    let when = |moment: Option<Moment>| moment.map_or("never".to_owned(), |moment| moment.to_string());
    let row = |key: &Key| {
        let revoked = key.revoked_at.map_or("no".to_owned(), |moment| moment.to_string());
        vec![key.id.to_string(), key.name.clone(), format!("{}...", key.prefix), when(key.last_used_at), revoked]
    };
    table(&["Id", "Name", "Key", "Last used", "Revoked"], keys.iter().map(row).collect())
}
