import { Server } from '@modelcontextprotocol/server';
import { resultOf, ToolRefusal } from './answer.ts';
import type { Api } from './api.ts';
import { callTool, toolsOf } from './tools.ts';

const INSTRUCTIONS =
  'Reads a vendor’s subscription billing: customers, contracts, invoices with their explanation, usage, plans, events and reports. Amounts are decimal text. It writes nothing: prepare_write gives the request that somebody may run.';

/** The tools of one connection. */
export function perennialServer(api: Api): Server {
  const server = new Server({ name: 'perennial', version: '0.1.0' }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', async () => ({ tools: toolsOf(await api.catalogue()) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    try {
      return resultOf(await callTool(api, params.name, params.arguments ?? {}));
    } catch (error) {
      if (error instanceof ToolRefusal) return resultOf([error.message], true);
      throw error;
    }
  });
  return server;
}
