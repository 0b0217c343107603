//! `canvass account`: creates, lists, shows and changes accounts, and grants credits.

use anyhow::{Context, bail};
use canvass::App;
use canvass::account::{self, Account, Change, Email, NewAccount};
use canvass::ai::{self, Feature, OPENAI_BASE_URL, OwnKey, SetBy};
use canvass::config::Secret;
use canvass::credits;
use canvass::plan::{AddOn, Tier};
use canvass::server_address;
use canvass::sign_in;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::output::Output;
use super::table::table;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create an account
    Create {
        /// Email address of the account
        #[arg(long, value_name = "EMAIL")]
        email: String,
        /// Plan: free, starter, growth, agency or scale
        #[arg(long, value_name = "TIER", default_value = "free")]
        tier: Tier,
        /// Initial credits; by default the plan's monthly credits
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        credits: Option<i64>,
        /// Add-on: signals_plus or radar; may be repeated
        #[arg(long, value_name = "NAME")]
        add_on: Vec<AddOn>,
    },
    /// List all accounts
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
        /// New plan
        #[arg(long, value_name = "TIER")]
        tier: Option<Tier>,
        /// Add-on to add: signals_plus or radar
        #[arg(long, value_name = "NAME")]
        add_on: Vec<AddOn>,
        /// Add-on to remove
        #[arg(long, value_name = "NAME")]
        remove_add_on: Vec<AddOn>,
        /// The customer's own AI key, used when the allowance is used up; - reads it from standard input.
        /// --ai-base-url and --ai-model say which provider and model it is for
        #[arg(long, value_name = "KEY")]
        ai_key: Option<String>,
        /// Remove the customer's own AI key
        #[arg(long, conflicts_with = "ai_key")]
        remove_ai_key: bool,
    },
    /// Print a link that signs the account's owner in once, or invites somebody who has no account yet
    Link {
        #[command(flatten)]
        who: Who,
    },
    /// Grant credits or a pack of AI uses; negative numbers deduct them
    Grant {
        #[command(flatten)]
        who: Who,
        /// Number of credits
        #[arg(long, value_name = "N", allow_negative_numbers = true, required_unless_present = "ai_pack")]
        credits: Option<i64>,
        /// Number of AI uses, valid for enrichments and intros in any month
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        ai_pack: Option<i64>,
        /// Note for the ledger
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
}

/// Selects an account: `--email ada@example.com`, or just `ada@example.com`.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Who {
    /// Email address of the account
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
    /// The same, without the flag
    #[arg(value_name = "EMAIL")]
    positional: Option<String>,
}

impl Who {
    fn email(&self) -> anyhow::Result<Email> {
        let email = self.email.as_ref().or(self.positional.as_ref()).context("name the account with --email EMAIL")?;
        Ok(Email::parse(email)?)
    }

    pub(super) async fn find(&self, app: &App) -> anyhow::Result<Account> {
        let email = self.email()?;
        match account::by_email(&app.db, &email).await? {
            Some(account) => Ok(account),
            None => bail!("there is no account for {email}; `canvass account list` shows all accounts"),
        }
    }
}

/// An account as the operator sees it.
#[derive(Debug, Serialize)]
struct AccountView {
    id: String,
    email: String,
    tier: &'static str,
    credits: i64,
    add_ons: Vec<&'static str>,
    api_access: bool,
    scope: &'static str,
    refill_at: String,
    created_at: String,
    ai: AiView,
}

/// What is left of an account's AI allowance.
#[derive(Debug, Serialize)]
struct AiView {
    enrich_remaining: i64,
    intro_remaining: i64,
    pack: i64,
    own_key: bool,
}

impl AiView {
    async fn new(app: &App, account: &Account) -> anyhow::Result<AiView> {
        let enrich = ai::remaining(app, account, Feature::Enrich).await?;
        let intro = ai::remaining(app, account, Feature::Intro).await?;
        Ok(AiView {
            enrich_remaining: enrich.left(),
            intro_remaining: intro.left(),
            pack: enrich.pack,
            own_key: enrich.has_own_key,
        })
    }
}

impl AccountView {
    async fn new(app: &App, account: &Account) -> anyhow::Result<AccountView> {
        let plan = app.settings.plans.of(account.tier);
        Ok(AccountView {
            ai: AiView::new(app, account).await?,
            id: account.id.to_string(),
            email: account.email.to_string(),
            tier: account.tier.name(),
            credits: account.credits,
            add_ons: account.add_ons().into_iter().map(AddOn::name).collect(),
            api_access: plan.api_access,
            scope: plan.scope.name(),
            refill_at: account.refill_at.to_string(),
            created_at: account.created_at.to_string(),
        })
    }
}

pub(super) async fn run(app: &App, command: Command, output: Output) -> anyhow::Result<()> {
    let account = match command {
        Command::List => return list(app, output).await,
        Command::Link { who } => return link(app, &who, output).await,
        Command::Create { email, tier, credits, add_on } => {
            let new = NewAccount { email: Email::parse(&email)?, tier, credits, add_ons: add_on };
            account::create(app, new).await?
        }
        Command::Show { who } => who.find(app).await?,
        Command::Set { who, tier, add_on, remove_add_on, ai_key, remove_ai_key } => {
            let found = who.find(app).await?;
            match ai_key {
                Some(key) => set_ai_key(app, &found, key).await?,
                None if remove_ai_key => ai::clear_own_key(app, found.id).await?,
                None => {}
            }
            account::set(app, &found.email, Change { tier, add: add_on, remove: remove_add_on }).await?
        }
        Command::Grant { who, credits, ai_pack, note } => {
            let account = who.find(app).await?;
            if let Some(uses) = ai_pack {
                ai::grant_pack(app, account.id, uses).await?;
            }
            let balance = match credits {
                Some(credits) => credits::grant(app, account.id, credits, note).await?,
                None => account.credits,
            };
            Account { credits: balance, ..account }
        }
    };
    let view = AccountView::new(app, &account).await?;
    output.show(&view, || facts(&view));
    Ok(())
}

/// A link as the operator hands it over.
#[derive(Debug, Serialize)]
struct LinkView {
    email: String,
    purpose: &'static str,
    link: String,
    expires_at: String,
}

async fn link(app: &App, who: &Who, output: Output) -> anyhow::Result<()> {
    let email = who.email()?;
    let link = match account::by_email(&app.db, &email).await? {
        Some(account) => sign_in::link_for(app, &account).await?,
        None => match sign_in::invite(app, &email).await? {
            Some(link) => link,
            None => bail!("there is no account for {email}, and sign_up is closed; `canvass account create` makes one"),
        },
    };
    let view = LinkView {
        email: email.to_string(),
        purpose: link.purpose.name(),
        link: link.address(app, &server_address::find(app).await?)?,
        expires_at: link.expires_at.to_string(),
    };
    output.show(&view, || format!("{}\n\nIt works once, until {}.", view.link, view.expires_at));
    Ok(())
}

async fn set_ai_key(app: &App, account: &Account, key: String) -> anyhow::Result<()> {
    let key = if key == "-" { std::io::read_to_string(std::io::stdin())?.trim().to_owned() } else { key };
    let model = app.settings.ai_model.clone().context("name the model of the key with --ai-model NAME")?;
    let base_url = app.settings.ai_base_url.clone().map_or_else(|| OPENAI_BASE_URL.parse(), Ok)?;
    let own = OwnKey { key: Secret::new(key), base_url, model, set_by: SetBy::Operator };
    ai::set_own_key(app, account.id, &own).await.context("the AI key cannot be set")
}

async fn list(app: &App, output: Output) -> anyhow::Result<()> {
    let accounts = account::list(&app.db).await?;
    let mut views = Vec::with_capacity(accounts.len());
    for account in &accounts {
        views.push(AccountView::new(app, account).await?);
    }
    output.show(&views, || {
        if views.is_empty() {
            return "There are no accounts yet; `canvass account create --email EMAIL --tier growth` creates one."
                .into();
        }
        let rows = views.iter().map(|view| {
            let add_ons = view.add_ons.join(", ");
            vec![view.email.clone(), view.tier.into(), view.credits.to_string(), add_ons, view.created_at.clone()]
        });
        table(&["Email", "Tier", "Credits", "Add-ons", "Created"], rows.collect())
    });
    Ok(())
}

fn ai_left(ai: &AiView) -> String {
    let own = if ai.own_key { ", then their own key" } else { "" };
    format!("{} enrichments, {} intros ({} of a pack){own}", ai.enrich_remaining, ai.intro_remaining, ai.pack)
}

fn facts(view: &AccountView) -> String {
    let add_ons = if view.add_ons.is_empty() { "none".to_owned() } else { view.add_ons.join(", ") };
    let rows = [
        ("Email", view.email.clone()),
        ("Id", view.id.clone()),
        ("Tier", format!("{} (searches up to scope {})", view.tier, view.scope)),
        ("API access", if view.api_access { "yes" } else { "no" }.to_owned()),
        ("Credits", view.credits.to_string()),
        ("AI left", ai_left(&view.ai)),
        ("Next refill", view.refill_at.clone()),
        ("Add-ons", add_ons),
        ("Created", view.created_at.clone()),
    ];
    rows.iter().map(|(name, value)| format!("{name:<12}{value}")).collect::<Vec<_>>().join("\n")
}
