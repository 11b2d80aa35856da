//! `maxout serve`: analyses over HTTP, and the page of `crates/web`.

use std::env;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;

use crate::cli::args::values::whole;
use crate::cli::commands::browser;
use crate::cli::exit::cores;
use crate::cli::interrupt;
use crate::cli::output::{answer, lost};
use crate::serve::{HAS_PAGE, PageSource, ServeOptions, Server};

/// `maxout serve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Address to listen on. Other machines can connect only if it is an address in their network; 0.0.0.0 and :: mean all
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = host, value_name = "ADDRESS")]
    host: IpAddr,
    /// Port to listen on; 0 means any that is free
    #[arg(long, default_value_t = 8019, value_parser = whole::<u16>(..=65_535))]
    port: u16,
    /// A name by which this server may be asked, besides its address and localhost; may be given several times
    #[arg(long, value_parser = name, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Pages of this origin may ask, as <https://example.org>; may be given several times
    #[arg(long, value_parser = origin, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Pages of any origin may ask, also in local files. Every page that a browser on this machine opens can then use the
    /// server's processor time
    #[arg(long)]
    allow_web: bool,
    /// Also serve the page for the browser from this folder, into which `.ci/web FOLDER` has built it
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
    /// Open the page in the browser; without --page it comes from the folder `page` beside the program, or from the
    /// program if it was built with the page
    #[arg(long)]
    open: bool,
    /// Analyses at a time [default: one per core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    jobs: Option<u16>,
    /// Boards that a ranking may look at before it goes no deeper
    #[arg(long, default_value_t = 100_000, value_parser = whole::<u64>(1..=10_000_000))]
    nodes: u64,
    /// Seconds that a request may wait for others before it is refused (503)
    #[arg(long, default_value_t = 10, value_parser = whole::<u16>(1..=600), value_name = "SECONDS")]
    wait: u16,
}

fn host(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => text.parse().map_err(|_| "expected an IP address of this machine, or localhost".to_owned()),
    }
}

fn name(text: &str) -> Result<String, String> {
    let known = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
    let fine = !text.is_empty() && text.chars().all(known);
    fine.then(|| text.to_owned()).ok_or_else(|| "expected a host name without a port".to_owned())
}

fn origin(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(is_place)
        .then(|| text.to_owned())
        .ok_or_else(|| "expected http:// or https:// and a host, with a port if it has one".to_owned())
}

/// Whether this is the name or the address of a host, with a port or without.
fn is_place(text: &str) -> bool {
    let (is_host, port) =
        if let Some((address, port)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            (address.parse::<Ipv6Addr>().is_ok(), port)
        } else {
            let (host, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            (name(host).is_ok(), port)
        };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    is_host && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

/// Where the page comes from, if it is wanted.
fn page(args: &Args) -> anyhow::Result<Option<PageSource>> {
    if args.page.is_some() || !args.open {
        return Ok(args.page.clone().map(PageSource::Folder));
    }
    let beside = env::current_exe().and_then(|program| program.canonicalize());
    let beside = beside.ok().and_then(|program| Some(program.parent()?.join("page")));
    match beside {
        Some(folder) if folder.is_dir() => Ok(Some(PageSource::Folder(folder))),
        _ if HAS_PAGE => Ok(Some(PageSource::Program)),
        _ => bail!(
            "--open: no page in this program and no folder `page` beside it, expected --page FOLDER as `.ci/web FOLDER` \
             builds it, or a program built with MAXOUT_PAGE=FOLDER"
        ),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let server = Server::listen(ServeOptions {
        address: SocketAddr::new(args.host, args.port),
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        web: args.allow_web,
        page: page(args)?,
        jobs,
        nodes: args.nodes,
        wait: Duration::from_secs(args.wait.into()),
    })?;
    let stop = interrupt::flag()?;
    let host = server.address().ip();
    if !host.is_loopback() {
        log::warn!(
            "--host {host}: everyone who reaches this address can use the server; it asks for no password"
        );
    }
    if args.allow_web {
        log::warn!(
            "--allow-web: every page that a browser on this machine opens can make the server compute"
        );
    }
    answer(&format!("listening on http://{}", server.address()))?;
    if lost().is_some() {
        // Nobody could know the address.
        return Ok(ExitCode::SUCCESS);
    }
    if args.open {
        browser::open(&browser::url(server.address()));
    }
    server.run(&stop)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_perhaps_a_port() {
        for fine in
            ["https://example.org", "http://localhost:5173", "http://127.0.0.1:80", "http://[::1]:8019"]
        {
            assert_eq!(origin(fine), Ok(fine.to_owned()));
        }
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "http://",
            "http://:80",
            "http://:[]:",
            "http://[]",
            "http://[::1",
            "http://[::1]80",
            "http://[example.org]",
            "http://a:",
            "http://a:+80",
            "http://a:65536",
            "http://a:80:80",
            "http://a/",
            "http://a b",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
