import { type AddressInfo, createServer, type Socket } from 'node:net';
import { anyFreePort } from '../../local-stack/ports.ts';

/** A server that answers nobody. */
export interface SilentServer {
  readonly address: string;
  /** Connections that it has taken so far. */
  taken(): number;
  close(): Promise<void>;
}

/** One that takes connections and says nothing. */
export async function silentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    taken: () => sockets.length,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The address of a server that isn't there. */
export async function closedPort(): Promise<SilentServer> {
  return { address: `127.0.0.1:${await anyFreePort()}`, taken: () => 0, close: async () => undefined };
}
