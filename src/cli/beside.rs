//! Owns what lies around a source on this machine: a folder is read as the archive of its files, and a page takes in the files beside it
//! that it names, never any outside of its folder.

use super::output::{Stop, failed};
use crate::pipeline::extract::{self, Input, Reader};
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::Extracted;
use skillkiln_document::blocks::Document;
use skillkiln_document::missing;
use skillkiln_readers::file_type::{self, FileType};
use skillkiln_readers::includes::{self, Siblings};
use skillkiln_readers::readers::{self, Task};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Cursor, Read as _, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Folders within folders that are gone into.
const DEPTH_MAX: usize = 32;

/// The files of a folder as a zip of at most `bytes_max` bytes, in the order of their names. Links are not followed, and what is hidden
/// stays so.
///
/// # Errors
/// A message that names the path.
pub fn packed(folder: &Path, bytes_max: u64) -> Result<Vec<u8>, Stop> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut left = bytes_max;
    pack(&mut zip, folder, "", &mut left, DEPTH_MAX).map_err(|(path, cause)| {
        Stop::Failed(match cause.kind() {
            io::ErrorKind::FileTooLarge => format!(
                "{} holds more than {bytes_max} bytes (setting uploads.file_bytes_max); name a folder inside it",
                folder.display()
            ),
            _ => format!("cannot read {}: {cause}", path.display()),
        })
    })?;
    if left == bytes_max {
        let words = format!("{} holds no file with anything in it", folder.display());
        return Err(Stop::Failed(words));
    }
    let packed = zip.finish().map_err(io::Error::other);
    let packed = packed.map_err(|cause| Stop::Failed(cause.to_string()))?;
    Ok(packed.into_inner())
}

fn pack<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    folder: &Path,
    before: &str,
    left: &mut u64,
    depth: usize,
) -> Result<(), (PathBuf, io::Error)> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |cause: io::Error| (path, cause)
    };
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(at(folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().map_err(at(&path))?;
        if name.starts_with('.') {
            continue;
        }
        if kind.is_dir() && depth > 0 {
            pack(zip, &path, &format!("{before}{name}/"), left, depth - 1)?;
        } else if kind.is_file() {
            let mut bytes = Vec::new();
            let file = File::open(&path).map_err(at(&path))?;
            let read = file.take(left.saturating_add(1)).read_to_end(&mut bytes);
            read.map_err(at(&path))?;
            *left = left
                .checked_sub(bytes.len() as u64)
                .ok_or_else(|| (path.clone(), io::ErrorKind::FileTooLarge.into()))?;
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .large_file(false);
            zip.start_file(format!("{before}{name}"), options)
                .map_err(|error| (path.clone(), io::Error::other(error)))?;
            zip.write_all(&bytes).map_err(at(&path))?;
        }
    }
    Ok(())
}

/// The files of a folder.
struct Folder {
    root: PathBuf,
    bytes_max: u64,
    reader: Reader,
}

impl Siblings for Folder {
    fn file(&self, path: &str) -> Option<Document> {
        let found = self.root.join(path).canonicalize().ok()?;
        if !found.starts_with(&self.root) || !found.is_file() {
            return None;
        }
        let file = File::open(&found).ok()?;
        let mut bytes = Vec::new();
        let read = file.take(self.bytes_max + 1).read_to_end(&mut bytes).ok()?;
        let filename = found.file_name()?.to_string_lossy().into_owned();
        let file_type = file_type::of_file(&filename, &bytes).ok()?;
        if read as u64 > self.bytes_max || file_type.is_treacherous() {
            return None;
        }
        let task = Task {
            file_type,
            charset: None,
            address: None,
            filename: Some(filename),
            limits: self.reader.limits.clone(),
        };
        readers::read(&task, Cow::Owned(bytes)).ok()
    }
}

/// Reads a source; where it is a page at `path`, the files beside it that it takes in are put into their places.
///
/// # Errors
/// [`Stop::Failed`] when it cannot be read.
pub async fn read(
    reader: &Reader,
    input: Input,
    path: Option<&Path>,
    bytes_max: u64,
) -> Result<JobHandle, Stop> {
    let is_page = match &input {
        Input::Files(files) => files.iter().all(|file| {
            let found = file_type::of_file(&file.filename, &file.bytes);
            matches!(found, Ok(FileType::Markdown | FileType::Markup(_)))
        }),
        _ => false,
    };
    let handle = extract::read(reader, input).await.map_err(failed)?.handle;
    let root = path.filter(|_| is_page).and_then(|path| {
        let root = path.canonicalize().ok()?;
        Some((root.parent()?.to_owned(), root.file_name()?.to_owned()))
    });
    let Some((root, name)) = root else {
        return Ok(handle);
    };
    let extracted = handle.take_document().await.map_err(failed)?;
    let mut extracted: Extracted = Arc::unwrap_or_clone(extracted);
    if !missing::of(&extracted.document.blocks).is_empty() {
        let folder = Folder {
            root,
            bytes_max,
            reader: reader.clone(),
        };
        let mut left = includes::TAKEN_BYTES_MAX;
        let name = name.to_string_lossy();
        includes::resolve(&mut extracted.document, &name, &folder, &mut left);
    }
    Ok(JobHandle::of(reader.pool.clone(), extracted))
}
