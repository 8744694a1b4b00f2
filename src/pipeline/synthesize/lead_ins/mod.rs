//! Owns the words of ours in the front matter, in the language of the source: what a skill covers, and when to use it. The source's
//! own words complete them.
//!
//! Names of subjects stand where no language inflects them: after a colon, between quotation marks, or at the end.

mod wordings;

use self::wordings::{CHINESE_TRADITIONAL, ENGLISH, WORDINGS};
use super::words;
use crate::pipeline::scaffold::USE_WHEN;
use whatlang::Lang;

/// How descriptions are worded in one language. `{}` and `{of}` stand for the subject, `{and}` for further subjects.
pub(super) struct LeadIns {
    /// What a skill covers: `{}` is the list.
    covers: &'static str,
    /// What else it covers.
    also: &'static str,
    /// When to use it.
    when: &'static str,
    /// The same, with questions that it answers.
    when_or: &'static str,
    /// When to use the index of a catalogue.
    index: &'static str,
    /// Between the members of a list.
    comma: &'static str,
    /// Between the last two.
    or: &'static str,
    /// The end of a sentence, and the space after it.
    stop: &'static str,
}

impl LeadIns {
    /// What a skill covers, as a sentence.
    pub(super) fn covers(&self, subjects: &str) -> String {
        format!("{}{}", self.covers.replace("{}", subjects), self.stop)
    }

    /// What else it covers, as a sentence.
    pub(super) fn also(&self, subjects: &str) -> String {
        format!("{}{}", self.also.replace("{}", subjects), self.stop)
    }

    /// When to use it, as a sentence.
    pub(super) fn when(&self, subject: &str, others: &[&str]) -> String {
        let sentence = match others {
            [] => self.when.replace("{of}", subject),
            [before @ .., last] => {
                let mut list = before.join(self.comma);
                if !list.is_empty() {
                    list.push_str(self.or);
                }
                list.push_str(last);
                self.when_or
                    .replace("{of}", subject)
                    .replace("{and}", &list)
            }
        };
        format!("{sentence}{}", self.stop)
    }

    /// When to use the index of a catalogue, as a sentence.
    pub(super) fn index(&self, title: &str) -> String {
        format!("{}{}", self.index.replace("{of}", title), self.stop)
    }

    /// Whether descriptions are worded as English ones, whose titles may be tasks.
    pub(super) fn is_english(&self) -> bool {
        std::ptr::eq(self, &ENGLISH)
    }

    /// What joins two names: a word in English, and elsewhere what parts those of a list.
    pub(super) fn and(&self) -> &'static str {
        match self.is_english() {
            true => " and ",
            false => self.comma,
        }
    }

    /// What stands between the members of a list.
    pub(super) fn comma(&self) -> &'static str {
        self.comma
    }
}

/// The sentence of a description that says when to use the skill, without its first words where those are the heading over it.
pub(super) fn use_of(description: &str) -> &str {
    if let Some(at) = description.find(USE_WHEN) {
        return description
            .get(at + USE_WHEN.len()..)
            .unwrap_or(description);
    }
    let others = WORDINGS.iter().map(|(_, own)| own);
    let openings = others
        .chain([&CHINESE_TRADITIONAL])
        .map(|own| own.when.split("{of}").next().unwrap_or_default());
    openings
        .filter(|opening| !opening.is_empty())
        .find_map(|opening| description.find(opening))
        .and_then(|at| description.get(at..))
        .unwrap_or(description)
}

/// The words for a text.
pub(super) fn for_text(text: &str) -> &'static LeadIns {
    of(words::language(text), text)
}

/// The words of the language in which a text is written, in its script; those of English for the languages that we have none of.
pub(super) fn of(language: Option<Lang>, text: &str) -> &'static LeadIns {
    match language {
        Some(Lang::Cmn) if is_traditional(text) => &CHINESE_TRADITIONAL,
        _ => WORDINGS
            .iter()
            .find(|(own, _)| language == Some(*own))
            .map_or(&ENGLISH, |(_, own)| own),
    }
}

/// Frequent characters that are written in one of the two scripts of Chinese alone, each over its counterpart in the other.
const TRADITIONAL: &str = "這們來時說學會為國對開關發動應經電樣點還過現實進間數書寫題讀設選無當從問長門東車見話請認識該條級總線維護轉換運處單雙錄網頁連結優頭體氣熱檔啟";
const SIMPLIFIED: &str = "这们来时说学会为国对开关发动应经电样点还过现实进间数书写题读设选无当从问长门东车见话请认识该条级总线维护转换运处单双录网页连结优头体气热档启";
/// How far into a text is looked; a page of Chinese tells its script in its first sentence.
const SCRIPT_CHARS: usize = 4_000;

/// Whether a Chinese text is written in the traditional script.
fn is_traditional(text: &str) -> bool {
    let (mut traditional, mut simplified) = (0, 0);
    for c in text.chars().take(SCRIPT_CHARS).filter(|c| !c.is_ascii()) {
        traditional += usize::from(TRADITIONAL.contains(c));
        simplified += usize::from(SIMPLIFIED.contains(c));
    }
    traditional > simplified
}

#[cfg(test)]
mod tests {
    use super::super::testing::{document, extracted};
    use super::super::write;
    use super::*;
    use crate::pipeline::product::Wish;
    use crate::pipeline::validate::{Profile, check_skill};
    use std::sync::Arc;

    /// Each language with a text of which it is that.
    fn all() -> impl Iterator<Item = (Option<Lang>, &'static str)> {
        let others = WORDINGS.iter().map(|(language, _)| (Some(*language), ""));
        others.chain([
            (None, ""),
            (Some(Lang::Eng), ""),
            (Some(Lang::Cmn), "這是窯。"),
        ])
    }

    #[test]
    fn chinese_is_answered_in_the_script_in_which_it_is_written() {
        for text in [
            "這個指南說明如何安裝伺服器，並設定網路連線。開始之前，請確認電腦的時間正確。",
            // A name in the other script changes nothing, nor does what both have in common.
            "本書由张东著，說明資料庫的備份與還原。",
        ] {
            let own = for_text(text);
            assert_eq!(own.covers("窯"), "涵蓋窯。", "{text}");
            assert_eq!(
                own.when("窯", &["釉"]),
                "使用時機：處理「窯」，或回答有關釉的問題時。"
            );
        }
        for text in [
            "这个指南说明如何安装服务器，并设置网络连接。开始之前，请确认电脑的时间正确。",
            "中文的文字",
        ] {
            assert_eq!(of(Some(Lang::Cmn), text).covers("窑"), "涵盖窑。", "{text}");
        }
    }

    #[test]
    fn each_telling_character_belongs_to_one_script_and_has_its_counterpart() {
        assert_eq!(TRADITIONAL.chars().count(), SIMPLIFIED.chars().count());
        for (traditional, simplified) in TRADITIONAL.chars().zip(SIMPLIFIED.chars()) {
            assert_ne!(traditional, simplified);
            assert!(!SIMPLIFIED.contains(traditional), "{traditional}");
            assert!(!TRADITIONAL.contains(simplified), "{simplified}");
        }
        let mut once: Vec<char> = TRADITIONAL.chars().collect();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), TRADITIONAL.chars().count());
    }

    #[test]
    fn every_language_names_all_it_is_given_and_leaves_no_mark_of_its_template() {
        for (language, text) in all() {
            let own = of(language, text);
            let said = [
                own.covers("one"),
                own.also("two"),
                own.when("three", &[]),
                own.when("four", &["five", "six", "seven"]),
                own.index("eight"),
            ]
            .join(" ");
            for word in [
                "one", "two", "three", "four", "five", "six", "seven", "eight",
            ] {
                assert!(said.contains(word), "{language:?}: {said}");
            }
            assert!(!said.contains(['{', '}']), "{language:?}: {said}");
        }
    }

    #[test]
    fn a_check_finds_in_every_language_when_a_skill_is_used() {
        let source = Arc::new(extracted(document("# Kilns\n\nThey burn.\n")));
        for (language, text) in all() {
            let own = of(language, text);
            let description = format!("{} {}", own.covers("clay"), own.when("kilns", &["glaze"]));
            let wish = Wish {
                description: Some(description),
                ..Wish::default()
            };
            let made = write(Arc::clone(&source), &wish).unwrap();
            let report = check_skill(&made.drafts[0].skill, None, Profile::Open);
            let mut failed = report.checks.iter().filter(|check| !check.passed);
            assert!(!failed.any(|check| check.id == "V034"), "{language:?}");
        }
    }

    #[test]
    fn the_use_of_a_skill_is_found_in_its_description_in_every_language() {
        for (language, text) in all() {
            let own = of(language, text);
            let when = own.when("kilns", &["glaze"]);
            let description = format!("{} {when}", own.covers("clay"));
            let found = use_of(&description);
            assert!(
                !found.contains("clay") && found.contains("kilns") && found.contains("glaze"),
                "{found}"
            );
        }
    }
}
