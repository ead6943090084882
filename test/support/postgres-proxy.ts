import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Where a connection breaks: `sent`: COMMIT reaches Postgres and its answer doesn't come back; `unsent`: it doesn't
 * even get there.
 */
export type CommitCut = 'sent' | 'unsent';

const COMMIT = /Q[\s\S]{4}commit\0/i;
const COMMITTED = /C[\s\S]{4}COMMIT\0/;

/** A proxy of Postgres whose connections can be cut at the very COMMIT. Close it in `afterAll`. */
export class PostgresProxy {
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: { at: CommitCut; staysAway: boolean } | null = null;
  #lost: string | null = null;
  #isAway = false;
  #refused = 0;

  private constructor(databaseUrl: string) {
    this.#target = new URL(databaseUrl);
    this.#server = createServer((client) => this.#serve(client));
  }

  static async open(databaseUrl: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(databaseUrl);
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done));
    return proxy;
  }

  get databaseUrl(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Cuts the next connection that commits. `staysAway`: and all others, and takes none until `comesBack()`. */
  cutNextCommit(at: CommitCut, { staysAway = false } = {}): void {
    this.#cut = { at, staysAway };
  }

  /** Cuts the next connection that asks for a prepared statement, once Postgres has carried it out. */
  loseNextAnswer(statement: string): void {
    this.#lost = statement;
  }

  /** Whether the cut that was asked for has happened. */
  get hasCut(): boolean {
    return this.#cut === null && this.#lost === null;
  }

  /** Connections it has not taken, so far. */
  get refused(): number {
    return this.#refused;
  }

  comesBack(): void {
    this.#isAway = false;
  }

  /** Cuts every connection there is; new ones are taken. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((done) => this.#server.close(done));
  }

  #serve(client: Socket): void {
    this.#sockets.add(client);
    client.on('error', () => undefined);
    if (this.#isAway) {
      this.#refused += 1;
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    this.#sockets.add(server);
    server.on('error', () => undefined);
    let isCommitting = false;
    let isLost = false;
    client.on('data', (data) => {
      isLost ||= this.#lost !== null && data.toString('latin1').includes(this.#lost);
      if (this.#cut !== null && COMMIT.test(data.toString('latin1'))) {
        if (this.#cut.at === 'unsent') return this.#breakOff(client, server);
        isCommitting = true;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (isLost) this.#breakOff(client, server);
      else if (!isCommitting) client.write(data);
      else if (COMMITTED.test(data.toString('latin1'))) this.#breakOff(client, server);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  #breakOff(client: Socket, server: Socket): void {
    this.#isAway = this.#cut?.staysAway ?? false;
    this.#cut = null;
    this.#lost = null;
    if (this.#isAway) this.cutAll();
    client.destroy();
    server.destroy();
  }
}
