//! Puzzles: their list, the one of the day, moves on their boards, and the judgement of attempts.

use std::collections::BTreeSet;

use engine::{AnyMatch, Ruleset};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use system_tests::{database::Database, on_both_databases, player::Player, server::Server};

on_both_databases![
    the_list_has_the_puzzles_of_a_ruleset_and_a_grade,
    the_puzzle_of_the_day_is_the_same_for_everybody,
    the_solution_of_a_puzzle_of_each_ruleset_solves_it,
    any_solution_counts_and_no_other_turn_does,
    a_first_turn_that_does_not_win_is_refuted_by_a_reply,
    attempts_and_moves_that_are_none_are_refused,
];

async fn list(visitor: &Player, query: &str) -> Vec<Value> {
    let list = visitor.get(&format!("/api/v1/puzzles?{query}")).await.ok();
    list["puzzles"].as_array().unwrap().clone()
}

/// The rulesets that have puzzles.
async fn rulesets(visitor: &Player) -> Vec<Ruleset> {
    let all = list(visitor, "").await;
    Ruleset::ALL.into_iter().filter(|ruleset| all.iter().any(|row| row["ruleset"] == ruleset.id())).collect()
}

async fn first_of(visitor: &Player, ruleset: Ruleset) -> Value {
    let id = list(visitor, &format!("ruleset={ruleset}")).await[0]["id"].as_str().unwrap().to_owned();
    visitor.get(&format!("/api/v1/puzzles/{id}")).await.ok()
}

async fn attempt(visitor: &Player, puzzle: &Value, turns: &[Vec<String>]) -> Value {
    let path = format!("/api/v1/puzzles/{}/attempts", puzzle["id"].as_str().unwrap());
    visitor.post(&path, &json!({ "turns": turns })).await.ok()
}

/// The turns of a solution, those of both sides in order.
async fn solution(visitor: &Player, puzzle: &Value) -> Vec<Vec<String>> {
    let path = format!("/api/v1/puzzles/{}/solution", puzzle["id"].as_str().unwrap());
    let solution = visitor.get(&path).await.ok();
    let actions = |turn: &Value| {
        let steps = turn["steps"].as_array().unwrap().iter();
        steps.map(|step| step["action"].as_str().unwrap().to_owned()).collect()
    };
    solution["turns"].as_array().unwrap().iter().map(actions).collect()
}

fn game_of(ruleset: Ruleset, puzzle: &Value) -> AnyMatch {
    AnyMatch::from_text(ruleset, puzzle["trial"]["position"].as_str().unwrap()).unwrap()
}

async fn the_list_has_the_puzzles_of_a_ruleset_and_a_grade(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let all = list(&visitor, "").await;
    assert!(all.len() >= 100, "{}", all.len());
    let ids: BTreeSet<_> = all.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
    let mut n_listed = 0;
    for ruleset in rulesets(&visitor).await {
        let of_ruleset = list(&visitor, &format!("ruleset={ruleset}")).await;
        assert!(of_ruleset.len() >= 20, "{ruleset}");
        assert!(of_ruleset.iter().all(|row| row["ruleset"] == ruleset.id()));
        let graded = list(&visitor, &format!("ruleset={ruleset}&grade=3")).await;
        assert!(!graded.is_empty() && graded.iter().all(|row| row["grade"] == 3));
        n_listed += of_ruleset.len();
    }
    assert_eq!(n_listed, all.len());
    for query in ["grade=6", "grade=0", "ruleset=chess", "grades=1"] {
        visitor.get(&format!("/api/v1/puzzles?{query}")).await.is_problem(400, "invalid_query");
    }
}

async fn the_puzzle_of_the_day_is_the_same_for_everybody(database: Database) {
    let server = Server::start(&database).await;
    let [one, other] = [Player::stranger(&server), Player::enter(&server).await];
    // Midnight may come between two answers, but not twice.
    let mut days = Vec::new();
    for visitor in [&one, &other, &one] {
        let answer = visitor.respond(Method::GET, "/api/v1/puzzles/today", None).await;
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
        days.push(answer.json::<Value>().await.unwrap());
    }
    assert!(days[0] == days[1] || days[1] == days[2]);
    let puzzle = &days[2];
    let path = format!("/api/v1/puzzles/{}", puzzle["id"].as_str().unwrap());
    let answer = one.respond(Method::GET, &path, None).await;
    assert!(answer.headers()[header::CACHE_CONTROL].to_str().unwrap().starts_with("public, max-age="));
    assert_eq!(&answer.json::<Value>().await.unwrap(), puzzle);
    let page = one.respond(Method::GET, "/puzzles", None).await;
    assert_eq!(page.status(), StatusCode::OK);
}

async fn the_solution_of_a_puzzle_of_each_ruleset_solves_it(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    for ruleset in rulesets(&visitor).await {
        let puzzle = first_of(&visitor, ruleset).await;
        let id = puzzle["id"].as_str().unwrap();
        let line = solution(&visitor, &puzzle).await;
        let moves = puzzle["trial"]["draft"]["turn"]["allowance"]["left"].clone();
        let mut own = vec![line[0].clone()];
        match ruleset {
            Ruleset::Fibonacci | Ruleset::FibonacciMixed | Ruleset::FibonacciCards => {
                assert_eq!(puzzle["task"], json!({ "kind": "win_in_turn", "moves": moves }));
                assert_eq!(moves, line[0].len());
            }
            Ruleset::Fenix => assert_eq!(puzzle["task"]["kind"], "best_capture"),
            Ruleset::Focus | Ruleset::FocusClassic | Ruleset::Crossfire => {
                assert_eq!(puzzle["task"], json!({ "kind": "win_in_two" }));
                let answer = attempt(&visitor, &puzzle, &own).await;
                assert_eq!((&answer["verdict"], &answer["solution"]), (&json!("continues"), &Value::Null));
                assert_eq!(answer["reply"]["steps"][0]["action"], line[1][0]);
                let tried = format!("/api/v1/puzzles/{id}/try?first={}", line[0][0]);
                assert_eq!(visitor.get(&tried).await.ok(), answer["next"]);
                own.push(line[2].clone());
            }
        }
        let first = own.last().unwrap()[0].clone();
        let before = if own.len() == 2 { format!("first={}&", own[0][0]) } else { String::new() };
        let trial = visitor.get(&format!("/api/v1/puzzles/{id}/try?{before}actions={first}")).await.ok();
        assert_eq!(trial["draft"]["steps"][0]["action"], first.as_str());
        let answer = attempt(&visitor, &puzzle, &own).await;
        assert_eq!(answer["verdict"], "solved", "{ruleset}: {answer}");
        assert_eq!(answer["solution"].as_array().unwrap().len(), line.len());
    }
}

/// The first whole turns of a match: each first action, and then the first legal ones.
fn turns(game: &AnyMatch) -> Vec<Vec<String>> {
    let legal = game.draft::<&str>(&[]).unwrap().legal();
    let whole = |first: String| {
        let mut turn = vec![first];
        while let Some(next) = game.draft(&turn).unwrap().legal().first() {
            turn.push(next.text.clone());
        }
        turn
    };
    legal.into_iter().take(12).map(|action| whole(action.text)).collect()
}

async fn any_solution_counts_and_no_other_turn_does(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    for ruleset in rulesets(&visitor).await.into_iter().filter(|ruleset| ruleset.has_early_end()) {
        let puzzle = first_of(&visitor, ruleset).await;
        let game = game_of(ruleset, &puzzle);
        let mut n_failed = 0;
        for turn in turns(&game) {
            let mut after = game.clone();
            after.play(&turn).unwrap();
            let has_won = after.outcome().is_some_and(|outcome| outcome.winner == Some(game.to_move()));
            let answer = attempt(&visitor, &puzzle, &[turn]).await;
            assert_eq!(answer["verdict"], if has_won { "solved" } else { "failed" });
            assert_eq!(answer["solution"].is_null(), !has_won, "a solution is not given away");
            n_failed += usize::from(!has_won);
        }
        assert!(n_failed > 0, "{ruleset}");
        // Moves that do not depend on each other win in any order.
        let line = solution(&visitor, &puzzle).await;
        for at in 1..line[0].len() {
            let mut turn = line[0].clone();
            turn.swap(at - 1, at);
            let mut after = game.clone();
            if after.play(&turn).is_ok() && after.outcome().is_some() {
                assert_eq!(attempt(&visitor, &puzzle, &[turn]).await["verdict"], "solved");
            }
        }
    }
}

async fn a_first_turn_that_does_not_win_is_refuted_by_a_reply(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let puzzle = first_of(&visitor, Ruleset::Crossfire).await;
    let game = game_of(Ruleset::Crossfire, &puzzle);
    let right = solution(&visitor, &puzzle).await[0].clone();
    let mut n_refuted = 0;
    for turn in turns(&game).into_iter().filter(|turn| *turn != right) {
        let answer = attempt(&visitor, &puzzle, std::slice::from_ref(&turn)).await;
        if answer["verdict"] == "failed" {
            n_refuted += 1;
            let mut after = game.clone();
            after.play(&turn).unwrap();
            after.play(&[answer["reply"]["steps"][0]["action"].as_str().unwrap()]).unwrap();
            assert_eq!((&answer["next"], &answer["solution"]), (&Value::Null, &Value::Null));
        }
    }
    assert!(n_refuted > 0);
}

async fn attempts_and_moves_that_are_none_are_refused(database: Database) {
    let server = Server::start(&database).await;
    let visitor = Player::stranger(&server);
    let puzzle = first_of(&visitor, Ruleset::Crossfire).await;
    let path = format!("/api/v1/puzzles/{}", puzzle["id"].as_str().unwrap());
    let right = solution(&visitor, &puzzle).await[0].clone();
    let attempts = format!("{path}/attempts");
    let answer = visitor.post(&attempts, &json!({ "turns": [["z1-z2"]] })).await;
    answer.is_problem(422, "illegal_action");
    assert_eq!(answer.body["flaw"]["index"], 0);
    visitor.post(&attempts, &json!({ "turns": [] })).await.is_problem(422, "invalid_body");
    let many = json!({ "turns": [right, right, right] });
    visitor.post(&attempts, &many).await.is_problem(422, "invalid_body");
    visitor.get(&format!("{path}/try?actions=z1-z2")).await.is_problem(422, "illegal_action");
    visitor.get(&format!("{path}/try?first=z1-z2")).await.is_problem(422, "illegal_action");
    for unknown in ["00000000", "chess", "ABCDEF01"] {
        for part in ["", "/try", "/solution"] {
            let answer = visitor.get(&format!("/api/v1/puzzles/{unknown}{part}")).await;
            answer.is_problem(404, "no_such_resource");
        }
    }
}
