import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { endProcess, identityOf, isSame } from './process-identity.ts';

type Member = { pid: number; identity: string; stopSignal: NodeJS.Signals };
type RunFile = { supervisor: Member; children: Record<string, Member> };

const RUN_FILE = 'run.json';
/** Stopped in this order, so that no part loses a server that it still uses. */
const STOP_ORDER = ['api', 'worker', 'temporal', 'postgres'];

/** The folder of one copy of Perennial: data, chosen ports, secrets, and the processes that run on it. */
export type Home = {
  path: string;
  file(name: string): string;
  logFile(name: string): string;
  readJson<T>(name: string, absent: T): Promise<T>;
  writeJson(name: string, value: unknown): Promise<void>;
  /** A random text, made once and saved, readable by its owner alone. */
  savedSecret(name: string): Promise<string>;
  noteChild(name: string, pid: number, stopSignal: NodeJS.Signals): Promise<void>;
  release(): Promise<void>;
};

/**
 * Takes a home for this process. What a killed predecessor left running is stopped first, in order.
 *
 * @throws Error with the pid when another copy runs on it
 */
export async function takeHome(path: string, log: Log): Promise<Home> {
  await makeWritable(join(path, 'logs'), path, 'PERENNIAL_HOME');
  const home = homeAt(path);
  await takeRunFile(home, log);
  return home;
}

/**
 * Makes a folder, and makes sure that files can be made in it: an existing one may be closed to us.
 *
 * @throws Error that names the variable which chooses another one than `of`
 */
export async function makeWritable(folder: string, of: string, variable: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const one of new Set([of, folder])) await access(one, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`The folder ${of} can't be written (${code}). Choose another one with ${variable}.`, { cause: error });
  }
}

export function homeAt(path: string): Home {
  const file = (name: string): string => join(path, name);
  let children: Record<string, Member> = {};
  // Two children may be noted at the same time; writes follow one another.
  let writing: Promise<void> = Promise.resolve();
  const home: Home = {
    path,
    file,
    logFile: (name) => join(path, 'logs', `${name}.log`),
    readJson: async (name, absent) => JSON.parse((await readIfThere(file(name))) ?? JSON.stringify(absent)),
    writeJson: (name, value) => writeWhole(file(name), `${JSON.stringify(value, null, 2)}\n`),
    savedSecret: async (name) => {
      const saved = await readIfThere(file(name));
      if (saved !== null) return saved.trim();
      const fresh = randomBytes(32).toString('hex');
      await writeWhole(file(name), `${fresh}\n`);
      return fresh;
    },
    noteChild: (name, pid, stopSignal) => {
      writing = writing.then(async () => {
        const identity = await identityOf(pid);
        if (identity === null) return;
        children = { ...children, [name]: { pid, identity, stopSignal } };
        await home.writeJson(RUN_FILE, { supervisor: await self(), children } satisfies RunFile);
      });
      return writing;
    },
    release: () => rm(file(RUN_FILE), { force: true }),
  };
  return home;
}

async function takeRunFile(home: Home, log: Log): Promise<void> {
  const mine: RunFile = { supervisor: await self(), children: {} };
  if (await createOnce(home.file(RUN_FILE), JSON.stringify(mine))) return;
  const { supervisor, children } = await readRunFile(home);
  if (supervisor && (await isSame(supervisor.pid, supervisor.identity))) {
    throw new Error(
      `${home.path} is in use by a running copy (process ${supervisor.pid}). Stop that one, or set PERENNIAL_HOME and PORT for a second one.`,
    );
  }
  await stopLeftovers(children, log);
  await rm(home.file(RUN_FILE), { force: true });
  if (!(await createOnce(home.file(RUN_FILE), JSON.stringify(mine)))) {
    throw new Error(`${home.path} has just been taken by another copy.`);
  }
}

async function stopLeftovers(children: Record<string, Member>, log: Log): Promise<void> {
  for (const name of STOP_ORDER) {
    const child = children[name];
    if (!child || !(await isSame(child.pid, child.identity))) continue;
    log(`Stopping ${name} (process ${child.pid}), left over from a copy that was killed`);
    await endProcess(child.pid, child.identity, child.stopSignal, 15_000);
  }
}

/** A run file cut short by a crash says nothing about leftovers; Postgres and Temporal guard their own files. */
async function readRunFile(home: Home): Promise<Partial<RunFile> & Pick<RunFile, 'children'>> {
  try {
    return await home.readJson<RunFile>(RUN_FILE, { children: {} } as unknown as RunFile);
  } catch (error) {
    if (error instanceof SyntaxError) return { children: {} };
    throw error;
  }
}

async function self(): Promise<Member> {
  return { pid: process.pid, identity: (await identityOf(process.pid)) ?? '', stopSignal: 'SIGTERM' };
}

async function createOnce(path: string, content: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.writeFile(content);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Never leaves half a file behind. */
async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, path);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
