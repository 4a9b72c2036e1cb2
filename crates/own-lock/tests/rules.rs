//! 規則の表。本のページに載せる。

use own_lock::Rule;

#[test]
fn the_table_of_the_rules_is_pinned() {
    let row = |rule: Rule| format!("| {} | {} |\n", rule.name(), rule.symptom());
    let rows: String = Rule::ALL.into_iter().map(row).collect();
    insta::assert_snapshot!(
        "table",
        format!("| 規則 | 破れると、運用で気づくこと |\n|---|---|\n{rows}")
    );
}
