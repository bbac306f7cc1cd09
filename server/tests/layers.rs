//! Checks that each layer of the server uses only the layers below it: `game` uses none, `protocol` and `store` use
//! `game` and not each other.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Folder of a layer, and the modules of the crate that it may use besides itself.
const LAYERS: [(&str, &[&str]); 3] =
    [("game", &["ids"]), ("protocol", &["game", "ids"]), ("store", &["game", "ids", "metrics"])];

#[test]
fn each_layer_uses_only_the_layers_below_it() {
    for (layer, below) in LAYERS {
        let named = named_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer));
        assert!(named.contains("ids"), "the files of {layer} are read");
        let above: Vec<_> =
            named.iter().filter(|name| *name != layer && !below.contains(&name.as_str())).collect();
        assert!(above.is_empty(), "{layer} uses {above:?}");
    }
}

/// Returns the top-level modules of the crate that the files of a folder name.
fn named_in(folder: &Path) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for file in files(folder) {
        let text = fs::read_to_string(&file).unwrap();
        let code: String = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .flat_map(|line| [line, "\n"])
            .collect();
        for rest in code.split("crate::").skip(1) {
            match rest.strip_prefix('{') {
                Some(list) => named.extend(heads(list)),
                None => named.extend(identifier(rest)),
            }
        }
    }
    named
}

/// Returns the first names of the paths in a list of imports, without its opening brace.
fn heads(list: &str) -> Vec<String> {
    let (mut depth, mut heads, mut is_head) = (0, Vec::new(), true);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_head = true,
            _ if is_head && letter.is_alphabetic() => {
                heads.extend(identifier(&list[at..]));
                is_head = false;
            }
            _ => {}
        }
    }
    heads
}

fn identifier(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    (!name.is_empty()).then_some(name)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
