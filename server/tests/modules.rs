//! The modules at the top of the server depend on each other in one direction, and so do those inside its largest rooms.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A module's path from the root of the crate.
type ModulePath = Vec<String>;

#[test]
fn no_module_depends_on_itself_through_others() {
    let uses = uses_in(&[]);
    assert!(uses["http"].contains("live"), "the sources are read");
    assert_one_direction(uses);
}

#[test]
fn no_module_of_live_depends_on_itself_through_others() {
    let uses = uses_in(&["live"]);
    assert!(uses["actor"].contains("shared") && uses["reading"].contains("delivery"), "the sources are read");
    assert_one_direction(uses);
}

/// Removes modules that use none of the others, until only cycles and modules above them remain: none may.
fn assert_one_direction(mut uses: BTreeMap<String, BTreeSet<String>>) {
    while let Some(lowest) = uses.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone()) {
        uses.remove(&lowest);
        for used in uses.values_mut() {
            used.remove(&lowest);
        }
    }
    assert!(uses.is_empty(), "there is a cycle, or a name that is no module, among {uses:#?}");
}

/// Returns the modules in a room, each with the others of the room that it names outside tests. The room's own file,
/// which declares them, is left out.
fn uses_in(room: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files(&room.iter().fold(sources.clone(), |folder, name| folder.join(name))) {
        let module = module_of(file.strip_prefix(&sources).unwrap());
        if let Some(own) = module.get(room.len())
            && !module.iter().any(|name| name == "tests")
        {
            let named = named_in(&file, &module).into_iter().filter(|path| is_in(path, room));
            let named = named.filter_map(|path| path.get(room.len()).cloned());
            uses.entry(own.clone()).or_default().extend(named.filter(|name| name != own));
        }
    }
    uses
}

/// Returns the module of a file; that of `lib.rs` and `main.rs` is the root.
fn module_of(file: &Path) -> ModulePath {
    let names =
        file.with_extension("").iter().map(|name| name.to_str().unwrap().to_owned()).collect::<Vec<_>>();
    names.into_iter().filter(|name| !["mod", "lib", "main"].contains(&name.as_str())).collect()
}

/// Whether a path leads into a room, or is that of the room.
fn is_in(path: &ModulePath, room: &[&str]) -> bool {
    path.len() >= room.len() && path.iter().zip(room).all(|(own, name)| own == name)
}

/// Returns the paths of the crate that a file names outside its tests.
fn named_in(file: &Path, module: &ModulePath) -> Vec<ModulePath> {
    let text = fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut named = Vec::new();
    for start in ["crate::", "self::", "super::"] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':')
            {
                continue;
            }
            let mut base = if start == "crate::" { Vec::new() } else { module.clone() };
            let mut rest = &code[at..];
            while let Some(after) = rest.strip_prefix("super::") {
                base.pop();
                rest = after;
            }
            let rest = rest.strip_prefix("crate::").or(rest.strip_prefix("self::")).unwrap_or(rest);
            expand(rest, &base, &mut named);
        }
    }
    named
}

/// Adds the paths that a tree of imports, or one path, names below `base`. Returns the text after it.
fn expand<'t>(tree: &'t str, base: &ModulePath, named: &mut Vec<ModulePath>) -> &'t str {
    let tree = tree.trim_start();
    if let Some(mut rest) = tree.strip_prefix('{') {
        loop {
            rest = expand(rest, base, named);
            let end = rest.find([',', '}']).unwrap();
            let is_last = rest[end..].starts_with('}') || rest[end + 1..].trim_start().starts_with('}');
            if is_last {
                return &rest[end + rest[end..].find('}').unwrap() + 1..];
            }
            rest = &rest[end + 1..];
        }
    }
    let name = identifier(tree);
    let path: ModulePath = base.iter().cloned().chain([name.to_owned()]).collect();
    match tree[name.len()..].strip_prefix("::") {
        Some(rest) if !name.is_empty() => expand(rest, &path, named),
        _ if name.is_empty() || name == "self" => {
            named.push(base.clone());
            &tree[name.len()..]
        }
        _ => {
            named.push(path);
            &tree[name.len()..]
        }
    }
}

fn identifier(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
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
