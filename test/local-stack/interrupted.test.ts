import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { isInterrupted } from '../../temporal/interrupted.ts';

const raw = (bytes: Buffer): Buffer => bytes;
const SERVICE = {
  describeNamespace: {
    path: '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace',
    ...{ requestStream: false, responseStream: false },
    ...{ requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw },
  },
};

/** Refuses with these words in turn, the last ones again and again; empty: it answers. */
async function askedOf(refusals: readonly string[]): Promise<boolean> {
  const left = [...refusals];
  const server = new Server();
  server.addService(SERVICE, {
    describeNamespace: (_call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
      const details = (left.length > 1 ? left.shift() : left[0]) ?? '';
      if (details === '') done(null, Buffer.alloc(0));
      else done({ code: status.UNAVAILABLE, details });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  try {
    return await isInterrupted({ address: `127.0.0.1:${port}`, namespace: 'default' });
  } finally {
    server.forceShutdown();
  }
}

describe('a Temporal server', () => {
  const interrupted = 'GetNamespace operation failed. Error interrupted (9)';

  it('is stuck while each look finds its database interrupted', async () => {
    expect(await askedOf([interrupted])).toBe(true);
  });

  it('is not where one request was interrupted, where it answers, is frozen for another reason, or away', async () => {
    expect(await askedOf([interrupted, ''])).toBe(false);
    expect(await askedOf([''])).toBe(false);
    expect(await askedOf(['GetNamespace operation failed. Error database is locked (5)'])).toBe(false);
    expect(await isInterrupted({ address: '127.0.0.1:9', namespace: 'default' })).toBe(false);
  });
});
