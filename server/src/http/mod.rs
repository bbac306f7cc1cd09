//! The HTTP interface: sessions, rooms, games and pages, a file for each.

mod accept;
mod account;
mod assets;
mod blocks;
mod cached;
mod client;
mod conditional;
mod cors;
mod crawlers;
mod describe;
mod document;
mod examples;
mod export;
mod extract;
mod games;
mod health;
mod inbox;
mod links;
mod mail;
mod moderation;
mod origin;
mod pages;
mod passkeys;
mod pictures;
mod preview;
mod push;
mod puzzles;
mod records;
mod rest;
mod reviews;
mod rooms;
mod seeks;
mod session;
mod sessions;
mod timeout;
mod trial;
mod turns;
mod vacation;

use std::time::Duration;

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use protocol::ProblemCode;
use tower_http::{
    classify::ServerErrorsFailureClass,
    compression::{CompressionLayer, DefaultPredicate, Predicate},
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    set_header::SetResponseHeaderLayer,
    trace::TraceLayer,
};
use tracing::{Span, debug, error, info_span};
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt},
    routes,
};

use self::pictures::Pictures;
use crate::{
    metrics::METRICS,
    net::{
        gate,
        limits::{MAX_FRAME, MAX_RECORD},
    },
    problem::Problem,
    socket,
    state::App,
};

/// Header with the request's id, which the log also has.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Content type of the metrics for Prometheus.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Everything that a page may load and do. All scripts and styles are files of the server; `lit-html` is the only
/// source of markup, `offline` of the service worker's address, and `search` of that of other workers. A page and a part
/// that it loads later each have a copy of `lit-html`, so a name may come twice.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types lit-html offline search 'allow-duplicates'",
);

/// The same for a page that any site may show in a frame. It sends nothing and runs no WebAssembly.
const IN_ANY_FRAME: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; \
    require-trusted-types-for 'script'; trusted-types lit-html offline",
);

/// Which pages may load an answer without asking to read it, as a picture or a script.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Default: pages of this origin.
const FOR_OWN_PAGES: HeaderValue = HeaderValue::from_static("same-origin");

/// Pictures, files of the client and the page for frames: pages of any site. A sandboxed frame has an origin of its own.
const FOR_ALL_PAGES: HeaderValue = HeaderValue::from_static("cross-origin");

/// Devices and powers that no page uses. Browsers read it in documents alone, so no other answer carries it.
const PERMISSIONS_POLICY: (&str, &str) = ("permissions-policy", NO_DEVICES);

const NO_DEVICES: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), \
     microphone=(), midi=(), payment=(), usb=()";

/// Path of the operations for programs.
const API: &str = "/api/v1";

/// Default for answers, which depend on the visitor or the moment. Pages and their files override it.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The operations under [`API`], each with its description.
fn operations() -> OpenApiRouter<App> {
    let pictures = Extension(Pictures::default());
    OpenApiRouter::new()
        .routes(routes!(session::open, session::rename, session::end))
        .routes(routes!(session::sign_in))
        .routes(routes!(session::sign_in_by_passkey))
        .routes(routes!(session::prove))
        .routes(routes!(export::read))
        .routes(routes!(sessions::list, sessions::end_all))
        .routes(routes!(sessions::end))
        .routes(routes!(account::register, account::read, account::change, account::close))
        .routes(routes!(account::recover))
        .routes(routes!(account::recover_by_link))
        .routes(routes!(account::renew_code))
        .routes(routes!(passkeys::options))
        .routes(routes!(passkeys::list, passkeys::add))
        .routes(routes!(passkeys::name, passkeys::remove))
        .routes(routes!(push::read, push::subscribe, push::unsubscribe))
        .routes(routes!(blocks::find))
        .routes(routes!(blocks::list))
        .routes(routes!(blocks::block, blocks::unblock))
        .routes(routes!(vacation::read, vacation::begin, vacation::set, vacation::end))
        .routes(routes!(moderation::report))
        .routes(routes!(moderation::own_acts))
        .routes(routes!(moderation::list_reports))
        .routes(routes!(moderation::act))
        .routes(routes!(moderation::audit))
        .routes(routes!(rooms::list, rooms::create))
        .routes(routes!(rooms::cancel))
        .routes(routes!(rooms::join))
        .routes(routes!(rooms::decline))
        .routes(routes!(rooms::challenges))
        .routes(routes!(rooms::invite_bot))
        .routes(routes!(rooms::create_table))
        .routes(routes!(seeks::list, seeks::post))
        .routes(routes!(seeks::accept))
        .routes(routes!(seeks::withdraw))
        .routes(routes!(games::list))
        .routes(routes!(turns::list))
        .routes(routes!(inbox::read))
        .routes(routes!(inbox::see))
        .routes(routes!(games::read))
        .routes(routes!(games::events))
        .routes(routes!(conditional::read, conditional::set))
        .routes(routes!(reviews::read, reviews::ask))
        .routes(routes!(records::text))
        .routes(routes!(records::json))
        .routes(routes!(examples::read))
        .routes(routes!(puzzles::list))
        .routes(routes!(puzzles::read))
        .routes(routes!(puzzles::today))
        .routes(routes!(puzzles::look))
        .routes(routes!(puzzles::attempt))
        .routes(routes!(puzzles::solution))
        .routes(routes!(pictures::game_svg).layer(pictures.clone()))
        .routes(routes!(pictures::game_png).layer(pictures.clone()))
        .routes(routes!(pictures::game_gif).layer(pictures.clone()))
        .routes(routes!(pictures::puzzle_png).layer(pictures.clone()))
        .routes(routes!(pictures::position_svg).layer(pictures.clone()))
        .routes(routes!(pictures::position_png).layer(pictures))
        .routes(routes!(records::check).layer(DefaultBodyLimit::max(MAX_RECORD)))
        .routes(routes!(describe::read))
        .routes(routes!(describe::read_protocol))
}

/// The operations of a server that sends mail, besides all others.
fn mail_operations() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(mail::set, mail::change, mail::remove))
        .routes(routes!(mail::confirm))
        .routes(routes!(mail::recover))
}

/// All routes.
pub(crate) fn router(app: App) -> Router {
    let operations = if app.sends_mail { operations().merge(mail_operations()) } else { operations() };
    let (api, _) = operations.split_for_parts();
    let api = api
        .fallback(async || Problem::from(ProblemCode::NoSuchResource))
        .method_not_allowed_fallback(async || Problem::from(ProblemCode::MethodNotAllowed))
        .layer(SetResponseHeaderLayer::appending(header::VARY, HeaderValue::from_static("cookie")))
        .layer(middleware::from_fn(timeout::answer))
        .layer(middleware::from_fn_with_state(app.clone(), while_up));
    let socket = get(socket::upgrade).layer(middleware::from_fn_with_state(app.clone(), while_up));
    Router::new()
        .nest(API, api)
        .route(gate::SOCKET, socket)
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .route("/", get(pages::lobby))
        .route("/game/{id}", get(pages::game))
        .route("/replay/{id}", get(pages::replay))
        .route("/embed/{id}", get(pages::embed))
        .route("/example/{ruleset}", get(pages::example))
        .route("/shuffles/{id}", get(pages::shuffles))
        .route("/learn", get(pages::lessons))
        .route("/learn/{ruleset}", get(pages::lesson))
        .route("/puzzles", get(pages::puzzles))
        .route("/puzzles/{ruleset}", get(pages::puzzles_of))
        .route("/games", get(pages::games))
        .route("/turns", get(pages::turns))
        .route("/inbox", get(pages::inbox))
        .route("/table", get(pages::table))
        .route("/analysis", get(pages::analysis))
        .route("/import", get(pages::import))
        .route("/api", get(pages::api))
        .route("/moderation", get(pages::moderation))
        .route("/privacy", get(pages::privacy))
        .route("/unsubscribe", get(mail::show_unsubscription).post(mail::unsubscribe))
        .route("/offline", get(pages::offline))
        .route("/robots.txt", get(crawlers::robots))
        .route("/sitemap.xml", get(crawlers::sitemap))
        .route("/rules/{ruleset}", get(pages::rules))
        .route("/service-worker.js", get(pages::service_worker))
        .fallback(pages::asset)
        .method_not_allowed_fallback(async || Problem::from(ProblemCode::MethodNotAllowed))
        .layer(middleware::from_fn_with_state(app.clone(), origin::refuse_foreign))
        .layer(middleware::from_fn(cors::allow_reading))
        .layer(DefaultBodyLimit::max(MAX_FRAME))
        .layer(middleware::from_fn(rest::discard))
        .layer(
            CompressionLayer::new().compress_when(DefaultPredicate::new().and(document::is_to_be_compressed)),
        )
        .layer(middleware::map_request(document::accept_known_encodings))
        .layer(SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, NO_STORE))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CONTENT_SECURITY_POLICY,
            CONTENT_SECURITY_POLICY,
        ))
        .layer(SetResponseHeaderLayer::if_not_present(RESOURCE_POLICY, FOR_OWN_PAGES))
        .layer(header_layer(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header_layer(header::REFERRER_POLICY, "same-origin"))
        .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(log_failure))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(middleware::map_request(strip_request_id))
        .with_state(app)
}

/// Routes for Prometheus and process managers, served at an address of their own.
pub(crate) fn for_operators(app: App) -> Router {
    let text = async || ([(header::CONTENT_TYPE, OPEN_METRICS)], METRICS.text());
    Router::new()
        .route("/metrics", get(text))
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
        .with_state(app)
}

fn header_layer(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}

/// Removes the id that came with a request: only the server's own ids are unique.
async fn strip_request_id(mut request: Request) -> Request {
    request.headers_mut().remove(REQUEST_ID);
    request
}

/// Span of a request's log lines. It never contains headers, which may have a token.
fn span(request: &Request) -> Span {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    info_span!("request", id, method = %request.method(), path = request.uri().path())
}

/// Logs a failed request. A 503 is logged at its cause, and here only for debugging.
fn log_failure(failure: ServerErrorsFailureClass, latency: Duration, _: &Span) {
    match failure {
        ServerErrorsFailureClass::StatusCode(StatusCode::SERVICE_UNAVAILABLE) => {
            debug!(?latency, "request answered with 503");
        }
        failure => error!(%failure, ?latency, "request failed: {failure}"),
    }
}

/// Refuses new requests during shutdown.
async fn while_up(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.drain.is_cancelled() { Problem::going_down().into_response() } else { next.run(request).await }
}
