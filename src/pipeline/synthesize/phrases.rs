//! Owns the key phrases of a text: the short runs of telling words that it keeps coming back to.

use super::words::{Lexicon, is_english_stop, is_ideograph, language, words};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::lower_into;
use std::sync::LazyLock;
use whatlang::Lang;

/// How many words are looked at; the phrases of a longer text are settled by then.
const WORDS_MAX: usize = 12_000;
const PHRASE_WORDS_MAX: usize = 3;
/// A longer phrase is none.
const PHRASE_BYTES_MAX: usize = 48;

/// Words that stand in the documentation of anything: alone they tell no text from another.
const WORN: &str = "abstract access accessor action add added allow allows appear appears application applications argument \
    arguments assume attribute attributes author available based become becomes begin begins behavior behaviour block body \
    bool boolean bring brings bug bugs call callback case cases certain change changed changelog changes chapter chapters \
    char character characters class classes code command commands commit connects const constructor constructors contain \
    containing contains content contents context copy correct correctly create created creates current data default defaults \
    depend depends deprecated described describes description details differ different directory documentation easily element \
    elements empty enable end ensure ensures entry enumeration enumerator error errors event example examples exist exists \
    exit extends extern failure false favor feature features field fields figure file files fix fixed fixes following format \
    former function functions github goal group handy header help hold holds html id implementation implemented improvements \
    information inherited inline inlinestatic inlinevirtual input instance instances int integer interface introduction item \
    items key keys kind language latter leading length level library license line lines link linux list lists look looks main \
    make manual mean meaning means meant member members menu merge message method methods middle mode modified modifies \
    module modules name names need needed needs node notation note notes null number numbers object objects ok open opens \
    operation option optional options order org output override overrides overview package page pages param parameter \
    parameters params parent part particular path point pointer position possible previous private problem process program \
    project properties property protected provide provides public pull purpose read reason receipt reference release released \
    releases remark remarks remove removed replace request require required requires result results return returned returns \
    role root run section sections see set sets settings similar simple simply since size small source special specific \
    specified start state statement static step steps string strings struct structure style submodules success summary \
    support supported supports sure symbol synopsis syntax system table tag take taken takes target test tests text thing \
    things three throws time trailing trivial true try trying two type typedef types undefined unit unsigned update updated \
    updates usage user users using usual value values variable variables variety various version versions virtual void want \
    wants warning way ways width word words work works write";
static WORN_WORDS: LazyLock<QuickSet<&str>> = LazyLock::new(|| WORN.split_whitespace().collect());
/// Parts of addresses.
const ADDRESSING: [&str; 8] = [
    "com", "ftp", "github", "html", "http", "https", "org", "www",
];
/// What only points at other words.
const POINTING: [&str; 4] = ["aforementioned", "following", "former", "latter"];
/// What is said in any conversation and names nothing: calls and sounds, of any language.
const CALLS: &str = "ah aha aw gonna gotta haha hey hmm huh mhm mmm oh okay ooh oops uh uh-huh um umm wanna whoa wow yeah yep yup";
/// Small words of languages that are said rather than written: forms of verbs and pronouns that no text is about.
const SPANISH: &str = "ahí ahora aquí así aunque bien bueno cada casi claro creo cual cuando cuándo cuánto decir dice dicho digo dije dijo \
    dónde dos ellos eres eras esa esas ese eso esos esta está estaba estamos están estar estas estás este estos estoy fue fueron gracias \
    ha había hace hacer haces hago han has hasta hay he hecho hemos hola hubiera iba ir le les luego me menos mi mí mientras mis mismo mucho \
    muy nada nadie ni ninguna ninguno nosotros nuestra nuestro nunca os otra otro pasa pasé pasó poco podemos poder podía porque pues puede \
    puedes puedo qué quién quiere quieres quiero quizá sabe sabes sea según será sé siempre sino sobre solo sólo somos soy tal también tan \
    tanto te tenemos tener tengo ti tiene tienes toda todas todo todos tu tú tus usted ustedes va vale vamos van vas ve veo ver vez voy yo";
const FRENCH: &str = "ai aller allez allons alors après as aurais avais avait avant avez avoir avons beaucoup bien bon c'est ça car cela celle \
    celui chez comment crois d'accord depuis déjà deux dire dis dit dois doit donc encore es était étais êtes eu eux faire fais fait faites \
    faut fois fut gens ici j'ai jamais juste là l'on leurs lors lui ma maintenant mais mal merci mes mieux moi moins mon n'est ni non nos \
    notre nos nouveau oui parce parle passé peu peut peux plaît pourquoi pouvez prends puis quand quel quelle quelque quelqu'un qu'est quoi \
    rien sais sait sans sera serait seras seule s'il sois soit sommes son sous suis ta te tes toi ton toujours toute toutes trop tu va vais vas \
    venez veut veux viens vient vois voir vos votre voulez vraiment y";
const GERMAN: &str = "ach also bin bist danke dann darf dein deine deinem deinen deiner dich dir doch du eben etwas euch euer ganz gar geh geht \
    genau gibt gut habe habt hast hatte hatten hätte ihm ihn ihnen ihre ihren immer irgendwie ja jetzt kein keine keinen kannst komm kommt \
    könnte könnten lass los macht mag mal mein meine meinem meinen meiner mich mir möchte muss musst na nein nichts nie ohne schon sehr sei seid \
    sein seine seinen sind soll sollte sondern sonst tun viel vielleicht wäre warum weg weiß welche wenn wer willst wirklich wirst wohl wollen \
    worden würde";
const PORTUGUESE: &str = "agora ai algo alguém ali aqui assim até bem bom cada cara coisa dele dela depois desde deve disse dizer do dois ela eles \
    essa esse esta estamos estão estar estava este estou eu faz fazer ficar foi fui há ir isso isto já lá lhe lo mas me menos mesmo meu minha \
    muito nada nem nenhum nessa nesse nossa nosso nunca obrigado onde outra outro ouvi pode podemos porque posso pra pro quando quanto quem quer \
    quero sabe sei sempre só somos sou sua tão te tem temos tenho ter teu ti tinha toda todas todo todos tu tudo uns vai vamos ver vez você vocês \
    vou";
const ARABIC: &str = "أن إن أنا أنت أنتم أو أي إلى إذا الآن التي الذي الذين الى ان انا انت او اي بعد بل بين تم ثم حتى حيث ذلك سوف شيء على عن عند غير \
    في فقط قال قبل قد كان كانت كل كما كنت كيف لا لأن لقد لك لكن لم لماذا لن له لها لهم لو لي ليس ما ماذا مع من منذ نحن نعم هؤلاء هذا هذه هل هم هنا \
    هناك هو هي و وقد وكان ولا ولكن وما ومن وهو وهي يا يجب يكون";
static CALLED: LazyLock<QuickSet<&str>> = LazyLock::new(|| CALLS.split_whitespace().collect());

/// The small words of a language, beside those that any text in it has.
fn small_words(language: Option<Lang>) -> QuickSet<&'static str> {
    let words = match language {
        Some(Lang::Spa) => SPANISH,
        Some(Lang::Fra) => FRENCH,
        Some(Lang::Deu) => GERMAN,
        Some(Lang::Por) => PORTUGUESE,
        Some(Lang::Ara) => ARABIC,
        _ => "",
    };
    words.split_whitespace().collect()
}

/// For each phrase that is asked for, so many are looked at.
const LOOKS: usize = 10;
/// What such a phrase is worth, against one that tells.
const WORN_WORTH: f32 = 0.25;

/// Bits of a term in a key; there are no more terms than words that are looked at.
const TERM_BITS: u32 = 21;

/// The terms of a phrase in order, the last in the lowest bits, each one more than it is so that none begins with zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u64);

impl Key {
    fn of(phrase: impl Iterator<Item = u32>) -> Self {
        Self(phrase.fold(0, |key, term| (key << TERM_BITS) | u64::from(term + 1)))
    }

    fn terms(self) -> Vec<u32> {
        let term = |place: usize| {
            let bits = self.0 >> (TERM_BITS * u32::try_from(place).unwrap_or(0));
            u32::try_from(bits & ((1 << TERM_BITS) - 1))
                .ok()?
                .checked_sub(1)
        };
        (0..PHRASE_WORDS_MAX).rev().filter_map(term).collect()
    }
}

struct Counted<'a> {
    count: u32,
    surface: &'a str,
    position: usize,
}

/// The key phrases of `text`, the most telling first, as the text writes them.
pub(super) fn key_phrases(text: &str, limit: usize) -> Vec<String> {
    key_phrases_in(text, language(text), limit, |_| true)
}

/// The same of a text whose language is known, of those phrases that are wanted. Fewer phrases are the first of more.
pub(super) fn key_phrases_in(
    text: &str,
    language: Option<Lang>,
    limit: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<String> {
    let (words, terms) = terms_of(text, language);
    let mut times = vec![0_u32; terms];
    for term in words.iter().filter_map(|word| word.term) {
        if let Some(times) = times.get_mut(term as usize) {
            *times += 1;
        }
    }
    let mut counts: QuickMap<Key, Counted<'_>> = QuickMap::default();
    let mut run: Vec<Link> = Vec::new();
    let mut line = "";
    for (seen, word) in (1..).zip(words) {
        if !std::ptr::eq(line, word.line) {
            line = word.line;
            run.clear();
        }
        // A phrase is none that comes once, and no word in it may.
        let link = word
            .term
            .filter(|term| times.get(*term as usize).is_some_and(|times| *times > 1))
            .and_then(|term| Link::of(line, word.word, term));
        let Some(link) = link else {
            run.clear();
            continue;
        };
        if run.last().is_some_and(|before| !link.follows(before, line)) {
            run.clear();
        }
        let (end, closes) = (link.end, link.closes);
        run.push(link);
        for length in 1..=PHRASE_WORDS_MAX.min(run.len()) {
            let Some(tail @ [first, ..]) = run.get(run.len() - length..) else {
                continue;
            };
            let surface = line.get(first.start..end).unwrap_or_default();
            if !(first.opens && closes) || surface.len() > PHRASE_BYTES_MAX {
                continue;
            }
            let entry = counts
                .entry(Key::of(tail.iter().map(|link| link.term)))
                .or_insert(Counted {
                    count: 0,
                    surface,
                    position: seen,
                });
            entry.count += 1;
            // Lower case is how a phrase reads inside a sentence; a name never appears so.
            if surface.chars().next().is_some_and(char::is_lowercase)
                && entry.surface.chars().next().is_some_and(char::is_uppercase)
                && surface.to_lowercase() == entry.surface.to_lowercase()
            {
                entry.surface = surface;
            }
        }
    }
    rank(counts, limit, is_wanted)
}

/// A word of a text.
struct Word<'a> {
    /// What stands between two marks and holds it.
    line: &'a str,
    word: &'a str,
    /// Its term, when it may stand in a phrase.
    term: Option<u32>,
}

/// The words of a text, as far as they are looked at, and how many terms they are.
fn terms_of(text: &str, language: Option<Lang>) -> (Vec<Word<'_>>, usize) {
    let mut lexicon = Lexicon::new(language);
    let small = small_words(language);
    let mut terms: QuickMap<&str, Option<u32>> = QuickMap::default();
    let mut lower = String::new();
    let is_mark = |c: char| {
        matches!(
            c,
            '\n' | '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '。' | '、' | '|'
        )
    };
    let lines = text.split(is_mark);
    let words = lines
        .flat_map(|line| words(line).map(move |word| (line, word)))
        .take(WORDS_MAX)
        .map(|(line, word)| {
            let term = *terms
                .entry(word)
                .or_insert_with(|| single(&mut lexicon, &small, word, &mut lower));
            let term = term.filter(|_| !is_of_number(text, word));
            Word { line, word, term }
        })
        .collect();
    (words, lexicon.len())
}

/// The term of a word that may stand in a phrase; `lower` is a place to write it in lower case.
fn single(
    lexicon: &mut Lexicon,
    small: &QuickSet<&str>,
    word: &str,
    lower: &mut String,
) -> Option<u32> {
    lower_into(word, lower);
    let usable = word.chars().nth(1).is_some()
        && word.chars().any(char::is_alphabetic)
        && word.len() <= 40
        && !is_english_stop(lower)
        && !word.chars().all(is_ideograph)
        && !ADDRESSING.contains(&lower.as_str())
        && !POINTING.contains(&lower.as_str())
        && !CALLED.contains(lower.as_str())
        && !small.contains(lower.as_str())
        && !is_digest_or_version(lower);
    usable.then(|| lexicon.told_anew(lower)).flatten()
}

/// Whether a word of `text` is what stands behind the point of a number: the `73y` of `6.73y`.
fn is_of_number(text: &str, word: &str) -> bool {
    let start = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.as_bytes().get(..start).unwrap_or_default();
    word.starts_with(|c: char| c.is_ascii_digit())
        && matches!(before, [.., digit, b'.'] if digit.is_ascii_digit())
}

/// Whether a word, in lower case, is a commit's digest or a version: `872c81d1`, `v19`.
fn is_digest_or_version(lower: &str) -> bool {
    let is_digest = lower.len() >= 7
        && lower.bytes().all(|b| b.is_ascii_hexdigit())
        && lower.bytes().any(|b| b.is_ascii_digit());
    is_digest
        || lower
            .strip_prefix('v')
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

/// A word that may stand in a phrase: where it stands in its line.
struct Link {
    term: u32,
    start: usize,
    end: usize,
    /// Whether a phrase may begin with it: nothing before is joined to it.
    opens: bool,
    /// Whether a phrase may end with it.
    closes: bool,
}

impl Link {
    /// Of a word of `line`; `None` where it holds what no phrase may.
    fn of(line: &str, word: &str, term: u32) -> Option<Self> {
        let start = (word.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
        let end = start + word.len();
        let (before, after) = (line.get(..start)?, line.get(end..)?);
        is_plain(word).then(|| Self {
            term,
            start,
            end,
            opens: !is_joined(before.chars().rev()) && !is_slashed(word, before.chars().rev()),
            closes: !is_joined(after.chars()) && !is_slashed(word, after.chars()),
        })
    }

    /// Whether only spaces and hyphens stand between this word and the one before it in the same line, or the bar of a name.
    fn follows(&self, before: &Self, line: &str) -> bool {
        let between = line.get(before.end..self.start);
        between.is_some_and(is_plain) || between == Some("/") && !before.closes && !self.opens
    }
}

/// Whether a phrase may hold these characters: letters and figures, and between them no space or hyphen twice.
fn is_plain(text: &str) -> bool {
    let mut before = '\0';
    text.chars().all(|c| {
        let is_twice = before == c && matches!(c, ' ' | '-');
        before = c;
        !is_twice && (c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '\''))
    })
}

/// Whether what stands beside a phrase, read away from it, makes one word with it: `--boot-disk-size`. A number does not: `UTF-8`.
fn is_joined(mut beside: impl Iterator<Item = char>) -> bool {
    matches!(beside.next(), Some('-' | '_'))
        && beside
            .next()
            .is_some_and(|c| !c.is_ascii_digit() && !c.is_whitespace())
}

/// Whether a word with capitals is one half of a name in which a bar stands beside it: `PL/pgSQL`, `TCP/IP`.
fn is_slashed(word: &str, mut beside: impl Iterator<Item = char>) -> bool {
    word.contains(char::is_uppercase)
        && beside.next() == Some('/')
        && beside.next().is_some_and(char::is_alphabetic)
}

/// Whether a word alone names a thing: participles and adverbs need company ("specified", "copied", "simply").
fn names_something(word: &str) -> bool {
    let lower = word.to_lowercase();
    !(lower.len() > 4
        && lower.is_ascii()
        && ["ed", "ing", "ly"].iter().any(|end| lower.ends_with(end)))
}

/// Whether a phrase is made of words that stand in any documentation.
pub(super) fn is_worn(phrase: &str) -> bool {
    let phrase = phrase.to_lowercase();
    let worn = &*WORN_WORDS;
    phrase
        .split([' ', '-', '_'])
        .all(|word| worn.contains(word))
}

fn rank(
    counts: QuickMap<Key, Counted<'_>>,
    limit: usize,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut ranked: Vec<(f32, usize, Vec<u32>, &str)> = counts
        .into_iter()
        .filter(|(_, counted)| counted.count >= 2)
        .map(|(key, counted)| (key.terms(), counted))
        .filter(|(key, counted)| key.len() > 1 || names_something(counted.surface))
        .map(|(key, counted)| {
            #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
            let score = counted.count as f32 * (0.4 + 0.6 * key.len() as f32);
            let score = if is_worn(counted.surface) {
                score * WORN_WORTH
            } else {
                score
            };
            (score, counted.position, key, counted.surface)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut taken: Vec<Vec<u32>> = Vec::new();
    let mut out = Vec::new();
    // Whether a phrase is wanted may take a look through all of the text.
    for (_, _, key, surface) in ranked.into_iter().take(limit * LOOKS) {
        if out.len() >= limit {
            break;
        }
        // A phrase that shares a word with a better one says little new.
        if taken
            .iter()
            .any(|other| key.iter().filter(|term| other.contains(term)).count() * 2 >= key.len())
            || !is_wanted(surface)
        {
            continue;
        }
        taken.push(key);
        out.push(surface.to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_the_words_it_comes_back_to() {
        let text = "The connection pool hands out connections. A connection pool is bounded. \
            When the connection pool is empty, callers wait. Callers wait in order.";
        let phrases = key_phrases(text, 3);
        assert_eq!(phrases[0], "connection pool");
        assert!(phrases.contains(&"callers wait".to_owned()), "{phrases:?}");
    }

    #[test]
    fn a_phrase_is_no_part_of_a_longer_word_and_no_address() {
        let text = "Set the argument --boot-disk-size here. The argument --boot-disk-size is a number. \
            See https://kilns.example.com, then https://kilns.example.com again. Read UTF-8, write UTF-8.";
        let phrases = key_phrases(text, 9);
        assert!(phrases.contains(&"UTF".to_owned()), "{phrases:?}");
        for phrase in ["boot", "disk", "--", "https", "com"] {
            assert!(
                !phrases.iter().any(|found| found.contains(phrase)),
                "{phrases:?}"
            );
        }
    }

    #[test]
    fn a_name_with_a_bar_in_it_is_one_phrase() {
        let text = "PL/pgSQL is old. Write PL/pgSQL here, and and/or there. It is and/or.";
        let phrases = key_phrases(text, 9);
        assert!(phrases.contains(&"PL/pgSQL".to_owned()), "{phrases:?}");
        assert!(
            !phrases
                .iter()
                .any(|phrase| phrase == "PL" || phrase == "pgSQL"),
            "{phrases:?}"
        );
    }

    #[test]
    fn a_phrase_begins_with_no_half_of_a_number() {
        let text = "6.73y Old kiln\n\n6.73y Old kiln\n\n3D kiln\n\n3D kiln\n";
        let phrases = key_phrases(text, 9);
        assert!(phrases.contains(&"3D".to_owned()), "{phrases:?}");
        assert!(
            !phrases.iter().any(|phrase| phrase.contains("73")),
            "{phrases:?}"
        );
    }

    #[test]
    fn what_any_documentation_speaks_of_comes_last() {
        let text =
            "The value of a cone is a value. A value has a name. A cone bends; its name is a name.";
        assert_eq!(key_phrases(text, 1), ["cone"]);
    }

    #[test]
    fn the_terms_of_a_phrase_come_out_of_its_key_in_order() {
        for terms in [vec![0], vec![7, 0], vec![11_999, 0, 12_000], vec![1, 2, 3]] {
            assert_eq!(Key::of(terms.iter().copied()).terms(), terms);
        }
    }

    #[test]
    fn what_only_points_at_other_words_stands_in_no_phrase() {
        let text = "Use the following command. The following command fires, and the latter kiln cools. The latter kiln is red.";
        let phrases = key_phrases(text, 9);
        let points = |phrase: &&String| phrase.contains("following") || phrase.contains("latter");
        assert_eq!(phrases.iter().find(points), None, "{phrases:?}");
        assert!(phrases.contains(&"kiln".to_owned()), "{phrases:?}");
    }

    #[test]
    fn what_is_said_in_any_conversation_is_no_phrase_in_any_language() {
        for (text, kiln) in [
            ("Hey, uh, the kiln. Uh, hey, a kiln. Umm.", "kiln"),
            (
                "Eso no puede ser, ¿qué haces? Vamos, yo quiero el horno. ¿Qué pasa? Eso no, vamos. ¿Y tú? Tú estás en el horno, yo estoy.",
                "horno",
            ),
            (
                "Je suis là, mais tu vas où ? Je vais au four. Mon four est chaud, je suis sûr. Tu vas bien, mon ami ? Quoi ? Je vais bien.",
                "four",
            ),
        ] {
            let phrases = key_phrases(text, 5);
            assert_eq!(
                phrases.first().map(String::as_str),
                Some(kiln),
                "{phrases:?}"
            );
            let small = [
                "hey", "uh", "qué", "tú", "vamos", "suis", "vais", "mon", "eso",
            ];
            let is_small = |phrase: &&String| small.contains(&phrase.to_lowercase().as_str());
            assert_eq!(phrases.iter().find(is_small), None);
        }
    }

    #[test]
    fn a_text_without_words_has_no_phrases() {
        assert!(key_phrases("", 5).is_empty());
        assert!(key_phrases("--- 12 34 --- 🙂", 5).is_empty());
    }
}
