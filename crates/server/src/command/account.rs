//! `canvass account`: open, list, show, change, give credits.

use anyhow::{Context, bail};
use canvass::App;
use canvass::account::{self, Account, Change, Email, NewAccount};
use canvass::credits;
use canvass::plan::{AddOn, Tier};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::{Output, table};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Open an account
    Create {
        /// The owner's e-mail address
        #[arg(long, value_name = "EMAIL")]
        email: String,
        /// Plan: free, starter, growth, agency or scale
        #[arg(long, value_name = "TIER", default_value = "free")]
        tier: Tier,
        /// First credits; the plan's monthly ones when not given
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        credits: Option<i64>,
        /// Add-on: signals_plus or radar; repeat for both
        #[arg(long, value_name = "NAME")]
        add_on: Vec<AddOn>,
    },
    /// List every account
    List,
    /// Show one account
    Show {
        #[command(flatten)]
        who: Who,
    },
    /// Change an account's plan or add-ons
    Set {
        #[command(flatten)]
        who: Who,
        /// Another plan
        #[arg(long, value_name = "TIER")]
        tier: Option<Tier>,
        /// Add-on to give: signals_plus or radar
        #[arg(long, value_name = "NAME")]
        add_on: Vec<AddOn>,
        /// Add-on to take away
        #[arg(long, value_name = "NAME")]
        remove_add_on: Vec<AddOn>,
    },
    /// Give an account credits, or take them with a minus sign
    Grant {
        #[command(flatten)]
        who: Who,
        /// How many
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        credits: i64,
        /// A word for the ledger
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
}

/// Which account: `--email ada@example.com`, or just `ada@example.com`.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Who {
    /// The account's e-mail address
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
    /// The same, without the flag
    #[arg(value_name = "EMAIL")]
    positional: Option<String>,
}

impl Who {
    pub(super) async fn find(&self, app: &App) -> anyhow::Result<Account> {
        let email = self.email.as_ref().or(self.positional.as_ref()).context("say which account with --email EMAIL")?;
        let email = Email::parse(email)?;
        match account::by_email(&app.db, &email).await? {
            Some(account) => Ok(account),
            None => bail!("there is no account for {email}; `canvass account list` shows those there are"),
        }
    }
}

/// An account as the operator sees it.
#[derive(Debug, Serialize)]
struct View {
    id: String,
    email: String,
    tier: &'static str,
    credits: i64,
    add_ons: Vec<&'static str>,
    api_access: bool,
    scope: &'static str,
    refill_at: String,
    created_at: String,
}

impl View {
    fn new(app: &App, account: &Account) -> View {
        let plan = app.settings.plans.of(account.tier);
        View {
            id: account.id.to_string(),
            email: account.email.to_string(),
            tier: account.tier.name(),
            credits: account.credits,
            add_ons: account.add_ons().into_iter().map(AddOn::name).collect(),
            api_access: plan.api_access,
            scope: plan.scope.name(),
            refill_at: account.refill_at.to_string(),
            created_at: account.created_at.to_string(),
        }
    }
}

pub(super) async fn run(app: &App, command: Command, output: Output) -> anyhow::Result<()> {
    let account = match command {
        Command::List => return list(app, output).await,
        Command::Create { email, tier, credits, add_on } => {
            let new = NewAccount { email: Email::parse(&email)?, tier, credits, add_ons: add_on };
            account::create(app, new).await?
        }
        Command::Show { who } => who.find(app).await?,
        Command::Set { who, tier, add_on, remove_add_on } => {
            let email = who.find(app).await?.email;
            account::set(app, &email, Change { tier, add: add_on, remove: remove_add_on }).await?
        }
        Command::Grant { who, credits, note } => {
            let account = who.find(app).await?;
            let balance = credits::grant(app, account.id, credits, note).await?;
            Account { credits: balance, ..account }
        }
    };
    let view = View::new(app, &account);
    output.show(&view, || facts(&view));
    Ok(())
}

async fn list(app: &App, output: Output) -> anyhow::Result<()> {
    let accounts = account::list(&app.db).await?;
    let views: Vec<View> = accounts.iter().map(|account| View::new(app, account)).collect();
    output.show(&views, || {
        if views.is_empty() {
            return "There are no accounts yet; `canvass account create --email EMAIL --tier growth` opens one.".into();
        }
        let rows = views.iter().map(|view| {
            let add_ons = view.add_ons.join(", ");
            vec![view.email.clone(), view.tier.into(), view.credits.to_string(), add_ons, view.created_at.clone()]
        });
        table(&["Email", "Tier", "Credits", "Add-ons", "Created"], rows.collect())
    });
    Ok(())
}

fn facts(view: &View) -> String {
    let add_ons = if view.add_ons.is_empty() { "none".to_owned() } else { view.add_ons.join(", ") };
    let rows = [
        ("Email", view.email.clone()),
        ("Id", view.id.clone()),
        ("Tier", format!("{} (searches up to {} scope)", view.tier, view.scope)),
        ("API access", if view.api_access { "yes" } else { "no" }.to_owned()),
        ("Credits", view.credits.to_string()),
        ("Next refill", view.refill_at.clone()),
        ("Add-ons", add_ons),
        ("Created", view.created_at.clone()),
    ];
    rows.iter().map(|(name, value)| format!("{name:<12}{value}")).collect::<Vec<_>>().join("\n")
}
