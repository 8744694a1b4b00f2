//! Owns the words that open what we compose, in the language of the source.

/// The words of one language.
#[derive(Debug, Clone, Copy)]
pub struct LeadIns {
    /// Its code.
    pub language: &'static str,
    /// Before the tasks of a description.
    pub use_when: &'static str,
    /// Between tasks.
    pub comma: &'static str,
    /// Before the last task.
    pub or: &'static str,
    /// Behind the last task.
    pub end: &'static str,
    /// Before what a row of the routing table is for, where that is no verb.
    pub to_read: &'static str,
    /// The heading of the routing table.
    pub routes: &'static str,
    /// What a link to a file says.
    pub read: &'static str,
}

/// The languages; the first is that of what no other fits.
const ALL: [LeadIns; 11] = [
    LeadIns {
        language: "en",
        use_when: "Use when ",
        comma: ", ",
        or: ", or ",
        end: ".",
        to_read: "To look up ",
        routes: "Where to read",
        read: "read",
    },
    LeadIns {
        language: "de",
        use_when: "Zu verwenden für: ",
        comma: "; ",
        or: "; ",
        end: ".",
        to_read: "Zum Nachschlagen von ",
        routes: "Wo es steht",
        read: "lesen",
    },
    LeadIns {
        language: "fr",
        use_when: "À utiliser pour : ",
        comma: " ; ",
        or: " ; ",
        end: ".",
        to_read: "Pour consulter ",
        routes: "Où lire",
        read: "lire",
    },
    LeadIns {
        language: "es",
        use_when: "Usar para: ",
        comma: "; ",
        or: "; ",
        end: ".",
        to_read: "Para consultar ",
        routes: "Dónde leer",
        read: "leer",
    },
    LeadIns {
        language: "pt",
        use_when: "Usar para: ",
        comma: "; ",
        or: "; ",
        end: ".",
        to_read: "Para consultar ",
        routes: "Onde ler",
        read: "ler",
    },
    LeadIns {
        language: "it",
        use_when: "Da usare per: ",
        comma: "; ",
        or: "; ",
        end: ".",
        to_read: "Per consultare ",
        routes: "Dove leggere",
        read: "leggere",
    },
    LeadIns {
        language: "ru",
        use_when: "Использовать для тем: ",
        comma: "; ",
        or: "; ",
        end: ".",
        to_read: "Чтобы узнать про ",
        routes: "Где читать",
        read: "читать",
    },
    LeadIns {
        language: "zh",
        use_when: "适用于：",
        comma: "、",
        or: "、",
        end: "。",
        to_read: "查阅",
        routes: "查阅位置",
        read: "阅读",
    },
    LeadIns {
        language: "ja",
        use_when: "使用場面：",
        comma: "、",
        or: "、",
        end: "。",
        to_read: "調べるとき：",
        routes: "参照先",
        read: "読む",
    },
    LeadIns {
        language: "ko",
        use_when: "사용 시점: ",
        comma: ", ",
        or: ", ",
        end: ".",
        to_read: "찾아볼 때: ",
        routes: "읽을 곳",
        read: "읽기",
    },
    LeadIns {
        language: "ar",
        use_when: "يُستخدم عند: ",
        comma: "، ",
        or: "، ",
        end: ".",
        to_read: "للاطلاع على ",
        routes: "أين تقرأ",
        read: "اقرأ",
    },
];

/// Whether a heading is that of a routing table.
#[must_use]
pub fn is_routes(heading: &str) -> bool {
    ALL.iter().any(|one| one.routes == heading)
}

/// The words for a language.
#[must_use]
pub fn for_language(code: &str) -> &'static LeadIns {
    ALL.iter()
        .find(|one| one.language == code)
        .unwrap_or(&ALL[0])
}

/// The language of a text: by its script, else by its most common words.
#[must_use]
pub fn language_of(text: &str) -> &'static str {
    let (mut letters, mut kana, mut han, mut hangul, mut arabic, mut cyrillic) = (0, 0, 0, 0, 0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()).take(8_000) {
        letters += 1;
        match c {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{4e00}'..='\u{9fff}' => han += 1,
            '\u{ac00}'..='\u{d7af}' => hangul += 1,
            '\u{0600}'..='\u{06ff}' => arabic += 1,
            '\u{0400}'..='\u{04ff}' => cyrillic += 1,
            _ => {}
        }
    }
    let is_part = |count: i32| count * 6 > letters;
    if kana * 20 > letters {
        return "ja";
    }
    for (count, code) in [
        (hangul, "ko"),
        (han, "zh"),
        (arabic, "ar"),
        (cyrillic, "ru"),
    ] {
        if is_part(count) {
            return code;
        }
    }
    let words = text
        .split(|c: char| !c.is_alphabetic() && c != '\'')
        .filter(|word| !word.is_empty());
    crate::stop_words::language(words).unwrap_or("en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_its_script_or_its_words() {
        assert_eq!(language_of("窯を焚く前に土を乾かす"), "ja");
        assert_eq!(language_of("加热窑炉之前晾干泥土"), "zh");
        assert_eq!(
            language_of("Le four est chaud, il ne faut pas l'ouvrir quand il est plein"),
            "fr"
        );
        assert_eq!(language_of("The kiln is hot"), "en");
    }
}
