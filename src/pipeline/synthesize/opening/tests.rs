//! Tests of what a description opens with.

use super::is_notice;
use super::name::Name;
use super::told::{Candidate, told};
use crate::pipeline::product::Wish;
use crate::pipeline::synthesize::{testing, write};
use whatlang::Lang;

fn opened(title: &str, words: &str) -> Option<String> {
    let candidate = Candidate {
        words: words.to_owned(),
        depth: 0,
        leads: true,
        opens: true,
        is_alone: true,
        is_of_all: true,
        is_quoted: false,
    };
    told(&candidate, &Name::of(title)).map(|(_, sentence)| sentence)
}

#[test]
fn what_a_source_says_of_its_subject_opens_in_the_third_person() {
    for (title, words, opening) in [
        (
            "kilnctl",
            "Kilnctl is an agent that fires kilns by a plan.",
            "Kilnctl is an agent that fires kilns by a plan.",
        ),
        (
            "burner — Control of burners",
            "The burner module supports two fuels and any number of valves.",
            "The burner module supports two fuels and any number of valves.",
        ),
        (
            "Fired Expressions as Pots",
            "Pots on a fired shelf can be linked to fired expressions, which can be used in kilns.",
            "Fired Expressions as Pots: Pots on a fired shelf can be linked to fired expressions, which can be used in kilns.",
        ),
        (
            "Kiln maps",
            "The kiln map type allows you to hook up a kiln to a store.",
            "Kiln maps: The kiln map type can be used to hook up a kiln to a store.",
        ),
        (
            "kilnctl",
            "A tool that lets you fire pots from a terminal.",
            "kilnctl: A tool that can be used to fire pots from a terminal.",
        ),
        (
            "kiln2app",
            "kiln2app is a command for potters which will allow you to make whole houses out of clay.",
            "kiln2app is a command for potters which can be used to make whole houses out of clay.",
        ),
        (
            "kilnlib",
            "The goal of kilnlib is to provide a copy of the kilns of old.",
            "The goal of kilnlib is to provide a copy of the kilns of old.",
        ),
        (
            "kiln-tools",
            "This text covers the newest release of kiln-tools, a collection of extensions for the kilns of potters, kiln-tools includes:",
            "kiln-tools is a collection of extensions for the kilns of potters.",
        ),
        (
            "Performance",
            "What the kiln reaches, how to measure it yourself, and what limits each figure.",
            "Performance: What the kiln reaches, how to measure it yourself, and what limits each figure.",
        ),
        (
            "Kiln Bytes",
            "Kiln Bytes is a library reading the first bytes of a pot to tell you its glaze.",
            "Kiln Bytes is a library reading the first bytes of a pot.",
        ),
        (
            "kiln",
            "kiln is a general, dependency-independent library for managing the fires of your kilns.",
            "kiln is a general, dependency-independent library for managing the fires.",
        ),
        (
            "Kiln Manual",
            "GNU Kiln is an implementation of the protocol of burners.",
            "GNU Kiln is an implementation of the protocol of burners.",
        ),
        (
            "KilnClient",
            "KilnClient is used for opening the doors of kilns from another program.",
            "KilnClient is used for opening the doors of kilns from another program.",
        ),
        (
            "Kiln Manual",
            "This document will provide an overview of the conventions of potters.",
            "Provides an overview of the conventions of potters.",
        ),
        (
            "Kiln Parser",
            "The kiln parser is able to parse names of pots by given rules.",
            "The kiln parser is able to parse names of pots by given rules.",
        ),
        (
            "kiln-tel",
            "International Telephone Input with Kiln.",
            "kiln-tel: International Telephone Input with Kiln.",
        ),
        (
            "kiln",
            "This SDK is a programmatic interface into the pots of a kiln.",
            "kiln is a programmatic interface into the pots of a kiln.",
        ),
        (
            "Kiln Manual",
            "The purpose of this document is to describe the conventions of all potters.",
            "Describes the conventions of all potters.",
        ),
        (
            "Kiln Manual",
            "This guide tries to explain the conventions of all potters.",
            "Explains the conventions of all potters.",
        ),
        (
            "Kiln",
            "Kiln is a sleek, intuitive, and powerful framework for faster and easier firing of pots, created by Ana Lima and Jon Berg, and maintained by the whole team of potters with the massive support of everybody who fires.",
            "Kiln is a sleek, intuitive, and powerful framework for faster and easier firing of pots.",
        ),
        (
            "Apache Module mod_kiln",
            "This module allows kilns to be fired over HTTP.",
            "Allows kilns to be fired over HTTP.",
        ),
        (
            "Wood fired kilns",
            "These fired kilns allow potters to glaze their wares with ash.",
            "Wood fired kilns allow potters to glaze their wares with ash.",
        ),
        (
            "Kiln Hooks",
            "Kilnctl makes it very easy to run scripts when the door opens.",
            "Kiln Hooks: Kilnctl makes it very easy to run scripts when the door opens.",
        ),
        (
            "kiln-rs",
            "This crate is a thin layer over the protocol of burners.",
            "kiln-rs is a thin layer over the protocol of burners.",
        ),
        (
            "kiln-rs",
            "This is a thin layer over the protocol of burners.",
            "kiln-rs is a thin layer over the protocol of burners.",
        ),
        (
            "kiln-rs",
            "This repository contains kiln-rs, a library that fires clay slowly.",
            "kiln-rs is a library that fires clay slowly.",
        ),
        (
            "kiln-rs",
            "A Rust library for firing clay (slowly)",
            "kiln-rs: A Rust library for firing clay (slowly).",
        ),
        (
            "kiln_list",
            "Parse the shelves of a kiln into a list",
            "kiln_list: Parse the shelves of a kiln into a list.",
        ),
        (
            "kilnctl",
            "kilnctl (spoken kiln control) is a general tool for kilns.",
            "kilnctl (spoken kiln control) is a general tool for kilns.",
        ),
        (
            "Slow fires",
            "The first method by which Kilnware dries clay is a slow fire.",
            "Slow fires: The first method by which Kilnware dries clay is a slow fire.",
        ),
        (
            "kiln_shut",
            "Specify that the door should stay shut until the clay is cold.",
            "kiln_shut: Specify that the door should stay shut until the clay is cold.",
        ),
        (
            "Function kiln_heat",
            "Returns the heat of a kiln in its middle.",
            "Returns the heat of a kiln in its middle.",
        ),
        (
            "Kiln guide",
            "This guide explains how clay becomes stone.",
            "Explains how clay becomes stone.",
        ),
    ] {
        assert_eq!(opened(title, words).as_deref(), Some(opening), "{words}");
    }
}

#[test]
fn what_says_something_else_opens_nothing() {
    for words in [
        "The kiln does not let you fire pots by any plan.",
        "The kiln does not by itself let you fire pots.",
        "The model that ordinary kilns are built by has various flaws.",
        "A list of ways to make the potter let you fire pots.",
        "A service that lets you know when a pot is done.",
        "Permission is granted to make and distribute verbatim copies of this manual.",
        "Josip Rodin and Osamu Aoki.",
        "The kiln manual is a program that deletes all pots in the yard that you marked as broken.",
        "The kiln manual is a framework to build services of clay to which you can send your pots.",
        "The kiln manual is a program that works only with good glazes, so that you can eat.",
        "This is the home of the kiln manual and its pages.",
        "The kiln of the other book is a better example of advanced firing.",
        "Source code: Lib/kiln.py and Lib/clay.py.",
        "For small kilns this is the place of the burner's file.",
        "Recall from Chapter 20 that the server provides many variables.",
        "Kiln manual.",
        "The new doors will be told of in a book on the kiln of the book of the year.",
        "NAME kiln - fires clay in a kiln.",
        "This is a known bug of kilns in old versions.",
        "This is the first part of a series on clay.",
        "This guide focuses on the most common case, wood.",
        "You can fire a kiln with it.",
        "The -I option of the kiln is used to run it without any door.",
        "What does a kiln reach, and how is it measured?",
        "Is it a good idea to fire clay in a kiln of wood?",
    ] {
        assert_eq!(opened("Kiln manual", words), None, "{words}");
    }
}

#[test]
fn a_long_sentence_loses_its_clauses_and_no_word_of_the_main_one() {
    let long = "Kilnctl is an agent (written in Rust) that fires kilns of every size by a plan which somebody wrote down before, so that \
                nobody has to sit beside them through the night, and that tells each of them in the morning how it went.";
    assert_eq!(
        opened("kilnctl", long).as_deref(),
        Some(
            "Kilnctl is an agent that fires kilns of every size by a plan which somebody wrote down before."
        )
    );
    for turned in [
        "Kilnctl is (not yet) a tool that is ready for use in houses with more than one kiln, since nobody has ever tried that before \
         the winter came and the wood was wet in the whole of the country where it was written.",
        "Kilnctl is a replacement for everybody who fires clay, with every burner and every door of every kiln in the world that was \
         ever built by hand or by a machine, unless the kiln is an old one, of which there are many.",
    ] {
        assert_eq!(opened("kilnctl", turned), None, "{turned}");
    }
}

#[test]
fn what_is_no_name_is_said_to_be_nothing() {
    for title in [
        "Changelog",
        "Release notes",
        "Benchmarks",
        "Kilns and Ovens",
        "Fire the kiln",
        "Migration guide",
        "the topic",
    ] {
        let words = "This is a thin layer over the protocol of burners.";
        assert_eq!(opened(title, words), None, "{title}");
    }
}

fn description(text: &str) -> String {
    let document = skillkiln_readers::markup::markdown::read(text.to_owned());
    let made = write(testing::extracted(document).into(), &Wish::default()).unwrap();
    made.drafts.into_iter().next().unwrap().skill.description
}

#[test]
fn a_manual_page_is_told_by_the_line_behind_its_names_however_many() {
    let names: Vec<String> = (0..20)
        .map(|number| format!("KILN_open_chamber_{number}"))
        .collect();
    let text = format!(
        "# KILN_open_chamber_7(3)\n\n## NAME\n\n{} - open and shut chambers of kilns\n\nKILN_open_chamber_7() opens the seventh.",
        names.join(", ")
    );
    let told = description(&text);
    assert!(
        told.starts_with("KILN_open_chamber_7: open and shut chambers of kilns."),
        "{told}"
    );
}

#[test]
fn a_notice_opens_no_description_in_another_language() {
    let text = "# Quemar cerámica\n\nThe rewrite of this text with more examples is available as the guide for potters.\n\nEl horno \
        quema la cerámica durante un día entero y se enfría después.\n\n## Puertas\n\nLas puertas del horno se abren cuando está frío.\n";
    let told = description(text);
    assert!(!told.contains("rewrite"), "{told}");
    assert!(
        is_notice("METAUWAGA: Ten dokument jest w trakcie powstawania.", None)
            && !is_notice("El horno quema la cerámica.", Some(Lang::Spa))
            && is_notice(
                "Updated translations are available online.",
                Some(Lang::Fra)
            )
            && !is_notice("Kiln Door Reference 2.4 est publié.", Some(Lang::Fra))
    );
    let text = "# Manuel du four\n\nCe manuel a été traduit du fichier KILN.HLP de la bibliothèque.\n\nCe document est un manuel de référence \
        du four et de ses portes.\n\n## Portes\n\nLes portes du four s'ouvrent quand il est froid.\n";
    let told = description(text);
    assert!(!told.contains("traduit"), "{told}");
}

#[test]
fn a_name_of_initials_is_defined_by_what_it_stands_for() {
    let told = description(
        "# KTK\n\nThe Kiln Tool for Keepers is a collection of doors and pots. It has editors.\n\nKTK supports checking of single \
         pots.\n\n## Doors\n\nThey open.\n",
    );
    assert!(
        told.starts_with("The Kiln Tool for Keepers is a collection of doors and pots."),
        "{told}"
    );
}

#[test]
fn the_line_below_a_name_is_no_paragraph_and_what_is_told_in_addition_opens_nothing() {
    let told = description(
        "# KAV\n\nRFC 4918 door support\n\nThis is a library for the doors of kilns. It is small.\n\nIn addition, there is an executable, hdoor, \
         which can be used for opening KAV doors.\n\n## Types\n\nThey are few.\n",
    );
    assert!(
        told.starts_with("KAV is a library for the doors of kilns."),
        "{told}"
    );
    for words in [
        "Other messages of kilnlib can use the door module.",
        "In addition to GPL, Kilnlib is dual-licensed to those who pay for it.",
        "The kilnlib library provides an easy method to:",
    ] {
        assert_eq!(opened("Kilnlib", words), None, "{words}");
    }
}

#[test]
fn under_which_licence_something_is_and_what_points_at_a_task_open_nothing() {
    for words in [
        "Kilnlib is distributed under GNU LESSER GENERAL PUBLIC LICENSE.",
        "Kilnlib is a modern system of pots that can be used for this task.",
    ] {
        assert_eq!(opened("Kilnlib", words), None, "{words}");
    }
}

#[test]
fn what_a_thing_does_is_told_also_where_it_is_called_by_a_part_of_its_name() {
    let told = description(
        "# clay kiln module\n\nThis clay module allows you to fire a pot of soft clay in a day.\n\n## Fire\n\nIt burns.\n",
    );
    assert!(
        told.starts_with("Can be used to fire a pot of soft clay in a day."),
        "{told}"
    );
}

#[test]
fn an_interface_is_called_by_the_end_of_its_title() {
    let told = description(
        "# Clay Kiln API\n\nThe Kiln API is an interface served by kilns. It burns.\n\n## Errors\n\nThe API uses codes to show the \
         success of a call.\n",
    );
    assert!(
        told.starts_with("The Kiln API is an interface served by kilns."),
        "{told}"
    );
}

#[test]
fn what_is_said_of_a_release_is_not_what_a_log_is_about() {
    let log = |intro: &str| {
        description(&format!(
            "# Kiln changelog\n\n{intro}## 1.2.0\n\nThe method remains, but should not be used outside of kiln macros.\n\n## 1.1.0\n\nIt burns.\n"
        ))
    };
    assert!(!log("").contains("The method remains"), "{}", log(""));
    let told = log("Kiln changelog is a list of all that was changed in kilns.\n\n");
    assert!(told.starts_with("Kiln changelog is a list"), "{told}");
}

#[test]
fn what_is_said_of_a_type_with_parameters_is_said_of_the_type() {
    let told = description(
        "# Struct KilnReader\n\nThe `KilnReader<R>` struct adds chambers to any kiln.\n",
    );
    assert!(
        told.starts_with("The KilnReader struct adds chambers to any kiln."),
        "{told}"
    );
}

#[test]
fn how_things_are_is_not_what_they_are() {
    assert_eq!(
        opened(
            "Kilns",
            "Kilns are fairly large beside most of what a potter has."
        ),
        None
    );
    assert!(
        opened(
            "Kilns",
            "Kilns are furnaces in which pots are fired by burning wood."
        )
        .is_some()
    );
}

#[test]
fn a_german_text_that_tells_what_it_shows_is_told_without_itself() {
    let text = "# Ofen\n\nDiese Anleitung zeigt, wie man einen Ofen baut und ihn mit Holz heizt.\n\n## Türen\n\nDie Tür ist zu.";
    assert!(
        description(text).starts_with("Zeigt, wie man einen Ofen baut"),
        "{}",
        description(text)
    );
}

#[test]
fn what_version_a_text_is_on_and_that_something_is_new_open_nothing() {
    for words in [
        "This document describes the current stable version of Kiln (5.2).",
        "This document describes the new firing mechanism.",
    ] {
        assert_eq!(opened("Routing pots", words), None, "{words}");
    }
    assert_eq!(
        opened(
            "Routing pots",
            "This document describes the firing of Kiln pots."
        )
        .as_deref(),
        Some("Describes the firing of Kiln pots.")
    );
}

#[test]
fn what_is_said_of_the_subject_stands_before_how_one_comes_by_it_and_what_it_is_not() {
    let score = |words: &str| {
        let candidate = Candidate {
            words: words.to_owned(),
            depth: 0,
            leads: false,
            opens: true,
            is_alone: true,
            is_of_all: true,
            is_quoted: false,
        };
        told(&candidate, &Name::of("kilnlock")).map(|(score, _)| score)
    };
    let does = score("kilnlock provides doors that close by themselves");
    assert!(score("kilnlock provides doors that close by themselves:").is_some());
    assert_eq!(score("kilnlock provides the following doors:"), None);
    for less in [
        "kilnlock can be installed from the shop of the pottery.",
        "kilnlock is a distinct project and does not support all doors.",
    ] {
        assert!(does > score(less), "{less}");
    }
}

#[test]
fn what_stands_behind_a_name_is_its_kind_only_as_an_apposition() {
    for words in [
        "Before kiln, a collection of tools had to be written by hand by every potter.",
        "This is no longer the manual of kiln, a library for potters, but of its successor.",
    ] {
        let told = opened("kiln", words);
        assert!(
            !told.is_some_and(|told| told.starts_with("kiln is")),
            "{words}"
        );
    }
}

#[test]
fn elsewhere_than_in_english_what_begins_with_the_name_opens_before_what_only_comes_first() {
    let text = "# Guida rapida di fornace\n\nQuesta edizione è stata curata da molte persone in molti paesi del mondo.\n\n\
        Fornace è un programma che permette di cuocere i vasi di argilla. La fornace è calda e i vasi sono belli, ma bisogna \
        aspettare che tutto sia freddo prima di aprire la porta.\n";
    let description = description(text);
    let opens = "Fornace è un programma che permette di cuocere i vasi di argilla.";
    assert!(description.starts_with(opens), "{description}");
}

#[test]
fn elsewhere_than_in_english_what_is_said_of_the_text_opens_before_what_only_comes_first() {
    let text = "# Les fours\n\nCertaines commandes doivent être exécutées avec les droits de la personne qui tient le four.\n\n\
        L'objectif principal de ce manuel est de servir de point d'accès à tout ce que l'on sait des fours. Le four est chaud et les \
        pots sont beaux, mais il faut attendre que tout soit froid avant d'ouvrir la porte.\n";
    let description = description(text);
    let opens = "L'objectif principal de ce manuel est de servir de point d'accès";
    assert!(description.starts_with(opens), "{description}");
}

#[test]
fn what_only_says_on_what_a_text_is_and_to_what_else_a_class_belongs_opens_nothing() {
    let text = "# KilnDoor\n\nReference for KilnDoor.\n\n## Implemented Interfaces\n\nKilnDoor implements Door and Asyncness.\n\n## Description\n\nKilnDoor is used for opening the kilns of potters at night.\n";
    let description = description(text);
    let opens = "KilnDoor is used for opening the kilns of potters at night.";
    assert!(description.starts_with(opens), "{description}");
}

#[test]
fn a_manual_that_defines_its_subject_in_its_second_chapter_opens_with_that() {
    let text = "# Guide to the Kilnctl Application\n\n## License\n\nKilnctl is a program that anybody may copy under its licence.\n\n\
        ## Foreword\n\nMany people helped to write these pages.\n\nIt took years. Some wrote more, others less.\n\n\
        They met in spring. Nobody was cold.\n\nThen came the summer, and all went home.\n\n\
        ## Getting Started\n\nKilnctl is an application for firing pots by a plan. It has two windows.\n";
    let description = description(text);
    let opens = "Kilnctl is an application for firing pots by a plan.";
    assert!(description.starts_with(opens), "{description}");
    assert!(description.contains("working with"), "{description}");
}

#[test]
fn the_kind_of_a_thing_before_its_name_and_what_it_is_short_for_behind_it_hide_no_definition() {
    for (title, words) in [
        (
            "User Manual for Kilnctl V0.5",
            "Kilnctl, an acronym for kiln control, is a tool for potters.",
        ),
        (
            "Kiln-C",
            "The clay package Kiln-C provides doors that close by themselves.",
        ),
    ] {
        assert_eq!(opened(title, words).as_deref(), Some(words), "{title}");
    }
}

#[test]
fn elsewhere_than_in_english_rights_and_versions_of_a_text_open_nothing() {
    let four = "Le four est chaud et les pots sont beaux, mais il faut attendre que tout soit froid avant d'ouvrir la porte. Le four est grand.\n";
    for (text, opens) in [
        (
            "# Petit manuel des fours\n\nCe document est distribué dans l’espoir qu’il soit utile, mais sans aucune garantie de la part des potiers.\n\nLes fours cuisent les pots que l'on y met pendant la nuit.\n\n",
            "Les fours cuisent les pots",
        ),
        (
            "# Manuel des fours\n\nCeci est un manuel de référence pour les fours.\n\nCe manuel a deux versions que l'on trouve chez les potiers.\n\n",
            "Ceci est un manuel de référence",
        ),
        (
            "# Four-Potier 1.2, guide\n\nUne soirée de poterie est une affaire riche et complexe pour tout le monde.\n\nIl faut des mains. Four-Potier propose une interface où les potiers vont rassembler tous leurs pots.\n\n",
            "Four-Potier propose une interface",
        ),
    ] {
        let description = description(&format!("{text}{four}"));
        assert!(description.starts_with(opens), "{description}");
    }
}

#[test]
fn what_a_module_does_is_said_of_the_text_before_what_the_thing_is_that_it_is_called_after() {
    let text = "# kiln\n\nThe kiln module allows you to manage kilns with Pottery. Kiln is a tall house of stone for fire.\n\n## Setup\n\nIt is small.\n";
    let description = description(text);
    let opens = "The kiln module can be used to manage kilns with Pottery.";
    assert!(description.starts_with(opens), "{description}");
}

#[test]
fn a_name_that_its_title_explains_behind_a_comma_is_not_said_twice() {
    assert_eq!(
        opened(
            "Kilnctl, a status of kilns",
            "Kilnctl is a minimal status of kilns."
        )
        .as_deref(),
        Some("Kilnctl is a minimal status of kilns.")
    );
}
