//! What operators install (`ops/`): its settings are ours, its ports are the ones that we listen on, its times fit ours.

use crate::program::Desk;
use serde_json::Value;
use std::path::Path;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ops").join(path);
    std::fs::read_to_string(path).expect("it is there")
}

/// The documents of a YAML file.
fn yaml(path: &str) -> Vec<Value> {
    file(path)
        .split("\n---\n")
        .map(|document| serde_saphyr::from_str(document).expect("YAML"))
        .collect()
}

fn document(kind: &str) -> Value {
    let mut all = yaml("kubernetes/skillkiln.yaml").into_iter();
    all.find(|document| document["kind"] == kind)
        .unwrap_or_else(|| panic!("there is no {kind}"))
}

/// The container of the only pod.
fn container() -> Value {
    document("Deployment")["spec"]["template"]["spec"]["containers"][0].take()
}

/// The settings of the image: the variables that its file sets.
fn of_the_image() -> Vec<(String, String)> {
    let text = file("container/Containerfile");
    text.split_whitespace()
        .filter(|word| word.starts_with("SKILLKILN__"))
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// What variables, beside those of the image, make of the settings. A secret that one names is there, as it is where they are set.
fn settings(variables: impl IntoIterator<Item = (String, String)>) -> Value {
    let desk = Desk::new();
    let here = |(name, value): (String, String)| match value.strip_prefix("/run/secrets/") {
        Some(secret) => {
            let path = desk.path().join(secret);
            std::fs::write(&path, "postgres://skillkiln:secret@postgres/skillkiln")
                .expect("written");
            (name, path.to_str().expect("UTF-8").to_owned())
        }
        None => (name, value),
    };
    let output = desk
        .command(&["config", "check", "--json"])
        .envs(of_the_image())
        .envs(variables.into_iter().map(here))
        .output()
        .expect("the program ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The variables of a service of a compose file.
fn of_compose(file: &str) -> Vec<(String, String)> {
    let compose = yaml(file).remove(0);
    let variables = &compose["services"]["skillkiln"]["environment"];
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let variables = variables.as_object().expect("a map").iter();
    variables
        .map(|(name, value)| (name.clone(), text(value)))
        .collect()
}

fn port(address: &Value) -> &str {
    let address = address.as_str().expect("text");
    address.rsplit(':').next().unwrap_or_default()
}

/// What follows a word of a file, up to the end of the line or statement.
fn after<'a>(text: &'a str, word: &str) -> &'a str {
    let (_, rest) = text
        .split_once(word)
        .unwrap_or_else(|| panic!("it says {word}"));
    rest.split(['\n', ';']).next().unwrap_or_default().trim()
}

fn seconds(text: &str) -> u64 {
    let number = text.trim_matches(['"', ' ', 's']);
    number
        .parse()
        .unwrap_or_else(|_| panic!("{text} is a time"))
}

#[test]
fn the_settings_of_every_way_to_install_are_good() {
    let bare = settings([]);
    assert_eq!(bare["storage"]["path"], "/data");
    let alone = settings(of_compose("container/compose.yaml"));
    assert_eq!(alone["server"]["public_url"], "http://127.0.0.1:8080");
    let behind = settings(of_compose("container/compose.postgres.yaml"));
    let compose = yaml("container/compose.postgres.yaml").remove(0);
    let secret = compose["services"]["skillkiln"]["secrets"][0]
        .as_str()
        .expect("text");
    assert!(compose["secrets"][secret].is_object());
    let read = behind["database"]["url_file"].as_str().expect("text");
    assert!(read.ends_with(secret), "{read}");
    assert_eq!(behind["server"]["trusted_proxies"][0], "172.30.48.0/24");
    let variables = container()["env"].take();
    let variables = variables.as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    settings(variables.map(|one| (text(&one["name"]), text(&one["value"]))));
    let desk = Desk::new();
    std::fs::write(desk.path().join("config.toml"), file("systemd/config.toml")).expect("written");
    desk.done(&["config", "check"]);
}

#[test]
fn the_ports_are_those_that_the_service_listens_on() {
    let inside = settings([]);
    let (public, admin) = (
        port(&inside["server"]["bind"]),
        port(&inside["server"]["admin_bind"]),
    );
    let image = file("container/Containerfile");
    assert_eq!(after(&image, "EXPOSE "), format!("{public} {admin}"));
    assert!(image.contains(&format!("\"http://127.0.0.1:{admin}\"")));
    let compose = yaml("container/compose.yaml").remove(0);
    let expected = [public, admin].map(|port| format!("127.0.0.1:{port}:{port}"));
    let shown = compose["services"]["skillkiln"]["ports"].clone();
    assert_eq!(shown, serde_json::json!(expected));
    let upstream = file("container/upstream.conf");
    assert_eq!(after(&upstream, "server "), format!("skillkiln:{public}"));
    let listed = container()["ports"].take();
    let listed = listed.as_array().expect("a list").iter();
    let listed: Vec<String> = listed.map(|one| one["containerPort"].to_string()).collect();
    assert_eq!(listed, [public, admin]);

    // On a machine of its own the service listens where it does by default.
    let outside = Desk::new().json(&["config", "check", "--json"]);
    let bind = outside["server"]["bind"].as_str().expect("text");
    assert_eq!(after(&file("proxy/upstream.conf"), "server "), bind);
    assert!(after(&file("proxy/Caddyfile"), "reverse_proxy ").starts_with(bind));
}

#[test]
fn proxies_wait_for_a_run_and_pass_on_what_it_says_at_once() {
    let settings = settings([]);
    let deadline = settings["engine"]["deadline_s"].as_u64().expect("a number");
    let nginx = file("proxy/nginx.conf");
    let caddy = file("proxy/Caddyfile");
    let ingress = document("Ingress")["metadata"]["annotations"].take();
    let said = |name: &str| {
        let name = format!("nginx.ingress.kubernetes.io/{name}");
        ingress[name].as_str().expect("text").to_owned()
    };
    for time in [
        after(&nginx, "proxy_read_timeout "),
        after(&caddy, "response_header_timeout "),
        &said("proxy-read-timeout"),
    ] {
        assert!(seconds(time) >= deadline + 30, "{time}");
    }
    assert_eq!(after(&nginx, "proxy_buffering "), "off");
    assert_eq!(after(&caddy, "flush_interval "), "-1");
    assert_eq!(said("proxy-buffering"), "off");
    // The service itself bounds bodies, and says so as the interface wants it.
    assert_eq!(after(&nginx, "client_max_body_size "), "0");
    assert_eq!(said("proxy-body-size"), "0");
    assert!(nginx.contains("X-Forwarded-For $proxy_add_x_forwarded_for"));
}

#[test]
fn whoever_stops_the_service_gives_it_its_time() {
    let settings = settings([]);
    let grace = settings["server"]["shutdown_grace_s"]
        .as_u64()
        .expect("a number");
    let unit = file("systemd/skillkiln.service");
    let pod = document("Deployment")["spec"]["template"]["spec"].take();
    let mut times = vec![
        seconds(after(&unit, "TimeoutStopSec=")),
        pod["terminationGracePeriodSeconds"]
            .as_u64()
            .expect("a number"),
    ];
    for name in ["container/compose.yaml", "container/compose.postgres.yaml"] {
        let compose = yaml(name).remove(0);
        let period = compose["services"]["skillkiln"]["stop_grace_period"].as_str();
        times.push(seconds(period.expect("text")));
    }
    // The requests that are left get some seconds more.
    assert!(times.iter().all(|time| *time >= grace + 10), "{times:?}");
}

#[test]
fn nobody_runs_it_as_root_or_lets_it_write_beside_its_folder() {
    let image = file("container/Containerfile");
    let user = after(&image, "USER ");
    assert!(image.contains(&format!("--chown={user}")));
    let pod = document("Deployment")["spec"]["template"]["spec"].take();
    let allowed = &pod["securityContext"];
    for name in ["runAsUser", "runAsGroup", "fsGroup"] {
        assert!(
            user.split(':')
                .all(|id| id.parse().ok() == allowed[name].as_u64())
        );
    }
    assert_eq!(
        container()["securityContext"]["readOnlyRootFilesystem"],
        true
    );
    for name in ["container/compose.yaml", "container/compose.postgres.yaml"] {
        let service = yaml(name).remove(0)["services"]["skillkiln"].take();
        assert_eq!(service["read_only"], true, "{name}");
        assert_eq!(service["cap_drop"], serde_json::json!(["ALL"]), "{name}");
    }
    let unit = file("systemd/skillkiln.service");
    for line in [
        "User=skillkiln",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
    ] {
        assert!(unit.lines().any(|other| other == line), "{line}");
    }
    // The folder that it may write is the one that its settings name.
    let state = format!("/var/lib/{}", after(&unit, "StateDirectory="));
    let settings: toml::Table = file("systemd/config.toml").parse().expect("TOML");
    assert_eq!(settings["storage"]["path"].as_str(), Some(state.as_str()));
}

/// A folder with a good skill and one without a description.
fn two_skills(desk: &Desk) {
    let skill = |name: &str, more: &str| {
        let folder = desk.path().join("skills").join(name);
        std::fs::create_dir_all(&folder).expect("made");
        let text = format!("---\nname: {name}\n{more}---\n# Firing kilns\n\nFire it slowly.\n");
        std::fs::write(folder.join("SKILL.md"), text).expect("written");
    };
    skill(
        "firing-kilns",
        "description: Fires kilns slowly. Use when a kiln is cold.\n",
    );
    skill("cooling-kilns", "");
}

/// What a script prints that finds our program on its path, and how it ends.
fn run(
    desk: &Desk,
    program: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (String, Option<i32>) {
    let bin = Path::new(env!("CARGO_BIN_EXE_skillkiln"));
    let folder = bin.parent().expect("a folder").to_str().expect("UTF-8");
    let path = format!("{folder}:{}", std::env::var("PATH").expect("a path"));
    let output = std::process::Command::new(program)
        .args(arguments)
        .env("PATH", path)
        .envs(variables.iter().copied())
        .current_dir(desk.path())
        .output()
        .expect("it runs");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        output.status.code(),
    )
}

#[test]
fn the_hook_of_pre_commit_checks_each_skill_that_a_commit_touches() {
    let hooks = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let hooks = std::fs::read_to_string(hooks).expect("it is there");
    let hooks: Value = serde_saphyr::from_str(&hooks).expect("YAML");
    let entry = hooks[0]["entry"].as_str().expect("an entry");
    let desk = Desk::new();
    two_skills(&desk);
    let hook = |files: &str| run(&desk, "sh", &["-c", &format!("{entry} {files}")], &[]);
    assert_eq!(hook("skills/firing-kilns/SKILL.md").1, Some(0));
    let (said, code) = hook("skills/cooling-kilns/SKILL.md skills/firing-kilns/SKILL.md");
    assert_eq!(code, Some(1));
    assert!(said.contains("ERROR V030 SKILL.md:1"), "{said}");
}

#[test]
fn the_action_annotates_the_lines_of_each_skill() {
    let action: Value = serde_saphyr::from_str(&file("github/action.yml")).expect("YAML");
    let script = action["runs"]["steps"][1]["run"]
        .as_str()
        .expect("a script");
    let desk = Desk::new();
    two_skills(&desk);
    let inputs = [("LOOK_IN", "skills"), ("PROFILE", "claude-code")];
    let (said, code) = run(&desk, "bash", &["-c", script], &inputs);
    assert_eq!(code, Some(1));
    let annotation = "::error file=skills/cooling-kilns/SKILL.md,line=1,title=V030::";
    assert!(said.contains(annotation), "{said}");
    assert!(!said.contains("::error file=skills/firing-kilns"), "{said}");
}
