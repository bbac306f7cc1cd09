use std::{
    fs::{File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, ensure};
use tempfile::NamedTempFile;

/// A file that is at its place whole or not at all, and that never takes the place of another.
#[derive(Debug)]
pub(super) struct NewFile {
    /// What is written, beside its place.
    pub(super) unfinished: NamedTempFile,
    path: PathBuf,
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Readers {
    /// Nobody but who runs the operation: it has what sessions are proved by, and the cards to come.
    Owner,
    /// Whom the system lets read new files.
    Usual,
}

impl NewFile {
    /// # Errors
    /// Something has that name already, or nothing can be written there.
    pub(super) fn at(path: &Path, readers: Readers) -> anyhow::Result<Self> {
        ensure!(!path.exists(), "{} is there already", path.display());
        let mode = match readers {
            Readers::Owner => 0o600,
            Readers::Usual => 0o666,
        };
        let unfinished = tempfile::Builder::new()
            .prefix(".towers-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(directory_of(path))
            .with_context(|| format!("cannot write beside {}", path.display()))?;
        Ok(Self { unfinished, path: path.to_owned() })
    }

    /// Gives the file its name, once all of it is on the disk.
    ///
    /// # Errors
    /// It cannot be brought to the disk, or something has got that name meanwhile.
    pub(super) fn keep(self) -> anyhow::Result<()> {
        let Self { unfinished, path } = self;
        let kept = || -> io::Result<()> {
            File::open(unfinished.path())?.sync_all()?;
            unfinished.persist_noclobber(&path).map_err(|refused| refused.error)?;
            File::open(directory_of(&path))?.sync_all()
        };
        match kept() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(anyhow!("{} is there already", path.display()))
            }
            kept => kept.with_context(|| format!("cannot write {}", path.display())),
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
