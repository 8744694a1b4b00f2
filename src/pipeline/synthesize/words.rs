//! Owns the words of a source: which count, which are one word in another form, and how rare each is.

use rust_stemmers::{Algorithm, Stemmer};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::{self, Words, lower_into};
use std::sync::LazyLock;
use whatlang::Lang;

/// How much text is looked at to tell the language; more changes nothing and costs time.
const LANGUAGE_SAMPLE_CHARS: usize = 2_048;
/// Marks a word that carries no topic.
const STOP: u32 = u32::MAX;

/// The vocabulary of one document. Words that differ only by their ending are one term.
pub(super) struct Lexicon {
    stemmer: Option<Stemmer>,
    stop_words: &'static StopWords,
    /// The number of each written form, in lower case.
    forms: QuickMap<String, u32>,
    /// The number of each stem.
    stems: QuickMap<String, u32>,
    /// How often each term was counted.
    terms: Vec<u32>,
}

impl Lexicon {
    /// An empty lexicon for the language that `text` is written in.
    pub(super) fn of(text: &str) -> Self {
        Self::new(language(text))
    }

    /// An empty lexicon for a language; for English, where none is known.
    pub(super) fn new(language: Option<Lang>) -> Self {
        Self {
            stemmer: language.and_then(algorithm).map(Stemmer::create),
            stop_words: stop_words(language.unwrap_or(Lang::Eng)),
            forms: QuickMap::default(),
            stems: QuickMap::default(),
            terms: Vec::new(),
        }
    }

    /// The terms of a piece of text in their order, without the words that carry no topic. Every term is added to the lexicon.
    pub(super) fn terms(&mut self, text: &str) -> Vec<u32> {
        let mut out = Vec::new();
        let mut lower = String::new();
        let mut previous: Option<char> = None;
        for word in words(text) {
            lower_into(word, &mut lower);
            // Scripts without spaces come as single characters; two neighbours tell more than one.
            if let Some(single) = lone_ideograph(&lower) {
                if let Some(before) = previous.replace(single) {
                    let pair: String = [before, single].iter().collect();
                    out.push(self.number(&pair));
                }
                continue;
            }
            previous = None;
            let term = self.number(&lower);
            if term != STOP {
                out.push(term);
            }
        }
        out
    }

    fn number(&mut self, lower: &str) -> u32 {
        if let Some(term) = self.forms.get(lower) {
            return *term;
        }
        let term = self.told_anew(lower).unwrap_or(STOP);
        self.forms.insert(lower.to_owned(), term);
        term
    }

    /// The term of one word in lower case, for those who remember themselves what they were told.
    pub(super) fn told_anew(&mut self, lower: &str) -> Option<u32> {
        if is_stop(self.stop_words, lower) {
            return None;
        }
        let stem = match &self.stemmer {
            Some(stemmer) => stemmer.stem(lower),
            None => lower.into(),
        };
        if let Some(term) = self.stems.get(&*stem) {
            return Some(*term);
        }
        let term = u32::try_from(self.terms.len()).unwrap_or(STOP);
        self.stems.insert(stem.into_owned(), term);
        self.terms.push(0);
        Some(term)
    }

    /// How many terms it has; each is a number below.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }
}

/// The words of a text in their order, as UAX 29 cuts them; for ASCII by a faster rule that serves the same end.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    match text.is_ascii() {
        true => Words::Ascii(
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '\''))
                .map(|word| word.trim_matches(['\'', '_']))
                .filter(|word| !word.is_empty()),
        ),
        false => Words::Unicode(text::words(text)),
    }
}

/// The language of a text, where its beginning tells with some certainty.
pub(super) fn language(text: &str) -> Option<Lang> {
    let sample = match text.char_indices().nth(LANGUAGE_SAMPLE_CHARS) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    };
    if is_plainly_english(sample) {
        return Some(Lang::Eng);
    }
    if let Some(language) = by_script(sample) {
        return Some(language);
    }
    whatlang::detect(sample)
        .filter(|info| info.is_reliable() || info.confidence() > 0.4)
        .map(|info| info.lang())
        .filter(|language| says_small_words(sample, *language))
}

/// Whether a text, where it has no letters but those of English, says some of the small words of a language that is known by them:
/// names and words of programs look like many a language by their letters.
fn says_small_words(sample: &str, language: Lang) -> bool {
    const SMALL_PERCENT_MIN: usize = 8;
    let small = match language {
        Lang::Deu | Lang::Fra | Lang::Spa | Lang::Ita | Lang::Por | Lang::Nld
            if sample.chars().all(|c| c.is_ascii() || !c.is_alphabetic()) =>
        {
            stop_words(language)
        }
        _ => return true,
    };
    let said = || words(sample).map(str::to_lowercase);
    let told = said().filter(|word| small.contains(word.as_str())).count();
    told * 100 >= said().count() * SMALL_PERCENT_MIN
}

/// The language that alone is written in some of a text's characters. Foreign names and code take so many more characters than
/// the words of these scripts that a smaller share tells.
fn by_script(sample: &str) -> Option<Lang> {
    let (mut letters, mut kana, mut hangul, mut han) = (0_usize, 0_usize, 0_usize, 0_usize);
    for c in sample.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        kana += usize::from(matches!(c, '\u{3040}'..='\u{30FF}'));
        hangul += usize::from(matches!(c, '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}'));
        han += usize::from(is_ideograph(c));
    }
    let is_share = |count: usize, percent: usize| count > 0 && count * 100 >= letters * percent;
    if is_share(kana, 10) {
        Some(Lang::Jpn)
    } else if is_share(hangul, 10) {
        Some(Lang::Kor)
    } else {
        is_share(han, 15).then_some(Lang::Cmn)
    }
}

/// Whether a text says so many small words of English that nothing else needs to be asked: of a text of 2 KB, that takes a tenth
/// of the time. Quotation marks, dashes and the like are of no language.
fn is_plainly_english(sample: &str) -> bool {
    const WORDS_MIN: usize = 40;
    const SMALL_PERCENT_MIN: usize = 25;
    if sample.chars().any(|c| !c.is_ascii() && c.is_alphanumeric()) {
        return false;
    }
    let (mut all, mut small) = (0, 0);
    let mut lower = String::new();
    for word in words(sample).filter(|word| word.bytes().all(|b| b.is_ascii_alphabetic())) {
        lower_into(word, &mut lower);
        all += 1;
        small += usize::from(ENGLISH.contains(lower.as_str()));
    }
    all >= WORDS_MIN && small * 100 >= all * SMALL_PERCENT_MIN
}

/// Whether an English word carries no topic.
pub(super) fn is_english_stop(lower: &str) -> bool {
    is_stop(&ENGLISH, lower)
}

/// Whether a word is none by which anybody looks for a text: one of a programming language, or of the calendar.
pub(super) fn names_no_subject(word: &str) -> bool {
    NO_SUBJECTS.contains(&word)
}

/// Words of programming languages and their customs, and of the calendar.
const NO_SUBJECTS: [&str; 59] = [
    "april",
    "argc",
    "args",
    "argv",
    "august",
    "baz",
    "bool",
    "char",
    "const",
    "ctx",
    "december",
    "def",
    "elif",
    "else",
    "enum",
    "false",
    "february",
    "fn",
    "foo",
    "friday",
    "func",
    "i32",
    "i64",
    "impl",
    "int",
    "isize",
    "january",
    "july",
    "june",
    "kwargs",
    "monday",
    "mut",
    "november",
    "null",
    "nullptr",
    "october",
    "printf",
    "pub",
    "qux",
    "saturday",
    "self",
    "september",
    "str",
    "struct",
    "sunday",
    "thursday",
    "true",
    "tuesday",
    "typedef",
    "typeof",
    "u16",
    "u32",
    "u64",
    "u8",
    "unsigned",
    "usize",
    "var",
    "void",
    "wednesday",
];

/// Whether a character belongs to a script written without spaces.
pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn lone_ideograph(word: &str) -> Option<char> {
    let mut characters = word.chars();
    let first = characters.next().filter(|c| is_ideograph(*c))?;
    characters.next().is_none().then_some(first)
}

fn is_stop(stop_words: &StopWords, lower: &str) -> bool {
    lower.len() == 1 || lower.bytes().all(|b| b.is_ascii_digit()) || stop_words.contains(lower)
}

fn algorithm(language: Lang) -> Option<Algorithm> {
    Some(match language {
        Lang::Ara => Algorithm::Arabic,
        Lang::Dan => Algorithm::Danish,
        Lang::Nld => Algorithm::Dutch,
        Lang::Eng => Algorithm::English,
        Lang::Fin => Algorithm::Finnish,
        Lang::Fra => Algorithm::French,
        Lang::Deu => Algorithm::German,
        Lang::Ell => Algorithm::Greek,
        Lang::Hun => Algorithm::Hungarian,
        Lang::Ita => Algorithm::Italian,
        Lang::Nob => Algorithm::Norwegian,
        Lang::Por => Algorithm::Portuguese,
        Lang::Ron => Algorithm::Romanian,
        Lang::Rus => Algorithm::Russian,
        Lang::Spa => Algorithm::Spanish,
        Lang::Swe => Algorithm::Swedish,
        Lang::Tam => Algorithm::Tamil,
        Lang::Tur => Algorithm::Turkish,
        _ => return None,
    })
}

/// The words that carry no topic in the language of a text.
pub struct SmallWords(&'static StopWords);

impl SmallWords {
    /// Those of a text's language; of English, where none is certain.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(stop_words(language(text).unwrap_or(Lang::Eng)))
    }

    /// Those of a language, where they are known.
    pub(super) fn of_language(language: Lang) -> Option<Self> {
        let own = stop_words(language);
        (language == Lang::Eng || !std::ptr::eq(own, &raw const *ENGLISH)).then_some(Self(own))
    }

    /// Whether a word in lower case is one.
    #[must_use]
    pub fn has(&self, lower: &str) -> bool {
        is_stop(self.0, lower)
    }
}

/// Words that carry no topic.
type StopWords = QuickSet<&'static str>;

fn stop_words(language: Lang) -> &'static StopWords {
    match language {
        Lang::Deu => &GERMAN,
        Lang::Fra => &FRENCH,
        Lang::Spa => &SPANISH,
        Lang::Ita => &ITALIAN,
        Lang::Por => &PORTUGUESE,
        Lang::Nld => &DUTCH,
        Lang::Rus => &RUSSIAN,
        _ => &ENGLISH,
    }
}

/// Declares lists of words, each made a set when it is first used.
macro_rules! stop_words {
    ($($name:ident = $words:literal;)+) => {
        $(static $name: LazyLock<StopWords> = LazyLock::new(|| $words.split(' ').collect());)+
    };
}

stop_words! {
    GERMAN = "aber alle als also am an auch auf aus bei bis da das dass dem den der des die dies diese diesem diesen dieser durch ein eine einem einen einer eines er es für haben hat hier ich ihr im in ist ja kann man mehr mit muss nach nicht noch nun nur ob oder ohne sich sie sind so über um und uns unter vom von vor war was wenn werden wie wir wird wo zu zum zur";
    FRENCH = "au aux avec ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui mais me même ne nous on ou où par pas plus pour qu que qui sa se ses si son sont sur tout tous très un une vous";
    SPANISH = "al algo como con de del desde donde el ella en es esta este esto la las lo los más no nos o para pero por que se ser si sin sobre son su sus también un una unos y ya";
    ITALIAN = "al alla anche che chi come con da dal dei del della delle di e ed è gli ha i il in la le lo ma nel nella non o per più quando se si sono su un una uno";
    PORTUGUESE = "ao as com como da das de do dos e é ele em entre era está eu foi isso já mais mas na não nas no nos o os ou para pela pelo por que se sem ser seu sua são também um uma";
    DUTCH = "aan al als bij dan dat de der deze die dit door een en er het hij ik in is je kan maar meer met na naar niet nog of om ook op over te tot u uit van voor was wat we wel worden wordt ze zijn zo";
    RUSSIAN = "а без был была были было быть в вам вас во все вы где да для до его ее если есть еще же за и из или им их к как ко когда кто ли мы на не нет ни но о об он она они от по при с со так также то того только у уже что чтобы это этот я";
    ENGLISH = "about above after again all already also although always am among an and another any are aren't around as at be because been before being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down due during each either else etc even every few first for from further get gets give given gives go goes got had has hasn't have haven't having he her here hers him his how however i'm if in instead into is isn't it it's its itself just know let let's like longer make makes many may me might more most much must my need needs never new no nor not now of off often on once one only or other our out over own per please quite rather really right same see set several shall she should shouldn't since so some something still such than that that's the their them then there there's these they they're thing things this those through thus to together too two under until up upon us use used useful user users uses using usually very via want was wasn't way we we'll we're well were weren't what what's when where whether which while who whose why will with within without won't would wouldn't yes yet you you'll you're your yourself";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_term_and_small_words_none() {
        let mut lexicon =
            Lexicon::of("The connections are connected by the connection of a server.");
        let terms = lexicon.terms("connection connections connected the server");
        assert_eq!(terms.len(), 4);
        assert_eq!(terms[0], terms[1]);
        assert_eq!(terms[0], terms[2]);
        assert_ne!(terms[0], terms[3]);
    }

    #[test]
    fn a_script_without_spaces_is_read_in_pairs() {
        let mut lexicon = Lexicon::of("東京都庁");
        assert_eq!(lexicon.terms("東京都庁").len(), 3);
    }

    #[test]
    fn a_list_of_names_is_in_no_language_and_a_sentence_without_accents_is() {
        let names = "error code Update struct enum Limit Authorizer Action Codes Update enum function flags Update struct ".repeat(4);
        assert!(!says_small_words(&names, Lang::Fra));
        let table =
            "GeneID Chr Start End Strand 653635 chr1 14362 14829 - 1 chr1 14970 15038 - ".repeat(8);
        assert_eq!(language(&table), None);
        let told = "le four est ferme et il ne faut pas ouvrir la porte avant la nuit ".repeat(4);
        assert_eq!(language(&told), Some(Lang::Fra));
    }

    #[test]
    fn english_is_told_by_its_small_words_and_no_other_language_is_taken_for_it() {
        let english = "The kiln is fired slowly, and it must not be opened before it has cooled down. When the glaze runs, the \
            shelf below is what it sticks to, so that there should be sand on it. All of this is in the manual that came with it.";
        assert!(is_plainly_english(english));
        for other in [
            "De oven wordt langzaam gestookt en mag niet open voor hij is afgekoeld. Als het glazuur loopt, plakt het aan de plank \
             eronder, zodat er zand op moet liggen. Dit alles staat in het boek dat erbij was. We zijn er over in gesprek, of niet.",
            "Der Ofen wird langsam geheizt und darf erst auf, wenn er kalt ist. Was von oben in die Form kommt, ist so alt wie es war, \
             und wenn er warm ist, will man in ihm etwas brennen. Das Buch dazu war im Haus, wo es immer war, als man es las.",
            "Il forno va scaldato con calma e non va aperto prima che sia freddo. Se lo smalto cola, si attacca al piano di sotto, \
             per cui ci va della sabbia. Di tutto questo si parla nel manuale che era nella cassa, e che non va perso mai.",
        ] {
            assert!(!is_plainly_english(other), "{other}");
        }
    }

    #[test]
    fn the_script_tells_the_language_beside_much_latin() {
        for (text, told) in [
            (
                "nginx proxy_set_header Host certbot certonly systemctl reload を実行して、証明書を取得します。",
                Lang::Jpn,
            ),
            (
                "nginx proxy_set_header Host certbot certonly systemctl reload 명령으로 인증서를 받습니다.",
                Lang::Kor,
            ),
            (
                "nginx proxy_set_header Host certbot certonly reload 然后重新加载配置文件并检查证书是否有效。",
                Lang::Cmn,
            ),
        ] {
            assert_eq!(language(text), Some(told), "{text}");
        }
        assert_ne!(
            language("The kiln of 窯 and かま is called a kiln in all other books on clay."),
            Some(Lang::Jpn)
        );
    }
}
