import type { Client } from '@temporalio/client';
import type { Instant } from '../billing/calendar/instant.ts';

/**
 * Which of these workflows don't run. Temporal's list lags a little behind, so a workflow that is missing from the list
 * is looked up by its id.
 */
export async function notRunning(client: Client, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const listed = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query: `ExecutionStatus = 'Running'` })) listed.add(workflowId);
  const missing: string[] = [];
  for (const id of ids) {
    if (!listed.has(id) && !(await isRunning(client, id))) missing.push(id);
  }
  return missing;
}

/** The workflows of a type that run since this instant or a later one. Temporal's list lags a little behind. */
export async function startedSince(client: Client, workflow: string, at: Instant): Promise<Set<string>> {
  const query = `ExecutionStatus = 'Running' and WorkflowType = '${workflow}' and StartTime >= '${new Date(at).toISOString()}'`;
  const ids = new Set<string>();
  for await (const { workflowId } of client.workflow.list({ query })) ids.add(workflowId);
  return ids;
}

async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return false;
    throw error;
  }
}
