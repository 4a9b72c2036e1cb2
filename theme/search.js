/* 本の中を探す。索引は、初めて開いたときにだけ読む。飛んだ先では、見つかった所に印をつける。 */
'use strict';
{
  const $ = (id) => document.getElementById(id);
  const [box, toggle, input, status, list] = ['', '-toggle', '-input', '-status', '-results'].map((name) => $(`search${name}`));
  const main = $('content');
  const SHOWN = 20;

  /* ── 比べ方 ── 全角と半角、大文字と小文字、語の終わりの長音、和字の隣の空白、max_token と maxToken を区別しない。 */
  const fold = (text) => text.normalize('NFKC');
  const WIDE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u;
  const KANA = /[ァ-ヺ]/;
  const either = (c) => {
    const [low, up] = [c.toLowerCase(), c.toUpperCase()];
    return low !== up && low.length === up.length ? `[${low}${up}]` : c.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  };

  /* 一つの言葉を正規表現にする。英字の言葉は、語か、識別子の中の語の頭からだけ当てる(lock で block を拾わない)。 */
  function pattern(term) {
    const letters = [...term];
    const parts = letters.map((c, i) => {
      const [before, after] = [letters[i - 1] ?? '', letters[i + 1] ?? ''];
      const gap = before && (WIDE.test(before) || WIDE.test(c)) ? ' ?' : '';
      const ends = !KANA.test(after) && after !== 'ー';
      if (c === 'ー' && KANA.test(before) && ends) return after ? 'ー?' : '(?:ー|(?![ァ-ヺー]))';
      if (KANA.test(c) && ends) return `${gap}${c}ー?`;
      if (c === '_' && before && after) return '_?';
      if (i === 0 && /[a-z]/i.test(c)) return `(?:(?<![A-Za-z0-9])${either(c)}|(?<=[a-z0-9])${c.toUpperCase()})`;
      if (i === 0 && /\d/.test(c)) return `(?<!\\d)${c}`;
      return (/[a-z]/.test(before) && /[A-Z]/.test(c) ? '_?' : gap) + either(c);
    });
    return new RegExp(parts.join(''), 'gu');
  }

  const patterns = (query) => [...new Set(fold(query).split(/\s+/).filter(Boolean))].map(pattern);
  const has = (text, one) => text.search(one) >= 0;

  /* 見つかった範囲を、元の文字列での位置で返す。重なりと隣り合わせは、一つにまとめる。lines なら、行をまたがせない。 */
  function ranges(text, all, lines = true) {
    const [folded, starts, ends] = trace(text, lines);
    const found = all.flatMap((one) => [...folded.matchAll(one)].map((hit) => [hit.index, hit.index + hit[0].length]));
    const merged = [];
    for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
      if (merged.length && start <= merged.at(-1)[1]) merged.at(-1)[1] = Math.max(end, merged.at(-1)[1]);
      else merged.push([start, end]);
    }
    return starts ? merged.map(([start, end]) => [starts[start], ends[end - 1]]) : merged;
  }

  /* 揃えた文字列と、その各字の元の位置。揃えても変わらないなら、位置は要らない。 */
  function trace(text, lines) {
    if (fold(text) === text && !/\s\s|[\r\n]/.test(text)) return [text];
    const [starts, ends] = [[], []];
    let folded = '';
    for (const { 0: piece, index } of text.matchAll(/\s+|\S[\p{M}ﾞﾟ]*/gu)) {
      const letters = piece.trim() ? fold(piece) : lines && piece.includes('\n') ? '\n' : ' ';
      folded += letters;
      for (let i = 0; i < letters.length; i++) {
        starts.push(index);
        ends.push(index + piece.length);
      }
    }
    return [folded, starts, ends];
  }

  /* ── 索引 ── 読めたら、探す相手を一列に並べておく。file:// でも読めるように、スクリプトとして読む。 */
  let index;
  const load = () => index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = box.dataset.index;
    script.onload = () => resolve(window.searchData.flatMap(([path, title, sections]) => sections.map(([id, heading, text]) =>
      ({ path, title, id, heading, text, folded: [title, heading, text].map(fold) }))));
    script.onerror = () => { index = undefined; script.remove(); reject(); };
    document.head.append(script);
  });

  /* 見出しに当たったもの、章と見出しに分かれて当たったもの、本文に当たったもの。それぞれの中は、本の順。 */
  function find(entries, all) {
    const ranks = [[], [], []];
    for (const entry of entries) {
      const [title, heading, text] = entry.folded;
      const inHeading = all.map((one) => has(heading, one));
      if (inHeading.every(Boolean)) ranks[0].push(entry);
      else if (inHeading.some(Boolean) && all.every((one, i) => inHeading[i] || has(title, one))) ranks[1].push(entry);
      else if (all.every((one, i) => inHeading[i] || has(text, one))) ranks[2].push(entry);
    }
    return ranks.flat();
  }

  /* ── 結果 ── */
  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };

  /* 見つかった所を <mark> で囲んだ文字列。 */
  function marked(text, all, from = 0, to = text.length) {
    const pieces = [];
    let done = from;
    for (const [start, end] of ranges(text, all)) {
      if (start < from || end > to) continue;
      pieces.push(text.slice(done, start), element('mark', '', text.slice(start, end)));
      done = end;
    }
    return [...pieces, text.slice(done, to)].map((piece) => typeof piece === 'string' ? piece.replaceAll('\t', ' | ') : piece);
  }

  /* 言葉がいちばん多く揃う段落の、初めの当たりの前後。コードや表の短い行では、隣の行も見せる。 */
  function context(text, all) {
    const blocks = text.split('\n');
    const counts = blocks.map((block) => all.filter((one) => has(fold(block), one)).length);
    const at = counts.indexOf(Math.max(...counts));
    const block = blocks[at].length < 40 ? blocks.slice(Math.max(at - 1, 0), at + 2).join('\n') : blocks[at];
    const [start, end] = ranges(block, all)[0] ?? [0, 0];
    /* 遠ければ、手前の句読点か空白から始める。 */
    const near = start > 40 ? start - 30 : 0;
    const from = near && near + 1 + Math.max(block.slice(near, start - 6).search(/[。、\s]/), 0);
    const to = Math.min(block.length, Math.max(from + 90, end));
    return [from ? '…' : '', ...marked(block, all, from, to), to < block.length ? '…' : ''];
  }

  function result(entry, all, query) {
    const link = element('a', '',
      element('span', 'chapter', ...(entry.title.endsWith(entry.heading) ? [] : marked(entry.title, all))),
      element('span', 'heading', ...marked(entry.heading || entry.title, all)),
      element('span', 'context', ...context(entry.text, all)));
    link.href = `${box.dataset.root}${entry.path}?q=${encodeURIComponent(query)}#${encodeURIComponent(entry.id)}`;
    return element('li', '', link);
  }

  /* 変換の途中に索引が読めても、途中の字では探さない。 */
  let query = '';
  function show(entries) {
    const all = patterns(query);
    const found = all.length ? find(entries, all) : [];
    list.replaceChildren(...found.slice(0, SHOWN).map((entry) => result(entry, all, query)));
    if (!all.length) status.textContent = '';
    else if (!found.length) status.textContent = '見つからない。別の言葉で探す。';
    else if (found.length <= SHOWN) status.textContent = `${found.length} 件`;
    else status.textContent = `${found.length} 件のうち、初めの ${SHOWN} 件。言葉を足すと絞り込める。`;
  }

  const search = () => {
    query = input.value.trim();
    load().then(show, () => { status.textContent = '索引を読めない。ページを読み直してから、もう一度探す。'; });
  };

  /* ── 開け閉め ── */
  let opener;
  function open() {
    if (!box.hidden) return input.select();
    opener = document.activeElement === document.body ? toggle : document.activeElement;
    if ($('toc').classList.contains('open')) $('toc-toggle').click();
    box.hidden = false;
    toggle.setAttribute('aria-expanded', 'true');
    input.value ||= words ?? '';
    input.focus();
    input.select();
    search();
  }

  function close(back) {
    box.hidden = true;
    toggle.setAttribute('aria-expanded', 'false');
    if (back) (opener?.isConnected ? opener : toggle).focus();
  }

  /* 変換の途中の鍵は、変換のもの。Safari は、変換を決める Enter を 229 で知らせる。 */
  const composing = (event) => event.isComposing || event.keyCode === 229;
  const writes = (target) => target.closest('input, textarea, select, [contenteditable]');

  toggle.addEventListener('click', () => box.hidden ? open() : close(true));
  input.addEventListener('input', (event) => { if (!event.isComposing) search(); });
  input.addEventListener('compositionend', search);
  list.addEventListener('click', (event) => { if (event.target.closest('a')) close(false); });
  box.addEventListener('focusout', ({ relatedTarget: next }) => { if (next && next !== toggle && !box.contains(next)) close(false); });
  document.addEventListener('pointerdown', ({ target }) => { if (!box.hidden && !box.contains(target) && !toggle.contains(target)) close(false); });

  box.addEventListener('keydown', (event) => {
    if (composing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && links.length) {
      event.preventDefault();
      (at + move < 0 ? input : links[Math.min(at + move, links.length - 1)]).focus();
    } else if (event.key === 'Enter' && event.target === input && links.length) {
      event.preventDefault();
      links[0].click();
    }
  });

  /* 一つの Esc が二つのものを閉じないように、目次(book.js)より先に聞く。 */
  document.addEventListener('keydown', (event) => {
    if (composing(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '/' && !writes(event.target)) {
      event.preventDefault();
      open();
    } else if (event.key === 'Escape' && !box.hidden) {
      /* 欄の中の言葉は残す。 */
      event.preventDefault();
      event.stopImmediatePropagation();
      close(true);
    } else if (event.key === 'Escape' && words && !$('toc').classList.contains('open')) {
      clear();
    }
  }, true);

  /* ── 飛んだ先 ── 文の切れ目と、読み飛ばすものは、crates/workbook/src/search.rs とそろえる。 */
  const BLOCKS = 'blockquote, br, dd, details, div, dl, dt, figcaption, figure, h1, h2, h3, h4, h5, h6, hr, li, ol, p, pre, section, summary, table, tbody, td, tfoot, th, thead, tr, ul';
  const SKIPPED = 'button, script, style, svg, template, [hidden], [data-unsearched]';
  let words = new URLSearchParams(location.search).get('q')?.trim() || null;

  function read(node, blocks = [[]]) {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) blocks.at(-1).push(child);
      else if (child.nodeType === Node.ELEMENT_NODE && !child.matches(SKIPPED)) {
        const cuts = child.matches(BLOCKS);
        if (cuts) blocks.push([]);
        read(child, blocks);
        if (cuts) blocks.push([]);
      }
    }
    return blocks;
  }

  /* 要素をまたぐ当たりは、文字の節ごとに分けて囲む。前の位置がずれないように、後ろから囲む。 */
  function mark(nodes, all) {
    const text = nodes.map((node) => node.data).join('');
    const found = ranges(text, all, Boolean(nodes[0].parentElement.closest('pre')));
    const kinds = found.length && all.filter((one) => has(fold(text), one)).length;
    let end = nodes.reduce((sum, node) => sum + node.length, 0);
    for (const node of nodes.toReversed()) {
      const start = end - node.length;
      for (const [from, to] of found.toReversed()) {
        if (to <= start || from >= end) continue;
        const range = document.createRange();
        range.setStart(node, Math.max(from, start) - start);
        range.setEnd(node, Math.min(to, end) - start);
        range.surroundContents(Object.assign(element('mark', 'hit'), { kinds }));
      }
      end = start;
    }
    return found.length;
  }

  const marks = () => [...main.querySelectorAll('mark.hit')];

  /* 見出しの節の中の、言葉がいちばん多く揃う段落の初めの印へ。畳まれた中にあれば、開く。見出しでない断片(図の手など)には、手を出さない。 */
  function jump() {
    const place = $(decodeURIComponent(location.hash.slice(1)));
    if (location.hash && !place?.matches('h1, h2, h3, h4, h5, h6')) return;
    const after = (a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
    const next = place && [...main.querySelectorAll('h1, h2, h3, h4, h5, h6')].find((heading) => after(place, heading) && !place.contains(heading));
    const all = marks().filter((one) => !place || after(place, one) && !(next && after(next, one)));
    const most = Math.max(...all.map(({ kinds }) => kinds));
    const here = all.find(({ kinds }) => kinds === most) ?? place;
    for (let fold = here?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    here?.scrollIntoView({ block: here === place ? 'start' : 'center', behavior: 'instant' });
  }

  function clear() {
    words = null;
    $('search-marks')?.remove();
    for (const one of marks()) {
      const parent = one.parentNode;
      one.replaceWith(...one.childNodes);
      parent.normalize();
    }
    /* 読み直したときに、また印がつかないようにする。file:// では断られることがある。 */
    try { history.replaceState(null, '', location.pathname + location.hash); } catch { /* 次に読み直すまでは消えている。 */ }
  }

  if (words) {
    const all = patterns(words);
    const count = read(main).reduce((sum, nodes) => sum + (nodes.length ? mark(nodes, all) : 0), 0);
    const button = element('button', '', '印を消す');
    button.type = 'button';
    button.addEventListener('click', () => { clear(); main.focus({ preventScroll: true }); });
    const strip = element('section', 'search-marks', element('span', '', `「${words}」 ${count} か所`), button);
    strip.id = 'search-marks';
    strip.ariaLabel = '探した言葉の印';
    main.after(strip);
    if (count) {
      addEventListener('load', () => setTimeout(jump));
      addEventListener('hashchange', () => { if (words) jump(); });
    }
  }
}
