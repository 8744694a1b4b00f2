//! Owns the words that say nothing of a subject: one list a language.

use skillkiln_document::quick::QuickSet;
use std::sync::LazyLock;

/// Per language its code and its most common words, in lower case.
const LISTS: [(&str, &str); 9] = [
    (
        "en",
        "a about above after again against all also am an and another any are aren't as at be because been before being below \
        between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down during each either \
        else etc even ever every few first for from further get gets getting go goes going got had has have having he her here \
        hers him his how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just last least less let \
        let's like likely look lot made make makes making many may me might more most much must my need needs neither new next \
        no nor not now of off often on once one only onto or other others otherwise our out over own per perhaps put rather \
        really same say see seem seen several shall she should since so some something sometimes soon still such take taken \
        than that that's the their them then there there's these they thing things this those though three through thus to \
        together too two under until up upon us use used useful uses using usually various very via want wants was way ways we \
        we'll we're we've well were what whatever when where whether which while who whole whom whose why will with within \
        without won't would yes yet you you'd you'll you're you've your yours",
    ),
    (
        "de",
        "aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bereits bin bis bist da dabei \
        dadurch dafür damit dann daran das dass dazu dein dem den denn der des dessen dich die dies diese diesem diesen dieser \
        dieses dir doch dort du durch ein eine einem einen einer eines einige er es etwas euch für ganz gegen gibt hab habe haben \
        hat hatte hier hin hinter ich ihm ihn ihnen ihr ihre im in indem ins ist ja jede jedem jeden jeder jedes jetzt kann kein \
        keine können man mehr mein mich mir mit muss müssen nach neben nicht nichts noch nun nur ob oder ohne schon sehr sein \
        seine sich sie sind so sobald solche soll sollte sondern sonst über um und uns unser unter viel vom von vor während war \
        waren was weil welche wenn wer werden wie wieder will wir wird wo worden wurde wurden zu zum zur zwar zwischen",
    ),
    (
        "fr",
        "à ai ainsi alors au aucun aussi autre autres aux avec avez avoir bien car ce ceci cela celle celui ces cet cette chaque \
        comme comment dans de depuis des deux doit donc dont du elle elles en encore est et était être fait faire font il ils je \
        la le les leur leurs lors lorsque lui ma mais me même mes moins mon ne ni nos notre nous on ont ou où par pas peu peut \
        peuvent plus plusieurs pour pouvez puis quand que quel quelle qui sa sans se sera ses si soit son sont sous sur ta te tes \
        toi ton tous tout toute toutes très tu un une vos votre vous y",
    ),
    (
        "es",
        "a al algo algunos ante antes aquí así aunque bien cada como con contra cual cuando de del desde donde dos e el ella ellas \
        ellos en entre era es esa ese eso esta está estas este esto estos están fue ha hace hacer han hasta hay la las le les lo \
        los más me mi mientras muy nada ni no nos o otra otro otros para pero por porque puede pueden que quien se sea según ser \
        si sí sido sin sobre solo son su sus también tan te tiene tienen todo todos tu un una uno usted y ya yo",
    ),
    (
        "pt",
        "a ao aos as assim até com como da das de depois do dos e ela ele eles em entre era essa esse esta está este eu foi isso \
        isto já mais mas me mesmo muito na não nas nem no nos nós o os ou para pela pelo por pode podem porque quando que quem se \
        sem ser será seu seus só são sua suas também te tem tudo um uma você vocês",
    ),
    (
        "it",
        "a ad ai al alla anche che chi ci come con cui da dal dalla dei del della delle di dove e è ed era essere gli ha hanno i il \
        in io la le lo loro ma mi nei nel nella no noi non o per perché più può quando quello questa questo se si sia sono su \
        sua suo tra tu un una uno vi voi",
    ),
    (
        "nl",
        "aan al als bij dan dat de deze die dit door een en er het hij hoe ik in is je kan maar meer met mijn moet na naar niet nog \
        of om onder ook op over te tot u uit van veel voor waar was wat we wel wij worden wordt zal ze zich zijn zo",
    ),
    (
        "pl",
        "a aby ale bez być co czy dla do gdy i ich jak jako jest jeśli już które który lub ma może na nie o od oraz po pod przez \
        się są tak tego ten to tylko w we z za że",
    ),
    (
        "ru",
        "а без был была были было быть в вам вас весь во вот все всё вы где да для до его ее если есть ещё же за и из или им их к \
        как когда которая которые который кто ли между меня мне может можно мы на над не него нет но ну о об он она они оно от \
        по под при с со так также там то того только тут ты у уже чем что чтобы эта эти это этого этой этом этот я",
    ),
];

static ALL: LazyLock<QuickSet<&'static str>> = LazyLock::new(|| {
    LISTS
        .iter()
        .flat_map(|(_, words)| words.split_whitespace())
        .collect()
});

/// Whether a word, in lower case, says nothing of a subject in any language that is known here.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    ALL.contains(word)
}

/// The language of a text by its most common words: a code of two letters; `None` where no list fits clearly.
#[must_use]
pub fn language<'t>(words: impl Iterator<Item = &'t str>) -> Option<&'static str> {
    let mut counts = [0_u32; LISTS.len()];
    let mut all = 0_u32;
    let lists: Vec<QuickSet<&str>> = LISTS
        .iter()
        .map(|(_, words)| words.split_whitespace().collect())
        .collect();
    for word in words.take(4_000) {
        let lower = word.to_lowercase();
        all += 1;
        for (list, count) in lists.iter().zip(&mut counts) {
            *count += u32::from(list.contains(lower.as_str()));
        }
    }
    let best = counts.iter().copied().max()?;
    let at = counts.iter().position(|count| *count == best)?;
    (best * 8 > all).then(|| LISTS.get(at).map(|(code, _)| *code))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_told_by_common_words() {
        let told = |text: &str| language(text.split(' '));
        assert_eq!(told("the kiln is fired when it is full"), Some("en"));
        assert_eq!(told("der ofen wird gebrannt wenn er voll ist"), Some("de"));
        assert_eq!(told("le four est allumé quand il est plein"), Some("fr"));
        assert_eq!(told("kiln clay pot"), None);
    }
}
