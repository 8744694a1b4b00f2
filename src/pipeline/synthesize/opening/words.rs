//! Owns the words by which a sentence is known that says what a source is about, and those by which one is known that does not.
//! Each list is one string, its words in lower case and parted by spaces.

use skillkiln_document::text::straight;

/// Whether `word`, in lower case, is in a list.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    let word = &*straight(word);
    list.split(' ').any(|known| known == word)
}

/// What a text calls itself.
pub(super) const TEXTS: &str = "appendix article book chapter document guide manual page post reference section specification topic tutorial \
    video";

/// The same in German, and what it does there with what it is about.
pub(super) const GERMAN_TEXTS: &str =
    "abschnitt anleitung artikel beitrag dokument handbuch kapitel leitfaden seite tutorial";
pub(super) const GERMAN_TELLS: &str = "behandelt beschreibt erklärt erläutert zeigt";

/// What stands before a colon where a text warns of something or notes it beside what it tells.
pub(super) const LABELS: &str = "achtung advertencia attenzione attention caution danger hinweis important importante info merke nota note notice remarque \
    stability status tip tipp todo uwaga vorsicht warning warnung wichtig внимание важно примечание 注 注意 警告 重要 참고 주의 備考 提示";

/// What a manual calls what it describes.
pub(super) const THINGS: &str = "api app application backend binding class cli client collection command component crate daemon directive driver \
    enum extension feature filter format framework function gem generator header hook interface language library macro \
    method middleware module object option package plugin policy program project property protocol script sdk server \
    service statement struct system tool toolkit trait type utility variable wrapper";

/// What fits a thing into something else, and is called as the thing is: what the kiln module of a tool does is said of the text, and what a
/// kiln is only of the thing.
pub(super) const ADAPTERS: &str = "binding bindings cookbook extension module plugin role wrapper";

/// What such a thing does with the other.
pub(super) const ADAPTS: &str = "allows configures enables helps installs lets manages";

/// What stands behind "are" where a sentence says how its subjects are, or what became of them, and not what they are.
pub(super) const HOW_THEY_ARE: &str = "also always available by called compared considered currently defined described different documented due easy \
    effectively either expected fairly generally hard identical important in interpreted large limited listed mostly needed never not now of often on \
    only optional partially planned possible quite rarely rather recommended removed required safe shown similar small sometimes still supported \
    treated typically usually very welcome written";

/// What stands behind a name in a title and belongs to the text, not to the name.
pub(super) const KINDS: &str = "basics documentation guide howto introduction manual module objects overview reference support tutorial";

/// The kinds of software that stand behind a name as a part of it.
pub(super) const SOFTWARE: &str =
    "api client framework language library protocol server service toolkit";

/// What a source is called that has no name of its own.
pub(in crate::pipeline::synthesize) const NAMELESS: &str = "the topic";

/// Words of titles that name a text, or a part of what it is on.
pub(super) const NO_NAMES: &str = "and announcement benchmark changelog changes checklist configuration contents contributing development \
    documentation examples faq getting guide guidelines guides history home how installation introduction license \
    migration news notes notice options overview plan policy quickstart readme reference release releases roadmap \
    security settings setup tutorial usage what why";

/// What is called "a …" that is no kind of thing.
pub(super) const NO_KINDS: &str = "breaking brief bug case change documentation draft example first fix guide home initial introduction known last list \
    mirror next note only overview part place problem quick reason release reminder secret section summary \
    translation version way";

/// What a thing does that says nothing of what it is for.
pub(super) const NO_DEEDS: &str =
    "assumes contains depends exists exposes focuses needs requires works";

/// Words without which a sentence says something else.
pub(super) const RESERVATIONS: &str =
    "although but except if neither never no nor not only though unless until without";

/// Words that no sentence ends with: what they lead to is missing.
pub(super) const LEADING_ON: &str =
    "a an and are as at by for from in into is not of on or than that the to which with";

/// What a text does with what it is about.
pub(super) const TELLS: &str =
    "covers describes documents explains introduces lists provides shows";
/// The same, of verbs that are said of other things as well, so that a sentence may not be known by them.
pub(super) const TELLS_OF_TEXTS: &str =
    "contains demonstrates discusses outlines presents specifies";

/// What a reference says first of what it describes.
pub(super) const DOES: &str = "adds allows applies builds calculates checks compares computes configures controls converts creates defines \
    deletes determines enables executes finds generates gets implements installs loads manages parses performs \
    prints reads removes returns runs sets specifies writes";

/// Verbs that make a sentence of a line.
pub(super) const FINITE: &str = "are aren't can can't cannot could did do does doesn't don't had has have is isn't may might must should was were \
    will would";

/// Words behind which a verb belongs to a clause.
pub(super) const RELATIVE: &str = "how that what when where whether which who";

/// Words that no line begins with that says what something is.
pub(super) const NO_TAGLINES: &str = "add after all also although and as at author authors available back because before big build bump but by caution \
    chapter check click contributors copy copyright created date download each edited every example figure finally \
    first for found from get go here home how however if important in included install it its join last let like \
    maintained maintainer many more most next no not note now on once or our part permission please posted previous \
    published read recall run same section see since so some source sponsored status table thanks that then there \
    these this tip to under use version warning welcome what when written";

/// Words with which no sentence begins that says something of its subject.
pub(super) const NO_LEADS: &str = "added additionally all alternatively also although and at author authors available back be because before big build bump but caution check chapter click \
    contributors copy copyright created date deprecated do don't download each edited either every example figure finally first further furthermore go \
    here hi hello home how however if important included install instead it its join last let like maintained maintainer \
    make many more moreover next no not note now on once only or otherwise our part perhaps permission please posted previous published read recall \
    run same section see similarly since so sometimes source specifically sponsored status table thank thanks then there these this though tip to under unless updated use \
    version warning welcome what when where whether while written yes you";

/// What is said of what something is there to mend, and not of it.
pub(super) const LACKS: &str = "cumbersome downsides drawback drawbacks flaw flaws hassle lack lacks painful shortcomings tedious";
