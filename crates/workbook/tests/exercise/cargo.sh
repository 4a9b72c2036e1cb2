#!/bin/sh
# 試験のための cargo の代わり。答えの `//!` を除いた残りを、シェルの筋書きとして実行ファイルにする。
# 答えに「コンパイルエラー」とあれば、組み立てに失敗する。
status=0
tests=
while [ $# -gt 0 ]; do
    case "$1" in
        --manifest-path) root=$(dirname "$2"); shift ;;
        --test) tests="$tests $2"; shift ;;
    esac
    shift
done
programs="$root/target/programs"
mkdir -p "$programs"
echo "$tests" >> "$root/target/built"
if [ -e "$root/broken" ]; then
    echo "error: 検査のクレートの誤り" >&2
    exit 101
fi
[ -e "$root/slow" ] && sleep "$(cat "$root/slow")"
echo '{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"exercises"},"executable":null}'
for test in $tests; do
    reader=$(echo "$root"/crates/*/readers/"$test.rs")
    answer=$(dirname "$reader")/$(sed -n 's/^#\[path = "\(.*\)"\]$/\1/p' "$reader")
    if grep -q コンパイルエラー "$answer"; then
        echo "error: $test の誤り" >&2
        status=101
        continue
    fi
    rm -f "$programs/$test"
    { echo '#!/bin/sh'; grep -v '^//!' "$answer"; } > "$programs/$test"
    chmod +x "$programs/$test"
    echo '{"reason":"compiler-artifact","target":{"kind":["test"],"name":"'"$test"'"},"executable":"'"$programs/$test"'"}'
done
exit $status
