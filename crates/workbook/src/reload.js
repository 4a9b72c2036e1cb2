// 手元のサーバーだけが足すスクリプト。組まれた本には入らない。
(() => {
  // 番地には、このページがどの組み直しのものかが入っている。
  const events = new EventSource(document.currentScript.dataset.events);
  let lost = false;
  events.onerror = () => { lost = true; };
  // つながり直したのは、サーバーが起動し直されたから。新しいコードの本を読み込む。
  events.onopen = () => { if (lost) location.reload(); };
  events.addEventListener("reload", () => location.reload());
  events.addEventListener("notice", (event) => {
    let toast = document.getElementById("workbook-notice");
    if (!toast) {
      toast = document.createElement("p");
      toast.id = "workbook-notice";
      toast.setAttribute("role", "status");
      toast.style.cssText = "position:fixed;right:1rem;bottom:1rem;z-index:1000;margin:0;"
        + "padding:.5rem 1rem;background:#222;color:#fff;font-size:1.4rem";
      document.body.append(toast);
    }
    toast.textContent = event.data;
  });
})();
