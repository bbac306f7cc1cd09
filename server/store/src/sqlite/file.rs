//! The file of a SQLite database: the lock that keeps a second server out, and the check that it is still at its path.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use tracing::warn;

use crate::StoreError;

/// Endings of the files that SQLite keeps beside a database while it is open: the write-ahead log and its index.
const SIDE_FILES: [&str; 2] = ["-wal", "-shm"];

/// Mode of a new database. SQLite gives the side files that of the database. It has the cards to come, and all that is
/// private.
const OWNER_ALONE: u32 = 0o600;

/// Exclusive lock on a database file.
///
/// It is a `flock` on the database itself, so that symbolic links, hard links and bind mounts all lead to the same
/// lock, and the kernel releases it when the process is gone, however that ends. SQLite locks with `fcntl`, which is
/// independent of it on a local file system.
///
/// The descriptor must outlive every connection to the file: closing any descriptor of a file releases the `fcntl`
/// locks that the process has on it.
#[derive(Debug)]
pub(super) struct FileLock {
    file: File,
    /// Absolute path with symbolic links unresolved, as the next start opens it.
    path: PathBuf,
}

impl FileLock {
    /// Locks a database file, and creates an empty one if there is none.
    ///
    /// # Errors
    /// [`StoreError::FileInUse`] if another process has locked it, [`StoreError::File`] if it cannot be opened or
    /// locked.
    pub(super) fn take(path: &Path) -> Result<Self, StoreError> {
        let failed = |doing, source| StoreError::File { doing, path: path.to_owned(), source };
        if path.as_os_str().is_empty() {
            return Err(StoreError::Url);
        }
        let path = std::path::absolute(path).map_err(|source| failed("find the file", source))?;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(OWNER_ALONE)
            .open(&path)
            .map_err(|source| failed("open the SQLite file", source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file, path }),
            Err(TryLockError::WouldBlock) => Err(StoreError::FileInUse { path }),
            Err(TryLockError::Error(source)) => Err(failed("lock the SQLite file", source)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Logs a warning if other users of the machine can read the file, as one that an older server created.
    pub(super) fn warn_if_others_read(&self) {
        let can_read = |metadata: fs::Metadata| metadata.mode() & 0o077 != 0;
        if self.file.metadata().is_ok_and(can_read) {
            let path = self.path.display();
            warn!(%path, "sqlite: other users of this machine may read {path}: `chmod 600` it and its side files");
        }
    }

    /// Releases the lock. All connections to the file must be closed.
    pub(super) fn release(&self) {
        // On failure, the lock ends when the descriptor is closed.
        let _ = self.file.unlock();
    }

    /// Records the identities of the database's files, all of which SQLite has open now.
    ///
    /// # Errors
    /// One of them is missing.
    pub(super) fn opened(self) -> Result<OpenFile, StoreError> {
        let failed = |path: &Path, source| StoreError::File {
            doing: "find the SQLite file",
            path: path.to_owned(),
            source,
        };
        let database = self.file.metadata().map_err(|source| failed(&self.path, source))?;
        let mut parts = vec![Part { path: self.path.clone(), id: FileId::of(&database) }];
        // SQLite resolves symbolic links before it names the side files.
        let real = fs::canonicalize(&self.path).map_err(|source| failed(&self.path, source))?;
        for ending in SIDE_FILES {
            let mut path = real.clone().into_os_string();
            path.push(ending);
            let path = PathBuf::from(path);
            let metadata = fs::metadata(&path).map_err(|source| failed(&path, source))?;
            parts.push(Part { id: FileId::of(&metadata), path });
        }
        Ok(OpenFile { lock: self, parts })
    }
}

/// Identity of a file on this machine, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    fn of(metadata: &fs::Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

/// A locked database that is open.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) lock: FileLock,
    parts: Vec<Part>,
}

/// One of the files of a database.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    id: FileId,
}

impl OpenFile {
    /// Verifies, with one `stat` for each file, that the files at their paths are those that are open. Writes to a file
    /// that was moved or replaced are lost.
    ///
    /// # Errors
    /// [`StoreError::FileGone`], with the path of the first file that is not in place.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let is_in_place =
            |part: &&Part| fs::metadata(&part.path).is_ok_and(|metadata| FileId::of(&metadata) == part.id);
        match self.parts.iter().find(|part| !is_in_place(part)) {
            None => Ok(()),
            Some(part) => Err(StoreError::FileGone { path: part.path.clone() }),
        }
    }

    /// Returns the free bytes of the disk that the file is on.
    ///
    /// # Errors
    /// The disk cannot be asked.
    pub(super) fn free_bytes(&self) -> Result<u64, StoreError> {
        let path = &self.lock.path;
        let disk = rustix::fs::statvfs(path).map_err(|error| StoreError::File {
            doing: "ask for the free space of the disk",
            path: path.clone(),
            source: error.into(),
        })?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Returns a side file that SQLite still keeps beside the database, if there is one.
    pub(super) fn side_file(&self) -> Option<&Path> {
        self.parts[1..].iter().map(|part| part.path.as_path()).find(|path| path.exists())
    }
}

/// Verifies that no server has a database file open. A file that does not exist passes.
///
/// # Errors
/// [`StoreError::FileInUse`], or [`StoreError::File`] if that cannot be told.
pub(super) fn refuse_if_in_use(path: &Path) -> Result<(), StoreError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(_) | Err(_) => FileLock::take(path).map(drop),
    }
}
