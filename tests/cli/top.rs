//! `skillkiln top` without a terminal: one snapshot of a real service, and what it says when there is none.

use crate::program::Desk;
use crate::serve::Service;
use std::net::TcpListener;

#[test]
fn a_service_is_seen_in_one_snapshot() {
    let desk = Desk::new();
    let service = Service::start(&desk);
    let url = format!("http://{}", service.admin);
    let page = desk.done(&["top", "--url", &url, "--once"]);
    for words in [
        "generations ",
        "credits ",
        "\nstage ",
        "\nextracting ",
        "\nkind ",
        "\nsettlement ",
        "\nledger ",
        "\nrescuer ",
    ] {
        assert!(page.contains(words), "{words} in\n{page}");
    }
    let page = desk.done(&["top", "--url", &url, "--once", "--all"]);
    assert!(
        page.contains("standing") && page.contains("working"),
        "{page}"
    );
    // Without a terminal it is the same without being asked.
    assert!(desk.done(&["top", "--url", &url]).contains("\nsettlement "));
    let said = desk.json(&["top", "--url", &url, "--json"]);
    assert!(
        said["actors"]
            .as_array()
            .is_some_and(|actors| actors.len() >= 8),
        "{said}"
    );
}

#[test]
fn a_service_that_is_not_there_is_said_with_what_to_do() {
    let desk = Desk::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", taken.local_addr().expect("an address"));
    drop(taken);
    let ended = desk.run(&["top", "--url", &url, "--once"]);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""));
    assert!(
        ended.err.contains(&url) && ended.err.contains("server.admin_bind"),
        "{}",
        ended.err
    );
    let ended = desk.run(&["top", "--url", "kiln", "--once"]);
    assert_eq!(ended.code, 2, "{}", ended.err);
}

#[test]
fn the_public_address_is_told_from_the_operators() {
    let desk = Desk::new();
    let service = Service::start(&desk);
    let url = format!("http://{}", service.public);
    let ended = desk.run(&["top", "--url", &url, "--once"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("answers 404"), "{}", ended.err);
}
