import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Answer } from './api.ts';

/** The longest text of one answer, in characters. */
export const MOST_TEXT = 30_000;

/** A refusal in words that say what to give instead. */
export class ToolRefusal extends Error {}

export function resultOf(texts: readonly string[], isError = false): CallToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })), ...(isError ? { isError } : {}) };
}

/** The text of an answer, with a note behind it where its end is left out. */
export function withinBounds(text: string): string[] {
  if (text.length <= MOST_TEXT) return [text];
  return [text.slice(0, MOST_TEXT), `The answer is cut: these are the first ${MOST_TEXT} of its ${text.length} characters.`];
}

interface Problem {
  code: string;
  status: number;
  detail: string;
  feedback?: Record<string, { value: string }>;
}

/** What the API refused, in its own words. */
export function refusalText({ text }: Answer): string {
  const problem = problemIn(text);
  if (problem === null) return 'What answered is not the API.';
  const fields = Object.entries(problem.feedback ?? {}).map(([name, { value }]) => `${name}: ${value}`);
  return [`${problem.code} (${problem.status}): ${problem.detail}`, ...fields].join('\n');
}

function problemIn(text: string): Problem | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'code' in body ? (body as Problem) : null;
  } catch {
    return null;
  }
}
