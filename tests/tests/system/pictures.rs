//! Pictures of games: what they show, who may see them, and that they are not drawn again without need.

use reqwest::{Method, Response, header};
use serde_json::json;
use system_tests::{
    database::Database, game::Game, on_both_databases, pair::Pair, player::Player, server::Server,
    socket::resign,
};

on_both_databases![
    a_picture_shows_the_board_after_a_turn,
    a_picture_of_a_delayed_game_shows_nothing_newer_even_to_its_players,
    a_game_for_its_players_only_has_no_picture,
    a_picture_that_a_client_has_is_not_sent_again,
    only_a_position_that_the_rules_allow_is_drawn,
    a_link_to_a_game_has_a_preview,
    a_page_for_frames_needs_no_session,
];

async fn svg(visitor: &Player, game: &str, query: &str) -> String {
    let answer = visitor.get(&format!("/api/v1/games/{game}/picture.svg?{query}")).await;
    assert_eq!((answer.status.as_u16(), answer.content_type.as_str()), (200, "image/svg+xml"), "{answer:?}");
    answer.text().to_owned()
}

async fn begins_with(response: Response, magic: &[u8]) -> bool {
    assert_eq!(response.status(), 200);
    response.bytes().await.is_ok_and(|bytes| bytes.starts_with(magic))
}

async fn a_picture_shows_the_board_after_a_turn(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let visitor = Player::stranger(&server);
    let start = svg(&visitor, &pair.game, "").await;
    pair.play_turns(&game, 0..2).await;
    let first = svg(&visitor, &pair.game, "turn=1").await;
    let second = svg(&visitor, &pair.game, "turn=2").await;
    assert!(start != first && first != second);
    assert_eq!(svg(&visitor, &pair.game, "turn=0").await, start);
    assert_eq!(svg(&visitor, &pair.game, "").await, second, "the last turn is shown by default");
    let dark = svg(&visitor, &pair.game, "theme=dark").await;
    assert!(dark != second && dark.len() < 60_000);
    let path = |name: &str| format!("/api/v1/games/{}/{name}", pair.game);
    let png = visitor.respond(Method::GET, &path("picture.png"), None).await;
    assert!(begins_with(png, b"\x89PNG").await);
    let gif = visitor.respond(Method::GET, &path("animation.gif"), None).await;
    assert!(begins_with(gif, b"GIF89a").await);
}

async fn a_picture_of_a_delayed_game_shows_nothing_newer_even_to_its_players(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open_on(&server, &game.ruleset, json!({"delay": 2})).await;
    let visitor = Player::stranger(&server);
    let start = svg(&visitor, &pair.game, "").await;
    pair.play_turns(&game, 0..2).await;
    for query in ["", "turn=2"] {
        assert_eq!(svg(&visitor, &pair.game, query).await, start);
        assert_eq!(svg(&pair.first.player, &pair.game, query).await, start);
    }
    pair.play_turns(&game, 2..3).await;
    let first = svg(&visitor, &pair.game, "").await;
    assert_ne!(first, start);
    let id = pair.game.clone();
    assert_eq!(pair.first.socket.ask(&resign(&id)).await["type"], "ack");
    assert_ne!(svg(&visitor, &id, "").await, first, "it is over");
    assert_eq!(svg(&visitor, &id, "turn=1").await, first);
}

async fn a_game_for_its_players_only_has_no_picture(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open_on(&server, &game.ruleset, json!({"watching": "nobody"})).await;
    pair.play_turns(&game, 0..1).await;
    for visitor in [&Player::stranger(&server), &pair.first.player] {
        for name in ["picture.png", "picture.svg", "animation.gif"] {
            visitor.get(&format!("/api/v1/games/{}/{name}", pair.game)).await.is_problem(403, "private");
        }
    }
}

async fn a_picture_that_a_client_has_is_not_sent_again(database: Database) {
    let server = Server::start(&database).await;
    let game = Game::fibonacci();
    let mut pair = Pair::open(&server, &game.ruleset).await;
    let visitor = Player::stranger(&server);
    let path = format!("/api/v1/games/{}/picture.png", pair.game);
    let first = visitor.respond(Method::GET, &path, None).await;
    let tag = first.headers()[header::ETAG].clone();
    assert!(first.headers()[header::CACHE_CONTROL].to_str().unwrap().starts_with("public"));
    let again = || visitor.request(Method::GET, &path).header(header::IF_NONE_MATCH, tag.clone()).send();
    assert_eq!(again().await.unwrap().status(), 304);
    pair.play_turns(&game, 0..1).await;
    assert_eq!(again().await.unwrap().status(), 200, "the board has changed");
}

async fn only_a_position_that_the_rules_allow_is_drawn(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let draw = async |position: &str| {
        visitor.get(&format!("/api/v1/picture.svg?ruleset=fibonacci&position={position}")).await
    };
    let start = "CSSSSS/1S5/8/8p/2P3ppp1/3P3p3/1PPP3p2/P8/8/5s1/sssssc%201%201%201/1";
    assert!(draw(start).await.text().starts_with("<svg "));
    draw(&start.replace('C', "S")).await.is_problem(422, "invalid_start");
    draw("%3Cscript%3E").await.is_problem(422, "invalid_start");
    draw(&"C".repeat(513)).await.is_problem(400, "invalid_query");
}

async fn a_link_to_a_game_has_a_preview(database: Database) {
    let server = Server::start(&database).await;
    let [ada, blaise] = [Player::enter(&server).await, Player::enter(&server).await];
    ada.patch("/api/v1/session", &json!({"name": "Ada"})).await.ok();
    let [listed, linked] = [ada.open_room("fenix", "public").await, ada.open_room("fenix", "link").await];
    blaise.join(&listed).await.ok();
    blaise.join(&linked).await.ok();
    let visitor = Player::stranger(&server);
    for page in ["game", "replay"] {
        let html = visitor.get(&format!("/{page}/{listed}")).await.text().to_owned();
        let image = format!("http://{}/api/v1/games/{listed}/picture.png", server.address());
        assert!(html.contains(&format!("<meta property=\"og:image\" content=\"{image}\">")), "{html}");
        assert!(html.contains("<meta property=\"og:title\" content=\"Ada – "), "{html}");
        let html = visitor.get(&format!("/{page}/{linked}")).await.text().to_owned();
        assert!(html.contains("og:image") && !html.contains("Ada"), "a game by link names nobody");
    }
}

async fn a_page_for_frames_needs_no_session(database: Database) {
    let server = Server::start(&database).await;
    let pair = Pair::open(&server, "focus").await;
    let visitor = Player::stranger(&server);
    let policy = async |path: &str| {
        let response = visitor.respond(Method::GET, path, None).await;
        assert!(!response.headers().contains_key(header::SET_COOKIE));
        response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
    };
    assert!(policy(&format!("/embed/{}", pair.game)).await.contains("frame-ancestors *;"));
    for path in [format!("/game/{}", pair.game), "/embed/not-an-id/more".to_owned(), "/".to_owned()] {
        assert!(policy(&path).await.contains("frame-ancestors 'none'"), "{path}");
    }
}
