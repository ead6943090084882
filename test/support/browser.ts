import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from './eventually.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium on this machine, null when there is none. */
export const findChromium = (): string | null => findProgram(NAMES);

/** The path of the first of some programs that this machine has, null when it has none. */
export function findProgram(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isRunnable) ?? null;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A page of a browser without a window, as wide and as high as was asked for. */
export interface BrowserPage {
  open(address: string): Promise<void>;
  /** The value of an expression in the page; a promise is waited for. */
  read<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

interface Size {
  width: number;
  height: number;
}

/** Starts a Chromium for one page. Close it in `afterAll`. */
export async function openPage(chromium: string, { width, height }: Size): Promise<BrowserPage> {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-browser-'));
  const root = userInfo().uid === 0 ? ['--no-sandbox'] : [];
  const flags = ['--headless=new', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--remote-debugging-port=0', ...root];
  const running = spawn(chromium, [...flags, `--user-data-dir=${folder}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = async (): Promise<void> => {
    const gone = new Promise((resolve) => running.once('exit', resolve));
    if (running.exitCode === null && running.kill('SIGKILL')) await gone;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await debuggingPort(running);
    const calls = await Calls.of(await eventually(() => addressOfPage(port)));
    await calls.make('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 2, mobile: true });
    await calls.make('Page.enable', {});
    return pageOf(calls, end);
  } catch (error) {
    await end();
    throw error;
  }
}

function pageOf(calls: Calls, end: () => Promise<void>): BrowserPage {
  const read = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await calls.make<{ result: { value: T }; exceptionDetails?: { text: string } }>(
      'Runtime.evaluate',
      {
        expression,
        awaitPromise: true,
        returnByValue: true,
      },
    );
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  };
  return {
    read,
    open: async (address) => {
      const { errorText } = await calls.make<{ errorText?: string }>('Page.navigate', { url: address });
      if (errorText !== undefined) throw new Error(`${address}: ${errorText}`);
      await eventually(async () => expect(await read('document.readyState')).toBe('complete'));
    },
    close: async () => {
      calls.close();
      await end();
    },
  };
}

/** Chromium says on its error stream where it can be spoken to. */
function debuggingPort({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    stderr?.setEncoding('utf8');
    stderr?.on('data', (text: string) => {
      said += text;
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
      if (port !== undefined) resolve(port);
    });
    stderr?.once('end', () => reject(new Error(`Chromium did not start:\n${said}`)));
  });
}

async function addressOfPage(port: string): Promise<string> {
  const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { type: string; webSocketDebuggerUrl: string }[];
  const page = list.find(({ type }) => type === 'page');
  if (page === undefined) throw new Error('the browser has no page yet');
  return page.webSocketDebuggerUrl;
}

/** Calls of the browser's debugging protocol, each with its answer. */
class Calls {
  readonly #socket: WebSocket;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  #count = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
      const call = id === undefined ? undefined : this.#open.get(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error.message));
    });
  }

  static async of(address: string): Promise<Calls> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error(`${address} does not answer`)), { once: true });
    });
    return new Calls(socket);
  }

  make<R>(method: string, params: object): Promise<R> {
    this.#count += 1;
    const call = Promise.withResolvers<unknown>();
    this.#open.set(this.#count, call);
    this.#socket.send(JSON.stringify({ id: this.#count, method, params }));
    return call.promise as Promise<R>;
  }

  close(): void {
    this.#socket.close();
  }
}
