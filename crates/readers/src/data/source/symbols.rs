//! Tells what a line of source code declares.

use crate::words::{WordList, words};

/// What is declared, and where.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    /// Its name.
    pub(crate) name: String,
    /// Its line.
    pub(crate) line: usize,
    /// Whether it stands inside another.
    pub(crate) inner: bool,
}

/// Words before a declaration that tell nothing of its name.
static MODIFIERS: WordList = words!(
    "pub pub(crate) pub(super) export default declare public private protected internal static final abstract async unsafe const extern \
     inline virtual override open sealed data suspend partial readonly synchronized native constexpr explicit friend volatile strictfp \
     mutating"
);

/// Words that a declaration's name follows.
static KEYWORDS: WordList = words!(
    "fn struct enum trait mod type union macro_rules! impl function class interface namespace func def var let fun object record protocol \
     extension static module typedef concept @interface"
);

/// The name that a line declares; `None` when it declares nothing.
pub(crate) fn of_line(text: &str, language: &str) -> Option<String> {
    let text = text.trim();
    let head = text.get(..text.len().min(400)).unwrap_or(text);
    let mut words = head.split_whitespace().peekable();
    let mut had_const = false;
    while let Some(word) = words.peek().copied() {
        let is_modifier = MODIFIERS.contains(&word) || word.starts_with("pub(") || word == "\"C\"";
        if !is_modifier {
            break;
        }
        had_const |= matches!(word, "const" | "static");
        words.next();
    }
    let first = words.next()?;
    let keyword = first.trim_end_matches('*');
    if keyword == "func" && words.peek().is_some_and(|word| word.starts_with('(')) {
        // A method of Go: the receiver stands first.
        let after = head.split_once(')')?.1;
        return name_of(after.trim_start());
    }
    if KEYWORDS.contains(&keyword) && !(language == "go" && keyword == "def") {
        let rest = head.split_once(first)?.1.trim_start();
        if keyword == "impl" {
            return None;
        }
        let rest = rest
            .strip_prefix("class ")
            .or_else(|| rest.strip_prefix("struct "))
            .unwrap_or(rest);
        let rest = rest.strip_prefix("mut ").unwrap_or(rest);
        return name_of(rest.trim_start_matches('*').trim_start());
    }
    if language == "python" {
        return None;
    }
    if had_const && !matches!(language, "c" | "cpp" | "java" | "csharp" | "dart") {
        return name_of(first);
    }
    // `#define NAME`, `type name(`, `name(` inside a class.
    if let Some(rest) = head.strip_prefix("#define ") {
        return name_of(rest);
    }
    let is_typed = matches!(
        language,
        "c" | "cpp"
            | "java"
            | "csharp"
            | "dart"
            | "javascript"
            | "jsx"
            | "typescript"
            | "tsx"
            | "php"
            | "kotlin"
            | "scala"
            | "swift"
    );
    if !is_typed
        || [
            "return", "if", "for", "while", "switch", "else", "case", "throw", "new", "import",
            "using", "package", "#include", "delete",
        ]
        .contains(&keyword)
    {
        return None;
    }
    let before = head
        .split('(')
        .next()
        .filter(|before| before.len() < head.len())?;
    if before.contains(['=', '"', '.', ';', '{']) {
        return None;
    }
    let name = before.trim_end().rsplit([' ', '*', '&']).next()?;
    let name = name.rsplit("::").next().unwrap_or(name);
    name_of(name)
}

fn name_of(rest: &str) -> Option<String> {
    let name: String = rest
        .trim_start_matches(['$', '~'])
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
        .collect();
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::of_line;

    #[test]
    fn a_declaration_is_told_by_its_words() {
        for (line, language, name) in [
            ("pub(crate) async fn go<T>(x: T) {", "rust", Some("go")),
            ("pub const MAX: usize = 1;", "rust", Some("MAX")),
            ("    heat: u8,", "rust", None),
            ("impl Kiln {", "rust", None),
            (
                "export default class Kiln extends Oven {",
                "typescript",
                Some("Kiln"),
            ),
            ("export const fire = (n) => n;", "javascript", Some("fire")),
            (
                "  async fire(n: number): Promise<void> {",
                "typescript",
                Some("fire"),
            ),
            ("func (k *Kiln) Fire(n int) error {", "go", Some("Fire")),
            ("type Kiln struct {", "go", Some("Kiln")),
            ("public static <T> List<T> of(T... a) {", "java", Some("of")),
            (
                "int kiln_fire(struct kiln *k, int n);",
                "c",
                Some("kiln_fire"),
            ),
            ("#define KILN_MAX 3", "c", Some("KILN_MAX")),
            ("    def fire(self):", "python", Some("fire")),
            ("return fire(n);", "c", None),
        ] {
            assert_eq!(of_line(line, language).as_deref(), name, "{line}");
        }
    }
}
