// 作業木の写し。試験が原稿を書き換えても、本物には触れない。
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './site.mjs';

const parts = ['book.toml', 'book', 'theme', 'crates', 'tests/tests'];

/** 本を組む道具。 */
export const workbook = process.env.WORKBOOK ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug/workbook');

/** 一時の場所に写す。試験の終わりに消える。 */
export async function copy(t) {
  if (!existsSync(workbook)) throw new Error(`${workbook} がない。cargo build -p workbook で作る。`);
  const folder = await mkdtemp(join(tmpdir(), 'workbook-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
  return folder;
}
