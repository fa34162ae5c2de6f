//! Comma-separated values: quoting by RFC 4180.

/// Formats a row without its line end; fields are quoted only if necessary.
pub fn line<T: AsRef<str>>(fields: impl IntoIterator<Item = T>) -> String {
    let field = |text: &str| {
        let is_odd = text.contains([',', '"', '\n', '\r']);
        if is_odd { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    };
    fields.into_iter().map(|text| field(text.as_ref())).collect::<Vec<_>>().join(",")
}

/// Formats a row with its line end.
pub fn row<T: AsRef<str>>(fields: impl IntoIterator<Item = T>) -> String {
    line(fields) + "\n"
}

/// Returns the rows of a text with the lines they begin at. Quoted fields may contain commas, line breaks and doubled quotes.
pub fn rows(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut rows = Vec::new();
    let mut begin = 1;
    let mut line = 1;
    let mut row = Vec::new();
    let mut field = String::new();
    let mut is_quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if is_quoted && rest.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut field).trim_end_matches('\r').to_owned());
                rows.push((begin, std::mem::take(&mut row)));
                begin = line;
            }
            _ => field.push(c),
        }
    }
    if !row.is_empty() || !field.is_empty() {
        row.push(field);
        rows.push((begin, row));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_quotes_gets_them_and_nothing_else() {
        let text = row(["minimax:4", "heuristic:4@0.1,0.2", "say \"go\"", ""]);
        assert_eq!(text, "minimax:4,\"heuristic:4@0.1,0.2\",\"say \"\"go\"\"\",\n");
    }

    #[test]
    fn fields_may_hold_what_separates_them() {
        let fields = |text: &str| rows(text).into_iter().map(|(_, row)| row).collect::<Vec<_>>();
        assert_eq!(fields("a,\"b,\"\"c\"\"\nd\",e\r\n"), [["a", "b,\"c\"\nd", "e"]]);
        assert_eq!(fields("\"\"\"\",\"\"\nx,y"), [["\"", ""], ["x", "y"]]);
    }

    proptest::proptest! {
        #[test]
        fn every_row_comes_back(fields in proptest::collection::vec("[a-c,\"\n]{1,6}", 1..4)) {
            proptest::prop_assert_eq!(rows(&row(&fields)), vec![(1, fields)]);
        }
    }
}
