//! Makes small PDF files by hand, so that a test shows what stands in them.

use std::fmt::Write as _;

/// A file of one page a content stream, with Helvetica as F1 and Courier as F2. Pages are the objects 5, 7, 9 and so on;
/// `objects` follow the last page's content.
pub(crate) struct Pdf<'a> {
    /// Entries of the catalogue.
    pub(crate) catalogue: &'a str,
    /// Entries of the information dictionary.
    pub(crate) information: &'a str,
    /// Entries of every page.
    pub(crate) page: &'a str,
    /// Further objects.
    pub(crate) objects: &'a [&'a str],
    /// What each page paints.
    pub(crate) pages: &'a [&'a str],
}

/// A line of text as operators, set in `font` of `size` points from `x`, `y` on.
pub(crate) fn text(font: &str, size: i32, x: i32, y: i32, words: &str) -> String {
    let words = words.replace('(', "\\(").replace(')', "\\)");
    format!("BT /{font} {size} Tf {x} {y} Td ({words}) Tj ET ")
}

/// A file of these pages and nothing else.
pub(crate) fn pdf(pages: &[&str]) -> Vec<u8> {
    Pdf {
        catalogue: "",
        information: "",
        page: "",
        objects: &[],
        pages,
    }
    .bytes()
}

impl Pdf<'_> {
    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let pages = self.pages;
        let kids: Vec<String> = (0..pages.len())
            .map(|page| format!("{} 0 R", 5 + page * 2))
            .collect();
        let mut objects = vec![
            format!("<< /Type /Catalog /Pages 2 0 R {} >>", self.catalogue),
            format!(
                "<< /Type /Pages /Kids [{}] /Count {} >>",
                kids.join(" "),
                pages.len()
            ),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
                .to_owned(),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
                .to_owned(),
        ];
        for (number, content) in pages.iter().enumerate() {
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> {} >>",
                6 + number * 2,
                self.page
            ));
            objects.push(format!(
                "<< /Length {} >>\nstream\n{content}\nendstream",
                content.len()
            ));
        }
        objects.extend(self.objects.iter().map(|object| (*object).to_owned()));
        objects.push(format!("<< {} >>", self.information));
        let mut out = "%PDF-1.4\n".to_owned();
        let mut offsets = Vec::new();
        for (number, object) in objects.iter().enumerate() {
            offsets.push(out.len());
            write!(out, "{} 0 obj\n{object}\nendobj\n", number + 1).expect("a string grows");
        }
        let start = out.len();
        write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1)
            .expect("a string grows");
        for offset in offsets {
            writeln!(out, "{offset:010} 00000 n ").expect("a string grows");
        }
        write!(
            out,
            "trailer\n<< /Size {} /Root 1 0 R /Info {} 0 R >>\nstartxref\n{start}\n%%EOF\n",
            objects.len() + 1,
            objects.len()
        )
        .expect("a string grows");
        out.into_bytes()
    }
}
