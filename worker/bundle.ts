import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, type WorkerOptions } from '@temporalio/worker';

const ROOT = join(import.meta.dirname, '..');
/** Inside `node_modules`, so that a new install makes a new bundle. */
const CACHE_FOLDER = join(ROOT, 'node_modules', '.cache', 'perennial');
const BUNDLED_FOLDERS = ['workflows', 'billing'];
const MAP_BEGINS = ';base64,';
/** What the bundle is made from. */
export const WORKFLOW_SOURCES = {
  workflowsPath: join(ROOT, 'workflows', 'index.ts'),
  workflowInterceptorModules: [join(ROOT, 'workflows', 'trace-context.ts')],
  preloadModules: [join(ROOT, 'workflows', 'stack-traces.ts')],
};

/**
 * The workflows as one file. It is made once for each state of its source folders, which takes seconds; later starts
 * read it in milliseconds, and a container image can contain it.
 */
export async function workflowBundle(): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  const codePath = join(CACHE_FOLDER, `workflows-${await fingerprint()}.js`);
  if (!(await exists(codePath))) await build(codePath);
  return { codePath };
}

/** Names this code: a workflow that reads another name continues as new. */
export const bundleName = (): Promise<string> => fingerprint();

async function build(codePath: string): Promise<void> {
  const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const { code } = await bundleWorkflowCode({ ...WORKFLOW_SOURCES, logger: silent });
  await mkdir(CACHE_FOLDER, { recursive: true });
  // another process may do the same: the last rename leaves the same content
  const draft = `${codePath}.${process.pid}`;
  await writeFile(draft, withoutSources(code));
  await rename(draft, codePath);
}

/**
 * Stack traces need names and lines alone. The SDK keeps the bundle and its map once for each worker and once more in
 * its thread.
 */
export function withoutSources(code: string): string {
  const at = code.indexOf(MAP_BEGINS, code.lastIndexOf('//# sourceMappingURL=')) + MAP_BEGINS.length;
  const { sourcesContent: _, ...map } = JSON.parse(Buffer.from(code.slice(at), 'base64').toString());
  return `${code.slice(0, at)}${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(ROOT, 'node_modules', '@temporalio', 'worker', 'package.json')));
  for (const folder of BUNDLED_FOLDERS) {
    const files = await readdir(join(ROOT, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      hash.update(file).update(await readFile(join(ROOT, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
