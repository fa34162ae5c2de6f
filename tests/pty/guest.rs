//! Guests over SSH: the recipe of docs/ssh.md with a real server and client on loopback. Skipped where OpenSSH's server is missing.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::harness::{HELP, eventually, mancalab};
use super::process::proc;

/// An OpenSSH server that starts the program for guests, and the command of a client. Ends when dropped.
struct Server {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a server; `None` where there is none to start.
    fn start(config: &str) -> Option<Server> {
        let sshd = ["/usr/sbin/sshd", "/usr/bin/sshd"].into_iter().find(|path| Path::new(path).exists())?;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let key = |name: &str| {
            let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &path(name)]).status();
            assert!(made.unwrap().success());
        };
        key("host");
        key("guest");
        fs::copy(path("guest.pub"), path("authorized")).unwrap();
        fs::create_dir_all(folder.path().join("home/.config/mancalab")).unwrap();
        fs::write(folder.path().join("home/.config/mancalab/config.toml"), config).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let _ = fs::create_dir("/run/sshd");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let text = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nStrictModes no\nUsePAM no\n\
             PermitRootLogin yes\nPermitTTY yes\nDisableForwarding yes\nPermitUserEnvironment no\n\
             ForceCommand /usr/bin/env -i HOME={} PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=xterm-256color {} --guest --guest-name anna\n",
            path("host"),
            path("authorized"),
            path("home"),
            env!("CARGO_BIN_EXE_mancalab"),
        );
        fs::write(path("sshd_config"), text).unwrap();
        let log = fs::File::create(path("log")).unwrap();
        let process =
            Command::new(sshd).args(["-D", "-e", "-f", &path("sshd_config")]).stdin(Stdio::null()).stderr(log).spawn();
        let server = Server { process: process.unwrap(), folder, port };
        eventually("the server listens", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
        Some(server)
    }

    /// The client's command, with flags and a command for the server.
    fn ssh(&self, flags: &str, command: &str) -> String {
        let key = self.folder.path().join("guest");
        format!(
            "ssh {flags} -p {} -i {} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o \
             IdentitiesOnly=yes -F none $(id -un)@127.0.0.1 {command}",
            self.port,
            key.display()
        )
    }

    fn output(&self, script: &str) -> String {
        let output = Command::new("sh").args(["-c", script]).stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }
}

#[test]
fn a_guest_plays_over_ssh_and_reaches_nothing_else() {
    let config = "[board]\nanimation = 0\n\n[guest]\nsessions = 1\n";
    let Some(server) = Server::start(config) else {
        return println!("skipped: OpenSSH's server is not installed");
    };
    let mut guest = mancalab(&[]).under_shell(&server.ssh("-tt", "")).open();
    guest.until("South");
    guest.keys("C");
    guest.until("moves again");
    // Ctrl-Z reaches the program, which has no such command for guests.
    guest.keys("\x1a");
    guest.keys("s");
    guest.until("Save the game");
    guest.keys("\x15/tmp/of-a-guest.game\r");
    guest.until("guests save and open by name");
    guest.keys("\x1b");
    guest.until_gone("Save the game");
    // The second session is refused, and a command of the client is not run.
    let second = server.output(&server.ssh("-tt", "cat /etc/passwd"));
    assert!(second.contains("1 guests already") && !second.contains("root:"), "{second}");
    guest.keys("q");
    guest.keys("y");
    let end = guest.end();
    assert_eq!(end.status, 0);
    let without_terminal = server.output(&server.ssh("-T", "evolve mancala-gp-1"));
    assert!(without_terminal.contains("terminal"), "{without_terminal}");
    let copied = server.output(&format!("sftp {}", &server.ssh("-b /dev/null", "")[4..].replace("-p", "-P")));
    assert!(!copied.contains("sftp>"), "{copied}");
    let home = server.folder.path().join("home");
    assert!(!home.join(".ssh").exists() && !Path::new("/tmp/of-a-guest.game").exists());
}

/// The host's limits on saved games.
#[test]
pub fn a_guest_keeps_a_few_small_games() {
    let config = "[board]\nanimation = 0\nnorth = \"human\"\n\n[guest]\ngames = \"~/games\"\nsaves = 1\nsave_kb = 1\n";
    let Some(server) = Server::start(config) else {
        return println!("skipped: OpenSSH's server is not installed");
    };
    let mut guest = mancalab(&[]).under_shell(&server.ssh("-tt", "")).open();
    guest.until("South");
    guest.keys("C");
    guest.until("moves again");
    guest.keys("s");
    guest.until("Save the game");
    guest.keys("\x15first\r");
    guest.until_gone("Save the game");
    let games = server.folder.path().join("home/games/anna/games");
    eventually("a saved game", || games.join("first.game").exists());
    guest.keys("s");
    guest.until("Save the game");
    guest.keys("\x15second\r");
    guest.until("guests keep at most 1 files");
    guest.keys("\x1b");
    guest.until_gone("Save the game");
    guest.keys(";");
    guest.until("Comment on");
    guest.keys(&("x".repeat(1200) + "\r"));
    guest.until_gone("Comment on");
    guest.keys("s");
    guest.until("Save the game");
    guest.keys("\x15first\r");
    guest.until("guests' files have at most 1 KiB");
    assert_eq!(fs::read_dir(&games).unwrap().count(), 1);
}

/// Keys that change the position while it is analysed: analyse, two moves, back.
const CHANGES: &str = "iABu";

#[test]
fn a_stream_of_keys_starts_no_threads() {
    let mut guest = mancalab(&["--guest"]).config("[board]\nanimation = 0\n").open();
    guest.until("South");
    let pid = guest.pid();
    let threads = || fs::read_dir(proc(pid, "task")).unwrap().count();
    let mut most = 0;
    for _ in 0..10 {
        guest.keys(&CHANGES.repeat(50));
        most = most.max(threads());
    }
    // It has handled them all once it shows the help.
    guest.keys("?");
    guest.until(HELP);
    most = most.max(threads());
    assert!(most < 10, "{most} threads");
}
