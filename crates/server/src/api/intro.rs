//! AI intros: the opening of a cold email to one business.

use canvass::intro;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::Problem;
use crate::edge::body::{Json, JsonBody};
use crate::edge::fields::NoParameters;
use crate::edge::path::LeadPath;
use crate::edge::problem::ProblemBody;

/// An intro.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Intro)]
pub struct IntroView {
    /// Two or three sentences to open an email with.
    #[schema(
        example = "There is a line on your website that I read twice: \"Our prices are written down before we begin\". The review I remember best says \"Fair price, no surprises on the bill\"."
    )]
    pub intro: String,
    /// Intros left this month, packs included.
    #[schema(minimum = 0, example = 499)]
    pub ai_intro_remaining: i64,
    /// Who wrote it: `rules`, or a model's name.
    #[schema(example = "rules")]
    pub engine: String,
}

/// Write the opening of an email to a lead
///
/// Two or three sentences, grounded in the business's website text and reviews. The text is not stored, unless an
/// `Idempotency-Key` asks for the answer to be remembered for a day. Spends one of the plan's monthly AI intros;
/// nothing is spent when the AI provider fails.
#[utoipa::path(post, path = "/leads/{lead_id}/intro", operation_id = "writeIntro", tag = "AI",
    params(
        ("lead_id" = String, Path, format = Uuid, description = "A lead of this account."),
        ("Idempotency-Key" = Option<String>, Header, description = "Sent again with the same key within a day, the request spends nothing and gets the same answer."),
    ),
    responses(
        (status = 200, description = "The intro.", body = IntroView),
        (status = 409, description = "A request with the same `Idempotency-Key` is still under way.", body = ProblemBody),
        (status = 502, description = "The AI provider failed. Nothing was spent.", body = ProblemBody),
    ))]
pub async fn write(path: LeadPath, _: NoParameters, JsonBody(body): JsonBody) -> Result<Json<IntroView>, Problem> {
    body.finish()?;
    let app = path.app();
    let lead = path.find().await?.id;
    let written = intro::write(app, path.account(), lead, path.claim()).await?;
    Ok(Json(IntroView { intro: written.text, ai_intro_remaining: written.remaining, engine: written.engine }))
}
