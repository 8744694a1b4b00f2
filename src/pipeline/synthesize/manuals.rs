//! Owns the headings that the pages of manuals have in other languages than English: they name no subject, whatever a page is on,
//! and some of them stand over what only surrounds it.

use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::straight;
use std::sync::LazyLock;

/// What stands under a heading that every manual has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ManualPart {
    /// The name of the page, and a line on it.
    Name,
    /// Options, commands, examples: a kind of section, which other words would name as well.
    Kind,
    /// What belongs to the subject, as the pattern of the call, the description and the files.
    Content,
    /// Mistakes that are known, standards, notes: generic, but on the subject.
    Remarks,
    /// Who wrote it, under which licence, what else there is to read.
    Surroundings,
    /// What changed when.
    Log,
}

/// The headings, in lower case and parted by bars: German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Japanese,
/// Chinese, Korean, Arabic and Hebrew, Finnish, Turkish, Swedish, Danish, Hungarian, Czech, Romanian, Ukrainian, Croatian, Indonesian,
/// Serbian and Slovene, as far as manuals are translated.
const HEADINGS: [(ManualPart, &str); 6] = [
    (
        ManualPart::Name,
        "name|bezeichnung|nom|nombre|nome|naam|nazwa|имя|название|名前|名称|名稱|名字|이름|الاسم|שם|\
         nimi|i\u{307}si\u{307}m|namn|navn|név|jméno|nume|назва|nama|назив",
    ),
    (
        ManualPart::Kind,
        "optionen|befehle|beispiel|beispiele|argumente|commandes|exemple|exemples|paramètres|opciones|órdenes|\
         comandos|ejemplo|ejemplos|parámetros|opzioni|comandi|esempio|esempi|parametri|opções|exemplo|exemplos|\
         parâmetros|opties|opdrachten|voorbeeld|voorbeelden|opcje|polecenia|przykład|przykłady|параметры|ключи|\
         опции|команды|пример|примеры|オプション|コマンド|例|使用例|引数|选项|選項|命令|示例|例子|范例|参数|參數|옵션|명령|예|예제|الخيارات|أمثلة|\
         אפשרויות|דוגמאות|versionen|versiones|versioni|versões|versies|wersje|версии|バージョン|版本|버전|\
         valitsimet|optiot|seçenekler|örnekler|flaggor|exempel|kommandon|tilvalg|eksempler|volby|opțiuni|параметри|приклади|opcije|primjeri|pilihan|contoh|опције|примери|možnosti|primeri",
    ),
    (
        ManualPart::Content,
        "übersicht|beschreibung|umgebung|umgebungsvariablen|dateien|exit-status|rückgabewert|rückgabewerte|\
         fehler|einleitung|einführung|überblick|zusammenfassung|résumé|environnement|variables d'environnement|\
         fichiers|code de retour|codes de retour|valeur renvoyée|valeur de retour|erreurs|présentation|aperçu|\
         sinopsis|descripción|entorno|variables de entorno|ficheros|archivos|valor devuelto|estado de salida|\
         errores|introducció|introducción|resumen|sintassi|descrizione|ambiente|variabili d'ambiente|valore restituito|\
         valore di ritorno|stato d'uscita|errori|introduzione|sommario|sinopse|descrição|variáveis de ambiente|\
         arquivos|ficheiros|valor de retorno|erros|introdução|resumo|samenvatting|overzicht|beschrijving|\
         omgeving|omgevingsvariabelen|bestanden|afsluitwaarde|retourwaarde|fouten|inleiding|składnia|opis|\
         środowisko|zmienne środowiskowe|pliki|wartość zwracana|wartości zwracane|status wyjścia|kod wyjścia|\
         błędy|wstęp|синтаксис|обзор|описание|окружение|переменные окружения|файлы|возвращаемое значение|\
         код возврата|ошибки|введение|書式|説明|環境変数|環境|ファイル|返り値|戻り値|終了ステータス|エラー|はじめに|概要|概述|总览|總覽|语法|描述|说明|說明|環境變數|\
         环境变量|环境|文件|檔案|返回值|退出状态|错误|简介|引言|介绍|요약|설명|환경|환경 변수|파일|반환값|종료 상태|오류|소개|الوصف|مقدمة|תיאור|מבוא|\
         kuvaus|yleiskatsaus|tiedostot|açiklama|özet|kullanim|tanim|dosyalar|i\u{307}lgi\u{307}li\u{307} dosyalar|çevre|çikiş durumu|beskrivning|synops|filer|miljövariabler|miljö|slutstatus|returvärde|avslutningsvärden|beskrivelse|overblik|afslut-status|leírás|áttekintés|fájlok|popis|použití|přehled|syntaxe|soubory|návratové hodnoty|descriere|rezumat|prezentare generală|stare de ieșire|variabile de mediu|mediu|fișiere|erori|опис|короткий опис|короткий огляд|середовище|стан виходу|значення виходу|файли|uporaba|okolina|ringkasan|deskripsi|penjelasan|berkas|status keluar|lingkungan|увод|датотеке|окружење|стање излаза|преглед|povzetek|izhodno stanje|개요",
    ),
    (
        ManualPart::Remarks,
        "konform zu|anmerkungen|hinweise|bekannte fehler|diagnose|warnungen|conformité|normes|remarques|bogues|\
         avertissements|conforme a|estándares|notas|observaciones|fallos|defectos|errores conocidos|diagnósticos|difetti|\
         diagnostica|avvertimenti|padrões|defeitos|avisos|standaarden|conform|opmerkingen|gebreken|standardy|\
         zgodność z|uwagi|błędy i ograniczenia|стандарты|соответствие стандартам|замечания|примечания|дефекты|\
         баги|準拠|規格|注意|注記|バグ|既知の問題|診断|标准|遵循|遵循标准|注释|备注|缺陷|错误报告|诊断|標準|註釋|臭蟲|표준|호환|주의|버그|\
         hatalar|yetersi\u{307}zli\u{307}kler|programfel|fel|fejl|noter|standarder|hibák|megjegyzés|figyelmeztetés|figyelmeztetések|záludnosti|námitky|defecțiuni|note|restricții|вади|застереження|зауваження|примітки|poznate greške|ograničenja|dijagnostika|грешке|познате грешке|ограничења|напомене|дијагностика|hrošči|진단",
    ),
    (
        ManualPart::Surroundings,
        "siehe auch|autor|autoren|urheberrecht|lizenz|übersetzung|danksagung|danksagungen|fehler melden|\
         weiterführendes|kolophon|impressum|voir aussi|auteur|auteurs|droits d'auteur|licence|traduction|\
         traducteur|traducteurs|remerciements|rapporter des bogues|signaler des bogues|colophon|véase también|\
         ver también|autores|derechos de autor|licencia|traducción|agradecimientos|informar de fallos|\
         informar de errores|colofón|vedere anche|vedi anche|autore|autori|diritto d'autore|licenza|traduzione|\
         ringraziamenti|segnalare i bug|veja também|ver também|direitos autorais|direitos de autor|licença|\
         tradução|agradecimentos|relatando erros|reportar bugs|zie ook|vertaling|licentie|auteursrecht|dankwoord|\
         bugs rapporteren|bugs melden|zobacz też|zobacz również|zobacz także|autorzy|prawa autorskie|licencja|\
         tłumaczenie|podziękowania|zgłaszanie błędów|смотрите также|см. также|см.также|смотри также|автор|авторы|\
         авторские права|лицензия|перевод|благодарности|сообщения об ошибках|関連項目|参照|著者|作者|著作権|ライセンス|翻訳|翻訳者謝辞|謝辞|\
         バグの報告|バグ報告|この文書について|参见|參見|另请参阅|另見|作者们|版权|版權|许可证|授權|翻译|翻譯|致谢|致謝|报告错误|报告缺陷|中文版维护人|中文版最新更新|中文手册页翻译计划|\
         中文版维护者|译者|譯者|跋|같이 보기|관련 항목|저자|만든이|저작권|라이선스|번역|감사의 글|버그 보고|انظر أيضا|انظر أيضًا|المؤلف|المؤلفون|الترخيص|\
         الترجمة|ראו גם|מחבר|מחברים|רישיון|תרגום|\
         katso myös|tekijä|ayrica bakiniz|i\u{307}lgi\u{307}li\u{307} belgeler|yazar|yazan|çevi\u{307}ren|çevri\u{307}mi\u{307}çi\u{307} yardim|se även|se också|se vidare|upphovsman|översättning|se også|forfatter|onlinehjælp|lásd még|szerző|szerzők|magyar fordítás|viz také|další informace|autoři|přeložil|consultați și|див. також|також перегляньте|як надіслати звіт про вади|pogledajte također|lihat juga|pengarang|penterjemah|аутор|видети такође|видите такође|oglejte si tudi|avtorske pravice|추가 참조|저작자|相關文件",
    ),
    (
        ManualPart::Log,
        "geschichte|änderungen|änderungsprotokoll|versionsgeschichte|historique|changements|historial|historia|\
         cambios|storia|cronologia|modifiche|história|histórico|alterações|mudanças|geschiedenis|wijzigingen|\
         historia zmian|zmiany|история|история изменений|изменения|歴史|履歴|変更履歴|历史|歷史|变更记录|更新日志|更新日誌|역사|변경 사항|변경 이력|\
         historik|historie|istoric|sejarah|историјат",
    ),
];

/// The same as they are looked up, for each title of a source and more than once.
static PARTS: LazyLock<QuickMap<&str, ManualPart>> = LazyLock::new(|| {
    let mut parts = QuickMap::default();
    for (part, headings) in HEADINGS {
        for heading in headings.split('|') {
            parts.entry(heading).or_insert(part);
        }
    }
    parts
});
/// A longer title is none of them.
const HEADING_BYTES_MAX: usize = 48;

/// What stands under a heading, if it is one that manuals have.
pub(super) fn part_of_manual(title: &str) -> Option<ManualPart> {
    let title = title.trim().trim_end_matches([':', '.', '：']);
    if title.len() > HEADING_BYTES_MAX {
        return None;
    }
    let lower = straight(title).to_lowercase();
    PARTS.get(lower.as_str()).copied()
}

impl ManualPart {
    /// Whether its heading names no subject of its own.
    pub(super) fn is_generic(self) -> bool {
        self != Self::Kind
    }

    /// Whether it only surrounds the subject.
    pub(super) fn is_peripheral(self) -> bool {
        matches!(self, Self::Surroundings | Self::Log)
    }
}

#[cfg(test)]
mod tests {
    use super::super::heading_words::is_structural;
    use super::super::outline::{Outline, is_generic, is_peripheral};
    use super::super::testing;
    use super::*;

    #[test]
    fn what_every_manual_has_is_known_in_its_language() {
        for (title, part) in [
            ("BEZEICHNUNG", ManualPart::Name),
            ("ÜBERSETZUNG", ManualPart::Surroundings),
            ("VOIR AUSSI", ManualPart::Surroundings),
            ("Variables d’environnement", ManualPart::Content),
            ("関連項目", ManualPart::Surroundings),
            ("翻訳者謝辞", ManualPart::Surroundings),
            ("СМОТРИТЕ ТАКЖЕ", ManualPart::Surroundings),
            ("GESCHICHTE", ManualPart::Log),
            ("ANMERKUNGEN", ManualPart::Remarks),
            ("KATSO MYÖS", ManualPart::Surroundings),
            ("AÇIKLAMA", ManualPart::Content),
            ("İLGİLİ DOSYALAR", ManualPart::Content),
            ("ДИВ. ТАКОЖ", ManualPart::Surroundings),
        ] {
            assert_eq!(part_of_manual(title), Some(part), "{title}");
            assert!(is_generic(title) && is_structural(title), "{title}");
            assert_eq!(is_peripheral(title), part.is_peripheral(), "{title}");
        }
        assert_eq!(part_of_manual("TCP-WEITERLEITUNG"), None);
        let longest = HEADINGS
            .iter()
            .flat_map(|(_, headings)| headings.split('|'))
            .map(str::len);
        assert!(longest.max() <= Some(HEADING_BYTES_MAX));
        assert!(
            is_structural("OPTIONEN") && !is_generic("OPTIONEN"),
            "as in English"
        );
    }

    #[test]
    fn the_authors_of_a_german_page_stand_beside_its_subject_as_those_of_an_english_one() {
        let document = testing::document(
            "# BESCHREIBUNG\n\nDer Ofen brennt.\n\n# AUTOREN\n\nAnna.\n\n# SIEHE AUCH\n\nTopf.",
        );
        let outline = Outline::of(&document.blocks);
        let asides: Vec<bool> = outline.sections.iter().map(|s| s.is_aside).collect();
        assert_eq!(asides, [false, true, true]);
    }
}
