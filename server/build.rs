//! Build script. A release build embeds the built client, `static/built`, with maximum compression. A debug build
//! serves the client's sources from the working tree, unless it has the feature `built-client`. A changed migration
//! causes a rebuild.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt::Write as _,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use brotli::{BrotliCompress, enc::BrotliEncoderParams};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

/// Folder of the client's sources, relative to this package.
const SOURCES: &str = "../static";

/// Folder of the built client, relative to the sources.
const BUILT: &str = "built";

/// File of the built client with the digest of the sources that it was built from.
const DIGEST: &str = "SOURCES.sha256";

/// Remedy for a built client that is missing or out of date, in error messages.
const REMEDY: &str = "run `npm ci && npm run bundle` in tests/";

/// Extensions of files that are compressed already.
const DENSE: [&str; 1] = ["woff2"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-check-cfg=cfg(built_client)");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE")? != "release" && env::var_os("CARGO_FEATURE_BUILT_CLIENT").is_none() {
        return Ok(());
    }
    println!("cargo::rustc-cfg=built_client");
    println!("cargo::rerun-if-changed={SOURCES}");
    let built = Path::new(SOURCES).join(BUILT);
    let digest = fs::read_to_string(built.join(DIGEST))
        .map_err(|error| format!("static/{BUILT}/{DIGEST}: {error}: {REMEDY}"))?;
    if let Some(path) = first_change(&digest, &digest_of_sources()?) {
        return Err(format!("static/{BUILT} was built before static/{path} was changed: {REMEDY}").into());
    }
    embed(&built, &PathBuf::from(env::var("OUT_DIR")?))
}

/// Writes the compressed files and the table of them that `http::assets::built` includes.
fn embed(built: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let mut table = String::from("&[\n");
    for (index, path) in files_in(built)?.into_iter().filter(|path| path != DIGEST).enumerate() {
        let plain = fs::read(built.join(&path))?;
        let kept = |extension: &str, content: &[u8]| {
            let place = target.join(format!("{index}.{extension}"));
            fs::write(&place, content)?;
            io::Result::Ok(format!("include_bytes!({place:?})"))
        };
        let is_dense =
            Path::new(&path).extension().and_then(OsStr::to_str).is_some_and(|e| DENSE.contains(&e));
        let (brotli, gzip) = if is_dense {
            ("None".to_owned(), "None".to_owned())
        } else {
            let (brotli, gzip) = (kept("br", &brotli(&plain)?)?, kept("gz", &gzip(&plain)?)?);
            (format!("Some({brotli})"), format!("Some({gzip})"))
        };
        let tag = hex(&Sha256::digest(&plain)[..12]);
        let plain = kept("plain", &plain)?;
        writeln!(
            table,
            "({path:?}, Stored {{ tag: Cow::Borrowed({tag:?}), plain: Cow::Borrowed({plain}), \
             brotli: {brotli}, gzip: {gzip} }}),"
        )?;
    }
    table.push(']');
    Ok(fs::write(target.join("built_client.rs"), table)?)
}

fn brotli(mut plain: &[u8]) -> io::Result<Vec<u8>> {
    let most = BrotliEncoderParams { quality: 11, lgwin: 22, size_hint: plain.len(), ..Default::default() };
    let mut compressed = Vec::new();
    BrotliCompress(&mut plain, &mut compressed, &most)?;
    Ok(compressed)
}

fn gzip(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(plain)?;
    writer.finish()
}

/// Returns a line with the SHA-256 of each source, in the format of `tests/bundle/sources.js`.
fn digest_of_sources() -> io::Result<String> {
    let mut lines = String::new();
    for path in files_in(Path::new(SOURCES))?.into_iter().filter(|path| is_source(path)) {
        let hash = hex(&Sha256::digest(fs::read(Path::new(SOURCES).join(&path))?));
        lines.push_str(&format!("{hash}  {path}\n"));
    }
    Ok(lines)
}

/// Whether the built client depends on a file. Type declarations serve only editors, and hidden files are ignored.
fn is_source(path: &str) -> bool {
    !path.starts_with("built/")
        && !path.ends_with(".d.ts")
        && path != "tsconfig.json"
        && path.split('/').all(|part| !part.starts_with('.'))
}

/// Returns the path in the first line in which two digests differ.
fn first_change<'a>(one: &'a str, other: &'a str) -> Option<&'a str> {
    let lines_of = |digest: &'a str| digest.lines().map(Some).chain([None]);
    let (one, other) = lines_of(one).zip(lines_of(other)).find(|(one, other)| one != other)?;
    // If only one digest has a line, its path sorts before that of the other's line.
    let path_of = |line: &'a str| line.split_once("  ").map_or(line, |(_, path)| path);
    [one, other].into_iter().flatten().map(path_of).min()
}

/// Returns the relative paths of all files in a folder, in bytewise order.
fn files_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let path = format!("{inner}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() { folders.push(format!("{path}/")) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
