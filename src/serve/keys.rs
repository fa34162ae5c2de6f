//! The server's key, and the keys of the people who are let in.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use mancalab_base::Error;
use russh::keys::ssh_key::LineEnding;
use russh::keys::{Algorithm, HashAlg, PrivateKey, PublicKey, key};

use crate::confined;
use crate::files::{Kind, read_text};
use crate::sanitize;

/// Reads the server's key, or makes an ed25519 key that only its owner can read.
///
/// # Errors
/// The file cannot be read or written, holds no key, or can be read by others.
pub fn host_key(file: &Path) -> Result<PrivateKey, Error> {
    match fs::metadata(file) {
        Ok(meta) if meta.permissions().mode() & 0o077 != 0 => {
            Err(format!("{} can be read by others; `chmod 600` it", sanitize::path(file)).into())
        }
        Ok(_) => {
            let text = read_text(file, Kind::Document).map_err(Error::cannot("read", file))?;
            PrivateKey::from_openssh(text).map_err(|error| format!("{}: {error}", sanitize::path(file)).into())
        }
        Err(_) => make(file),
    }
}

fn make(file: &Path) -> Result<PrivateKey, Error> {
    let made = PrivateKey::random(&mut key::safe_rng(), Algorithm::Ed25519)
        .and_then(|key| key.to_openssh(LineEnding::LF).map(|text| (key, text)));
    let (key, text) = made.map_err(|error| format!("cannot make a key: {error}"))?;
    write_private(file, text.as_bytes()).map_err(Error::cannot("write", file))?;
    Ok(key)
}

/// Writes a new file that only its owner can read, whole or not at all.
fn write_private(file: &Path, text: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        confined::create_folders(folder)?;
    }
    let mut temporary = file.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    // A hard link replaces no other file.
    let written = new.write_all(text).and_then(|()| new.sync_all()).and_then(|()| fs::hard_link(&temporary, file));
    fs::remove_file(&temporary).and(written)
}

/// `SHA256:…`, as OpenSSH shows it.
pub fn fingerprint(key: &PublicKey) -> String {
    key.fingerprint(HashAlg::Sha256).to_string()
}

/// The fingerprints of the keys in a file of OpenSSH's format, without options.
///
/// # Errors
/// The file cannot be read, or a line is no key; the message has its number.
pub fn authorized(file: &Path) -> Result<BTreeSet<String>, Error> {
    let text = read_text(file, Kind::Document).map_err(Error::cannot("read", file))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let key = |(index, line): (usize, &str)| {
        let wrong = |what: &str| Error::from(format!("{}:{}: {what}", sanitize::path(file), index + 1));
        let key = PublicKey::from_openssh(line.trim()).ok();
        let key = key.ok_or_else(|| wrong("expected a public key without options, such as ssh-ed25519 AAAA…"))?;
        if matches!(key.algorithm(), Algorithm::Rsa { .. } | Algorithm::Dsa) {
            return Err(wrong("only ed25519 and ECDSA keys are supported"));
        }
        Ok(fingerprint(&key))
    };
    lines.map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_key_is_made_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/ssh_host_ed25519_key");
        let made = host_key(&file).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(host_key(&file).unwrap().fingerprint(HashAlg::Sha256), made.fingerprint(HashAlg::Sha256));
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(host_key(&file).unwrap_err().to_string().contains("`chmod 600` it"));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(&file, "tea").unwrap();
        assert!(host_key(&file).unwrap_err().to_string().contains("ssh_host_ed25519_key: "));
    }

    #[test]
    fn authorized_keys_are_read_line_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("authorized_keys");
        let key = PrivateKey::random(&mut key::safe_rng(), Algorithm::Ed25519).unwrap();
        let line = key.public_key().to_openssh().unwrap();
        fs::write(&file, format!("# friends\n\n{line} anna@home\n")).unwrap();
        assert_eq!(authorized(&file).unwrap(), BTreeSet::from([fingerprint(key.public_key())]));
        for (wrong, what) in [
            (format!("{line}\ntea"), "authorized_keys:2: expected a public key"),
            (format!("from=\"10.0.0.1\" {line}"), "authorized_keys:1: expected a public key without options"),
        ] {
            fs::write(&file, wrong).unwrap();
            let error = authorized(&file).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        assert!(authorized(&folder.path().join("none")).unwrap_err().to_string().contains("cannot read"));
    }
}
