//! The modules at the top of the server depend on each other in one direction.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

#[test]
fn no_module_depends_on_itself_through_others() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&sources) {
        let path = file.strip_prefix(&sources).unwrap().with_extension("");
        let module = path.iter().next().unwrap().to_str().unwrap().to_owned();
        let is_test = path.iter().any(|part| part == "tests");
        if !is_test && module != "lib" && module != "main" {
            uses.entry(module).or_default().extend(named_in(&file));
        }
    }
    assert!(uses["http"].contains("live"), "the sources are read");
    for (module, used) in &mut uses {
        used.remove(module);
    }
    // Modules that use none of the others are removed until only cycles, and modules above them, remain.
    while let Some(lowest) = uses.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        uses.remove(&lowest);
        for used in uses.values_mut() {
            used.remove(&lowest);
        }
    }
    assert!(uses.is_empty(), "there is a cycle among {uses:#?}");
}

/// Returns the top-level modules that a file names outside its tests.
fn named_in(file: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut named = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => named.extend(heads(list)),
            None => named.extend(identifier(rest)),
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
