import type { Temporal } from './temporal.ts';

/** All texts of what the server holds of a workflow: bytes of payloads too, which JSON would hide. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Of every workflow that a query finds: the histories of its runs, and what is shown of them. */
export async function heldOf({ client }: Temporal, query: string): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const [history, { raw }] = [await handle.fetchHistory(), await handle.describe()];
    held.set(workflowId, textsOf([held.get(workflowId) ?? '', history, raw]).join('\n'));
  }
  return held;
}
