use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, ensure};
use tempfile::NamedTempFile;

/// Mode of the new file: only the user who runs the command may read it. It has private games, hashes of sessions, or
/// the cards to come.
const OWNER_ALONE: u32 = 0o600;

/// A new file that appears at its path complete or not at all, and never replaces another file.
#[derive(Debug)]
pub(super) struct NewFile {
    /// Temporary file next to the final path.
    pub(super) unfinished: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// # Errors
    /// The path exists already, or nothing can be written there.
    pub(super) fn at(path: &Path) -> anyhow::Result<Self> {
        ensure!(!path.exists(), "{} exists already", path.display());
        let unfinished = tempfile::Builder::new()
            .prefix(".towers-")
            .permissions(Permissions::from_mode(OWNER_ALONE))
            .tempfile_in(directory_of(path))
            .with_context(|| format!("cannot write beside {}", path.display()))?;
        Ok(Self { unfinished, path: path.to_owned() })
    }

    /// Syncs the file to disk and moves it to its path.
    ///
    /// # Errors
    /// The file cannot be synced, or the path exists by now.
    pub(super) fn keep(self) -> anyhow::Result<()> {
        let Self { unfinished, path } = self;
        let kept = || -> io::Result<()> {
            File::open(unfinished.path())?.sync_all()?;
            unfinished.persist_noclobber(&path).map_err(|refused| refused.error)?;
            File::open(directory_of(&path))?.sync_all()
        };
        match kept() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(anyhow!("{} exists already", path.display()))
            }
            kept => kept.with_context(|| format!("cannot write {}", path.display())),
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
