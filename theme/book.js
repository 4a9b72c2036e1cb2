/* 目次の開閉、配色、今のページの印、←/→ でのページめくり。 */
'use strict';
{
  const toc = document.getElementById('toc');
  const toggle = document.getElementById('toc-toggle');
  const here = location.href.split(/[?#]/)[0].replace(/\/$/, '/index.html');
  for (const link of toc.querySelectorAll('a')) {
    if (link.href === here || (here.endsWith('/index.html') && link === toc.querySelector('a'))) {
      link.setAttribute('aria-current', 'page');
    }
  }
  const open = (wanted) => {
    toc.classList.toggle('open', wanted);
    toggle.setAttribute('aria-expanded', String(wanted));
  };
  toggle.addEventListener('click', () => open(!toc.classList.contains('open')));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && toc.classList.contains('open')) {
      open(false);
      toggle.focus();
    }
  });

  const select = document.getElementById('theme-select');
  const root = document.documentElement;
  select.value = root.dataset.theme;
  select.addEventListener('change', () => {
    root.dataset.theme = select.value;
    try { localStorage.setItem('theme', select.value); } catch { /* 覚えられなくても、このページでは効く。 */ }
  });

  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    if (event.target !== document.body && event.target.id !== 'content') return;
    const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
    const link = rel && document.querySelector(`.turn [rel="${rel}"]`);
    if (link) location.href = link.href;
  });
}
