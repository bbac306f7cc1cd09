//! The description of the HTTP interface (OpenAPI), which is generated from its routes.

use std::{collections::BTreeMap, sync::LazyLock};

use axum::{extract::State, http::HeaderMap, response::Response};
use protocol::ProblemCode::{self, *};
use serde_json::{Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        self, ContentBuilder, HeaderBuilder, InfoBuilder, LicenseBuilder, ObjectBuilder, OpenApi,
        OpenApiBuilder, Ref, RefOr, ResponseBuilder,
        schema::{AllOfBuilder, Type},
        security::{ApiKey, ApiKeyValue, SecurityScheme},
        tag::TagBuilder,
    },
};

use super::{API, Problem, cached::CachedAnswer, document::Recipient, mail_operations, operations};
use crate::{
    identity::{HOST_COOKIE, PLAIN_COOKIE},
    problem::PROBLEM_JSON,
    state::App,
};

/// Short description of the interface, in Markdown.
const SUMMARY: &str = "Play the games of Towers: sessions, rooms, games and their records. Live play uses a WebSocket \
    beside it, which `GET /api/v1/protocol.md` describes. A refused request is answered by a problem (RFC 9457) with a `code` \
    for programs.";

/// The resources, in the order of the description.
const RESOURCES: [(&str, &str); 15] = [
    ("session", "The visitor's session and name, signing in, and sessions in other browsers."),
    ("account", "The visitor's account."),
    ("push", "Notifications to the visitor's browser while no page is open."),
    ("inbox", "What happened to the visitor's slow games, challenges, reports and account."),
    ("blocks", "Other players, and those that the visitor has blocked."),
    ("vacation", "Days in which no time runs in the visitor's games by correspondence."),
    ("reports", "Reports about other players."),
    ("moderation", "Reports and acts, for moderators."),
    ("rooms", "Rooms, which wait for a second player, and games of two people at one screen."),
    ("seeks", "Games that players look for without being present."),
    ("games", "Games, their lists and their records."),
    ("learning", "Example games, and a position to play with."),
    ("puzzles", "Positions with a task that is proven to have a solution, and the judgement of attempts."),
    ("pictures", "Pictures of positions, and animations of games."),
    ("description", "This description, and that of the WebSocket."),
];

/// Codes of the problems of all operations.
const OF_ALL: &[ProblemCode] =
    &[NoHost, HeadersTooLarge, TooFast, TooManyConnections, GoingDown, TookTooLong, Unavailable];

/// Codes of the problems of operations that change something.
pub(super) const OF_CHANGES: &[ProblemCode] = &[ForeignOrigin, Busy];

/// Codes of the problems of operations that need a session.
pub(super) const OF_SESSIONS: &[ProblemCode] = &[NoSession];

/// Codes of the problems of operations with a query.
pub(super) const OF_QUERIES: &[ProblemCode] = &[InvalidQuery];

/// Codes of the problems of operations with a body.
pub(super) const OF_BODIES: &[ProblemCode] = &[BodyTooLarge, BodyTooSlow, UnreadableBody, WrongContentType];

/// Codes of the problems of operations with a body of fields.
pub(super) const OF_FIELDS: &[ProblemCode] = &[InvalidBody];

/// Codes of the problems of operations that answer with a compressed text.
pub(super) const OF_DOCUMENTS: &[ProblemCode] = &[TooManyDocuments, TooMuchWork];

/// Codes of the problems of operations that read one game.
pub(super) const OF_READING: &[ProblemCode] = &[Busy, Overloaded, Private, UnknownGame];

/// Codes of the problems of operations that begin a game.
pub(super) const OF_BEGINNING: &[ProblemCode] = &[NoSpace, Overloaded, TooManyUnderWay];

/// Codes of the problems of operations that make a game with a start position.
pub(super) const OF_STARTS: &[ProblemCode] = &[CostlyStart, InvalidStart, TooManyRooms, TooMuchWork];

/// Codes of the problems of commands to a room.
pub(super) const OF_COMMANDS: &[ProblemCode] = &[Private, Refused, RoomCancelled, RoomTaken, UnknownGame];

/// Defines the answers to refused requests of an operation, by the codes of their problems.
macro_rules! problems {
    ($name:ident: $($codes:expr),* $(,)?) => {
        struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<
                String,
                utoipa::openapi::RefOr<utoipa::openapi::Response>,
            > {
                $crate::http::describe::problems_of(&[$($codes),*])
            }
        }
    };
}

pub(super) use problems;

/// Returns the answers of an operation that has these codes besides those of all operations, by their status.
pub(super) fn problems_of(codes: &[&[ProblemCode]]) -> BTreeMap<String, RefOr<openapi::Response>> {
    let is_of = |code: &ProblemCode| [OF_ALL].iter().chain(codes).any(|some| some.contains(code));
    let mut by_status: BTreeMap<u16, Vec<ProblemCode>> = BTreeMap::new();
    for code in ProblemCode::ALL.iter().filter(|code| is_of(code)) {
        by_status.entry(code.status()).or_default().push(*code);
    }
    by_status.into_iter().map(|(status, codes)| (status.to_string(), answer(status, &codes).into())).collect()
}

/// Describes the problems with a status.
fn answer(status: u16, codes: &[ProblemCode]) -> openapi::Response {
    let name = |code: &ProblemCode| json!(code);
    let lines: Vec<String> = codes
        .iter()
        .map(|code| format!("- `{}`: {}", name(code).as_str().unwrap_or_default(), code.detail()))
        .collect();
    let one_of_these = ObjectBuilder::new().property(
        "code",
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(codes.iter().map(name))),
    );
    let schema =
        AllOfBuilder::new().item(Ref::from_schema_name(protocol::Problem::name())).item(one_of_these);
    let answer = ResponseBuilder::new()
        .description(lines.join("\n"))
        .content(PROBLEM_JSON, ContentBuilder::new().schema(Some(schema)).build());
    match status {
        429 | 503 => answer.header(
            "retry-after",
            HeaderBuilder::new()
                .schema(Some(u32::schema()))
                .description(Some("Seconds after which a retry may succeed."))
                .build(),
        ),
        _ => answer,
    }
    .build()
}

static DOCUMENT: LazyLock<CachedAnswer> = LazyLock::new(|| CachedAnswer::json(&document()));

problems!(DescribeProblems: OF_DOCUMENTS);

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "description",
    operation_id = "describe",
    responses(
        (status = 200, description = "The description, in OpenAPI 3.1.", body = Object),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        DescribeProblems,
    ),
)]
pub(super) async fn read(
    State(app): State<App>,
    recipient: Recipient,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    DOCUMENT.clone().answer(&app, recipient, &headers).await
}

static PROTOCOL: LazyLock<CachedAnswer> = LazyLock::new(|| {
    CachedAnswer::text(include_str!("../../../docs/protocol.md"), "text/markdown; charset=utf-8")
});

/// The protocol of live play over the WebSocket, and what the description leaves open, in Markdown.
#[utoipa::path(
    get,
    path = "/protocol.md",
    tag = "description",
    operation_id = "describe_protocol",
    responses(
        (status = 200, description = "The document.", body = String, content_type = "text/markdown"),
        (status = 304, description = "The client has it already, by `If-None-Match`."),
        DescribeProblems,
    ),
)]
pub(super) async fn read_protocol(
    State(app): State<App>,
    recipient: Recipient,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    PROTOCOL.clone().answer(&app, recipient, &headers).await
}

/// Returns the description of all operations.
fn document() -> Value {
    let described = head().nest(API, operations().merge(mail_operations()).into_openapi());
    let mut document = serde_json::to_value(described).expect("a description has string keys only");
    require_nullable(&mut document["components"]["schemas"]);
    document
}

/// Describes the interface as a whole.
fn head() -> OpenApi {
    let licence =
        LicenseBuilder::new().name(env!("CARGO_PKG_LICENSE")).identifier(Some(env!("CARGO_PKG_LICENSE")));
    let info = InfoBuilder::new()
        .title("Towers")
        .description(Some(SUMMARY))
        .license(Some(licence.build()))
        .version(env!("CARGO_PKG_VERSION"));
    let tag = |(name, description)| TagBuilder::new().name(name).description(Some(description)).build();
    let mut components = openapi::Components::new();
    components.schemas.insert(protocol::Problem::name().into(), protocol::Problem::schema());
    let mut parts = Vec::new();
    protocol::Problem::schemas(&mut parts);
    components.schemas.extend(parts);
    for (scheme, cookie, when) in
        [("session", HOST_COOKIE, "over HTTPS"), ("session_over_http", PLAIN_COOKIE, "over plain HTTP")]
    {
        let about =
            format!("Cookie of `POST {API}/session`, {when}. At an unusual port `_` and the port follow.");
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(cookie, &about));
        components.add_security_scheme(scheme, SecurityScheme::ApiKey(cookie));
    }
    OpenApiBuilder::new()
        .info(info.build())
        .components(Some(components))
        .tags(Some(RESOURCES.map(tag)))
        .build()
}

/// Marks the fields that may be null as required, except in bodies of requests, which are the objects without other
/// fields: the server always writes such a field, and leaves out only fields that are never null.
fn require_nullable(schema: &mut Value) {
    match schema {
        Value::Array(parts) => parts.iter_mut().for_each(require_nullable),
        Value::Object(parts) => {
            parts.values_mut().for_each(require_nullable);
            let is_of_answer = parts.get("additionalProperties") != Some(&json!(false));
            if let (true, Some(Value::Object(fields))) = (is_of_answer, parts.get("properties")) {
                let mut required: Vec<Value> =
                    parts.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
                let nullable = fields.iter().filter(|(_, field)| may_be_null(field));
                required.extend(nullable.map(|(name, _)| json!(name)));
                if !required.is_empty() {
                    parts.insert("required".to_owned(), required.into());
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn may_be_null(schema: &Value) -> bool {
    let is_null = |kind: &Value| *kind == "null";
    let types = schema["type"].as_array().into_iter().flatten();
    let parts = schema["oneOf"].as_array().into_iter().flatten();
    types.chain(parts.map(|part| &part["type"])).any(is_null)
}
