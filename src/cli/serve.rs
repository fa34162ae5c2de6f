//! `mancalab serve ssh`: the lobby over SSH, in builds with the feature `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::run::threads;
use crate::paths::Paths;

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:2222")]
    pub listen: SocketAddr,
    /// Let everybody in, under a name of their choice
    #[arg(long, conflicts_with = "authorized_keys")]
    pub anonymous: bool,
    /// Public keys of those to let in
    ///
    /// As OpenSSH writes them; default: authorized_keys in the config folder.
    #[arg(long, value_name = "FILE")]
    pub authorized_keys: Option<PathBuf>,
    /// The server's key, made if the file does not exist
    ///
    /// Default: ssh_host_ed25519_key in the state folder.
    #[arg(long, value_name = "FILE")]
    pub host_key: Option<PathBuf>,
    /// Guests at once; default: sessions of [guest] in the config
    ///
    /// Those away from their table are included.
    #[arg(long, value_name = "N")]
    pub sessions: Option<usize>,
    /// Guests at once from one address
    ///
    /// Those away from their table are included.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub sessions_by_address: usize,
    /// Connections at once without a session
    ///
    /// The oldest makes room for another.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub logins: usize,
    /// Connections at once without a session from one address
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub logins_by_address: usize,
    /// Seconds to log in, 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub login_limit: u32,
    /// Seconds without a key press, 0 for no limit
    #[arg(long, value_name = "SECONDS", default_value_t = 1800)]
    pub idle_limit: u32,
    /// Seconds of a session, 0 for no limit
    ///
    /// Default: minutes of [guest] in the config.
    #[arg(long, value_name = "SECONDS")]
    pub session_limit: Option<u32>,
    /// Bytes a second that a client may send
    #[arg(long, value_name = "N", default_value_t = 16384, hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub bytes_in: u32,
    /// Seconds to come back to a table after a lost connection
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub come_back: u32,
    /// MiB of the tables and trees of all searches
    #[arg(long, value_name = "MIB", default_value_t = 256, hide_short_help = true)]
    pub table_memory: usize,
    /// Games of the lobby that the folder of games may hold
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub games: usize,
    /// Configuration file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Threads shared by all sessions, 0 for all
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<usize>,
}

#[cfg(not(feature = "serve"))]
pub fn run(_: &ServeArgs, _: &Paths) -> Result<ExitCode> {
    anyhow::bail!(
        "this program was built without `serve`: in the folder of the sources, `cargo install --locked --path . --features serve` \
         installs one that has it, and `packaging/Containerfile` makes an image of one"
    )
}

#[cfg(feature = "serve")]
pub fn run(args: &ServeArgs, paths: &Paths) -> Result<ExitCode> {
    use crate::config::Config;
    use crate::pool::Pool;
    use crate::serve;
    use crate::settings::Report;
    use rustix::process::Resource;

    let config = Config::load(paths, args.config.as_deref())?;
    Report::check(super::screen::problems_of_keys(&config))?;
    let settings = args.settings(&config, paths)?;
    super::guest::limit(Resource::Data)?;
    crate::memory::limit(args.table_memory.saturating_mul(1 << 20));
    let pool = Pool::new(args.threads.unwrap_or(config.pool.threads as usize));
    let log = crate::log::init(config.log.level, paths);
    crate::term::install_panic_hook(log.as_ref().map(|log| log.path.as_path()));
    serve::run(settings, config, pool, |address, fingerprint| {
        let mut text =
            format!("Serving on {address}, key {fingerprint}\nJoin: ssh -p {} NAME@{}\n", address.port(), address.ip());
        if let Some(log) = log {
            text += &format!("Log: {}\n", crate::sanitize::path(&log.path));
        }
        super::out::result(&text);
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A file of keys that is there.
#[cfg(feature = "serve")]
fn existing(keys: PathBuf) -> Result<PathBuf> {
    let name = crate::sanitize::path(&keys);
    anyhow::ensure!(
        keys.exists(),
        "nobody may enter: {name} is missing; put public keys into it, name another file by --authorized-keys, or add --anonymous"
    );
    Ok(keys)
}

#[cfg(feature = "serve")]
impl ServeArgs {
    fn settings(&self, config: &crate::config::Config, paths: &Paths) -> Result<crate::serve::Settings> {
        use crate::serve::limits::Limits;
        use crate::serve::{Entrance, Settings, host_key_in};
        use anyhow::Context as _;
        use std::time::Duration;

        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let keys = || {
            let usual = paths.config().map(|config| config.join("authorized_keys"));
            self.authorized_keys.clone().or(usual).context("no config folder: add --authorized-keys or --anonymous")
        };
        let usual_key = || paths.state().map(host_key_in).context("no state folder: add --host-key");
        Ok(Settings {
            listen: self.listen,
            host_key: self.host_key.clone().map_or_else(usual_key, Ok)?,
            entrance: if self.anonymous { Entrance::Anonymous } else { Entrance::Keys(existing(keys()?)?) },
            limits: Limits {
                sessions: self.sessions.unwrap_or(config.guest.sessions as usize),
                by_address: self.sessions_by_address,
                logins: self.logins,
                logins_by_address: self.logins_by_address,
                login: seconds(self.login_limit),
                idle: seconds(self.idle_limit),
                session: seconds(self.session_limit.unwrap_or(60 * config.guest.limits.minutes)),
                bytes_in: self.bytes_in,
                come_back: seconds(self.come_back),
                games: self.games,
            },
            games: paths.games(),
        })
    }
}

#[cfg(all(test, feature = "serve"))]
mod tests {
    use clap::{Args as _, Command};

    use super::super::guest::{FILE, MEMORY};
    use super::super::limits_in;
    use super::ServeArgs;
    use crate::config::Config;
    use crate::log;
    use crate::serve::fixed_limits;
    use crate::tabs::board::GUEST_CHANGES;

    /// Options that are no limits.
    const OTHERS: [&str; 7] = ["listen", "anonymous", "authorized-keys", "host-key", "config", "threads", "help"];

    #[test]
    fn the_guide_has_all_limits_with_their_defaults() {
        let guest = Config::default().guest;
        let mut expected: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, default: String| expected.push((name.to_owned(), default));
        let command = ServeArgs::augment_args(Command::new("serve"));
        for argument in command.get_arguments() {
            let long = argument.get_long().unwrap_or_default();
            let usual = argument.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
            let default = match (long, usual) {
                (long, _) if OTHERS.contains(&long) => continue,
                ("sessions", None) => guest.sessions.to_string(),
                ("session-limit", None) => format!("{} s", 60 * guest.limits.minutes),
                ("login-limit" | "idle-limit" | "come-back", Some(usual)) => format!("{usual} s"),
                ("table-memory", Some(usual)) => format!("{usual} MiB"),
                (_, usual) => usual.unwrap_or_default(),
            };
            add(&format!("`--{long}`"), default);
        }
        let limits = guest.limits;
        for (key, value) in [
            ("depth", limits.depth),
            ("iterations", limits.iterations),
            ("seconds", limits.seconds),
            ("analysis_seconds", limits.analysis_seconds),
            ("table_mb", limits.table_mb),
            ("paste_kb", limits.paste_kb),
            ("minutes", limits.minutes),
            ("sessions", guest.sessions),
            ("saves", limits.saves),
            ("save_kb", limits.save_kb),
        ] {
            add(&format!("`{key}`"), value.to_string());
        }
        add("memory", format!("{} GiB", MEMORY >> 30));
        add("files", format!("{} MiB", FILE >> 20));
        add("log", format!("{} MiB", log::LARGE >> 20));
        add("changes of a game", GUEST_CHANGES.to_string());
        fixed_limits().into_iter().for_each(|(name, value)| add(name, value));
        let mut found = limits_in(include_str!("../../docs/ssh.md"));
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}
