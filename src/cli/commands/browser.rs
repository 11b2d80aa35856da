//! Opens an address in the browser of whoever runs the program.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::thread;

/// The address by which a browser on this machine reaches a server that listens at `address`.
pub(crate) fn url(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, address.port()))
}

/// Opens `url` by the means of the system. Without them, a warning says so: the server is there all the same.
pub(crate) fn open(url: &str) {
    let (program, before): (&str, &[&str]) = match () {
        () if cfg!(target_os = "macos") => ("open", &[]),
        () if cfg!(windows) => ("rundll32", &["url.dll,FileProtocolHandler"]),
        () => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // Nobody else waits for the child, which would stay as a zombie.
        Ok(mut child) => drop(thread::spawn(move || child.wait())),
        Err(error) => log::warn!("--open: {program} cannot be run ({error}), expected you to open {url}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_here_reaches_a_server_that_listens_everywhere() {
        let of = |text: &str| url(text.parse().expect("an address"));
        assert_eq!(of("0.0.0.0:8019"), "http://127.0.0.1:8019/");
        assert_eq!(of("[::]:80"), "http://[::1]:80/");
        assert_eq!(of("192.168.1.2:8019"), "http://192.168.1.2:8019/");
    }
}
