/* 図を一手ずつ見せる。ロックの規則はここにない。見せる値と文は、組み立てのときに Rust で演じた筋書き
   から埋め込まれたもので、ここでは data-slot の名前で写すだけである。 */
'use strict';
{
  /* 印刷用のページには本のすべての図がある。id を作らないので、図が増えても重ならない。 */
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  /* 一つの図の、横の形か縦の形。組み立てのときに付けた番号だけを見て、座標は読まない。まだ起きていない手の組を
     薄くし、カーソルを、手ごとに決められた所へ動かす。 */
  const form = (svg) => {
    const stops = svg.dataset.stops.split(' ').map(Number);
    const parts = [...svg.querySelectorAll('[data-step]')];
    const scroll = svg.closest('.tl-scroll');
    return (step) => {
      svg.classList.toggle('pl-on', step !== null);
      if (step === null) return;
      svg.classList.toggle('pl-end', step === stops.length - 1);
      svg.style.setProperty('--at', `${stops[step]}px`);
      for (const part of parts) {
        const at = Number(part.dataset.step);
        part.classList.toggle('pl-later', at > step);
        part.classList.toggle('pl-now', at === step && step > 0);
      }
      /* ページは動かさず、図の中だけを送る。 */
      if (!scroll || scroll.scrollWidth <= scroll.clientWidth) return;
      const shown = stops[step] - scroll.scrollLeft;
      if (shown < 110 || shown > scroll.clientWidth - 120) {
        scroll.scrollLeft += shown - scroll.clientWidth / 2;
      }
    };
  };

  /* 横に送っても、段の名前は左に残す。 */
  for (const scroll of document.querySelectorAll('.tl-forms .tl-scroll')) {
    const names = scroll.querySelector('.tl-names');
    scroll.addEventListener('scroll', () => {
      names.style.transform = `translateX(${scroll.scrollLeft}px)`;
      names.classList.toggle('pl-aside', scroll.scrollLeft > 0);
    });
  }

  const player = (script) => {
    const figure = script.closest('figure');
    const [live, tools] = ['.pl', '.tl-tools'].map((part) => figure.querySelector(part));
    const sides = JSON.parse(script.textContent);
    const drawings = [...figure.querySelectorAll('.tl-forms')];
    const cursors = [...figure.querySelectorAll('svg.tl')].map(form);
    const slots = [...live.querySelectorAll('[data-slot], [data-fact]')];
    const radios = [...live.querySelectorAll('[type="radio"]')];
    const last = sides[0].frames.length - 1;
    const clamp = (to) => Math.min(Math.max(to, 0), last);
    let [step, side, playing] = [0, 0, false];

    const go = (to, on = side) => {
      [step, side] = [clamp(to), on];
      show();
      const key = radios[side] ? `:${radios[side].value}` : '';
      place(`${figure.id}:${step}${key}`);
    };
    /* 履歴は増やさない。続けざまに書き換えると断るブラウザーがあるが、見るのに差し支えはない。 */
    const place = (fragment) => {
      const url = `${location.href.split('#')[0]}#${fragment}`;
      try { history.replaceState(null, '', url); } catch { return; }
    };
    const button = (textContent, to) => {
      const element = make('button', { type: 'button', textContent });
      /* disabled にすると焦点が失われ、キーボードで続けられない。 */
      const isEnd = () => clamp(to()) === step;
      element.addEventListener('click', () => { if (!isEnd()) go(to()); });
      return { element, update: () => element.setAttribute('aria-disabled', isEnd()) };
    };
    const buttons = [
      button('最初へ', () => 0), button('◀\uFE0E', () => step - 1),
      button('1手すすめる', () => step + 1), button('最後へ', () => last),
    ];
    const [, back, next] = buttons.map(({ element }) => element);
    back.setAttribute('aria-label', '1手もどす');
    next.className = 'pl-next';
    const slider = make('input', { type: 'range', min: 0, max: last, step: 1, autocomplete: 'off' });
    slider.addEventListener('input', () => go(Number(slider.value)));
    const count = make('span', { className: 'pl-count' });
    const close = make('button', { type: 'button', className: 'pl-close', textContent: '全体を見る' });
    const open = make('button', { type: 'button', className: 'pl-open', textContent: '一手ずつ見る' });
    const row = make('div', { className: 'pl-row' },
      make('div', { className: 'pl-buttons' }, ...buttons.map(({ element }) => element)),
      make('label', { className: 'pl-slider' },
        make('span', { className: 'visually-hidden', textContent: '手' }), slider),
      count, ...(tools ? [close] : []));
    live.querySelector('.pl-told').before(row);

    const show = () => {
      const { frames } = sides[side];
      const frame = { ...frames[step], closing: step === last ? sides[side].closing : '' };
      for (const slot of slots) {
        const { slot: name, fact, empty = '' } = slot.dataset;
        const text = (from) => String((fact ? from.facts[fact] : from[name]) ?? '') || empty;
        slot.textContent = text(frame);
        slot.classList.toggle('pl-changed', step > 0 && text(frame) !== text(frames[step - 1]));
        if (name === 'verdict') slot.dataset.good = String(frame.good ?? null);
        if (name === 'closing') slot.dataset.good = frame.closing && String(!sides[side].damaged);
      }
      buttons.forEach(({ update }) => update());
      slider.value = step;
      slider.setAttribute('aria-valuetext', `手 ${step} / ${last}、時刻 ${frame.time}`);
      count.textContent = `手 ${step} / ${last}`;
      radios.forEach((radio, index) => { radio.checked = index === side; });
      drawings.forEach((drawing, index) => { drawing.hidden = index !== side && drawings.length > 1; });
      cursors.forEach((cursor) => cursor(step));
    };
    const play = () => {
      [playing, live.hidden, open.hidden] = [true, false, true];
      figure.classList.add('pl-live');
      /* 図の地をクリックした焦点が本文に移ると、←/→ でページがめくられてしまう。 */
      figure.tabIndex = -1;
      show();
    };
    radios.forEach((radio, index) => radio.addEventListener('change', () => go(step, index)));
    open.addEventListener('click', () => { play(); go(0); next.focus(); });
    close.addEventListener('click', () => {
      [playing, live.hidden, open.hidden] = [false, true, false];
      figure.removeAttribute('tabindex');
      cursors.forEach((cursor) => cursor(null));
      place(figure.id);
      open.focus();
    });

    /* 切り替えの上でも ←/→ は手を動かす。切り替えは、ラジオボタンの ↑/↓ と Space でできる。 */
    figure.addEventListener('keydown', (event) => {
      if (!playing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.stopPropagation();
      if (event.target === slider) return;
      event.preventDefault();
      if (clamp(to) !== step) go(to);
    });

    /* `#図の id:手:切り替え` で、その手を指せる。 */
    const follow = () => {
      const [id, to, key] = location.hash.slice(1).split(/:|%3A/i);
      if (id !== figure.id || !/^\d+$/.test(to)) return;
      play();
      go(Number(to), Math.max(radios.findIndex((radio) => radio.value === key), 0));
      figure.focus({ preventScroll: true });
      figure.scrollIntoView({ behavior: 'instant' });
    };
    if (tools) tools.prepend(open); else play();
    follow();
    addEventListener('hashchange', follow);
  };
  document.querySelectorAll('script.frames').forEach(player);
}
