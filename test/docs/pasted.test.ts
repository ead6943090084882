import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../support/chromium.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A block of commands, and what stands under it as its answer. */
interface Pasted {
  commands: string;
  answer: string | null;
}

/** The blocks of a page, in order: commands in `sh`, their answer in the `text` block that follows. */
function blocksOf(page: string): Pasted[] {
  const fences = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }));
  return fences.flatMap(({ kind, text }, at): Pasted[] => {
    const next = fences[at + 1];
    return kind === 'sh' ? [{ commands: text, answer: next?.kind === 'text' ? next.text : null }] : [];
  });
}

const pageOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const sectionOf = (page: string, title: string): string => page.split(/^## /m).find((section) => section.startsWith(title)) ?? '';

/**
 * An answer as it is printed: `…` stands for anything, an id for any of its kind, and the usual address for this one.
 */
function patternOf(answer: string, baseUrl: string): RegExp {
  const escaped = answer
    .trim()
    .replaceAll('http://127.0.0.1:3000', baseUrl)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '_[0-9a-f-]{36}').replaceAll('…', '[^\\n]*')}$`);
}

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-pasted-'));
  const { baseUrl } = await servers();
  const { apiKey } = await newVendor('Demo vendor');
  mkdirSync(join(folder, '.perennial'));
  writeFileSync(join(folder, '.perennial/dev.json'), JSON.stringify({ base_url: baseUrl, api_key: apiKey }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Ends the output of a block. */
const MARK = '=== pasted ===';

/** Runs everything in one shell, as in a terminal that is never closed. */
async function paste(blocks: readonly Pasted[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const script = blocks.map(({ commands }) => `${commands}\necho '${MARK}'\n`).join('');
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env: { ...env, PATH }, timeout: 280_000 });
  return stdout.split(`${MARK}\n`).slice(0, -1);
}

/** A bare machine may have neither. */
const canPaste = ['bash', 'curl'].every((program) => findProgram([program]) !== null);

function pastes(): void {
  it('of the README and of docs/everyday.md, in one terminal, answers as it stands there', async () => {
    const tutorial = blocksOf(sectionOf(pageOf('README.md'), 'The first ten minutes'));
    const everyday = blocksOf(pageOf('docs/everyday.md'));
    expect([tutorial.length, everyday.length]).toEqual([9, 12]);
    const blocks = [...tutorial, ...everyday];
    const outputs = await paste(blocks);
    const { baseUrl } = await servers();
    for (const [at, { commands, answer }] of blocks.entries()) {
      const output = outputs[at]?.trim() ?? '';
      expect(`${commands}\n${output}`).not.toMatch(/"code":"\w+"/);
      if (answer === null) expect([commands, output]).toEqual([commands, '']);
      else expect(output).toMatch(patternOf(answer, baseUrl));
    }
    expect(readFileSync(join(folder, 'invoice.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('finds the copy that runs in the home the terminal names', async () => {
    mkdirSync(join(folder, 'second home'));
    writeFileSync(join(folder, 'second home/dev.json'), JSON.stringify({ base_url: 'http://127.0.0.1:4100', api_key: 'api_key_second' }));
    const [first] = blocksOf(sectionOf(pageOf('README.md'), 'The first ten minutes'));
    const shown = { commands: 'echo $API $KEY', answer: null };
    const outputs = await paste(first === undefined ? [] : [first, shown], { PERENNIAL_HOME: 'second home' });
    expect(outputs).toEqual(['', 'http://127.0.0.1:4100 api_key_second\n']);
  });
}

describe('what can be pasted', () => {
  if (canPaste) pastes();
  else it('is not tried: there is no bash or no curl on PATH', () => expect(canPaste).toBe(false));

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/everyday.md'])(
    '%s: has no remark behind a command, which zsh would hand over as words',
    (name) => {
      for (const { commands } of blocksOf(pageOf(name))) expect(commands).not.toMatch(/ #/);
    },
  );

  it.each(['README.md', 'docs/everyday.md'])('%s: names npm scripts and commands that there are', (name) => {
    const { scripts } = JSON.parse(pageOf('package.json')) as { scripts: Record<string, string> };
    const page = pageOf(name);
    for (const [, script = ''] of page.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
    for (const [, path = ''] of page.matchAll(/\]\((?!http)([^)#]+)/g)) expect(existsSync(join(ROOT, dirname(name), path))).toBe(true);
  });

  it.each(['README.md', 'Dockerfile', 'docker-compose.yml', 'cli/README.md', 'config/README.md'])(
    '%s: starts processes by bin/perennial.mjs alone, with words that it knows',
    (name) => {
      const page = pageOf(name);
      expect(page).not.toMatch(/\b(api|worker|cli)\/main\.ts|local-stack\/start\.ts/);
      const started = [...page.matchAll(/bin\/perennial\.mjs"?,? "?(\w+)/g)].map(([, word]) => word);
      for (const word of started) expect(['api', 'worker', 'cli']).toContain(word);
      if (/docker|README\.md$/i.test(name) && name !== 'config/README.md') expect(started.length).toBeGreaterThan(0);
    },
  );
});
