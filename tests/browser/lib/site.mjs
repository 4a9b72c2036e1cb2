// 組み上がった本を、手元だけに配る。
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const folder = process.env.BOOK ?? join(root, 'target/book');
export const file = (path) => pathToFileURL(join(folder, path)).href;

const kinds = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.json': 'application/json',
};

/** 127.0.0.1 の空いているポートで配る。`close()` で終わる。 */
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const target = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const found = target.startsWith(folder) && await stat(target).catch((error) => { if (['ENOENT', 'ENOTDIR'].includes(error.code)) return null; throw error; });
    if (!found?.isFile()) return response.writeHead(404).end();
    // 配る先(GitHub Pages など)と同じく、縮めて送る。重さの試験は、この大きさを数える。
    response.writeHead(200, { 'content-type': kinds[extname(target)] ?? 'application/octet-stream', 'content-encoding': 'gzip' });
    createReadStream(target).pipe(createGzip()).pipe(response);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${server.address().port}/`;
  return { base, close: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }) };
}
