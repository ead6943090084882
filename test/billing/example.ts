/** An `@example` of a doc comment: set-up, and what each of its checked expressions comes to. */
export interface Example {
  /** the exported name that the comment stands before; null where it stands before nothing that is exported */
  about: string | null;
  line: number;
  code: string;
}

const DOC_COMMENT = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;
const EXPORTED_NEXT = /^\s*export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/;

/** The examples of a source file, in their order. */
export function examplesIn(source: string): Example[] {
  return [...source.matchAll(DOC_COMMENT)].flatMap(({ 0: comment, index }) => {
    const about = EXPORTED_NEXT.exec(source.slice(index + comment.length))?.[1] ?? null;
    const first = source.slice(0, index).split('\n').length;
    return bodiesIn(comment).map(({ offset, code }) => ({ about, line: first + offset, code }));
  });
}

/** What follows each `@example` of a comment, up to the next tag or the comment's end. */
function bodiesIn(comment: string): { offset: number; code: string }[] {
  const bodies: { offset: number; code: string }[] = [];
  let isOpen = false;
  for (const [offset, raw] of comment.split('\n').entries()) {
    const line = raw.replace(/\s*\*\/$/, '').replace(/^\s*\/?\*{1,2} ?/, '');
    const [before, code] = line.split('@example');
    if (before?.startsWith('@')) isOpen = false;
    const last = bodies.at(-1);
    if (isOpen && code === undefined && last !== undefined) last.code += `\n${line}`;
    if (code === undefined) continue;
    bodies.push({ offset, code });
    isOpen = true;
  }
  return bodies.map(({ offset, code }) => ({ offset, code: code.trim() }));
}

/** A checked expression and the value that the example gives for it, both as code. */
export interface Check {
  expression: string;
  value: string;
}

/**
 * An example taken apart. A statement ends with `;` at the end of its line and sets up what follows; an expression ends
 * with `//` and its value. What is neither would not be executed, so it is refused.
 */
export function partsOf(code: string): (string | Check)[] {
  const parts: (string | Check)[] = [];
  let open = '';
  for (const line of code.split('\n')) {
    const [, expression, value] = /^(.*?)\s*\/\/ (.+)$/.exec(line) ?? [];
    if (expression !== undefined && value !== undefined) parts.push({ expression: `${open}${expression}`, value });
    else if (line.trimEnd().endsWith(';')) parts.push(`${open}${line}`);
    else {
      open += `${line}\n`;
      continue;
    }
    open = '';
  }
  if (open.trim() !== '') throw new Error(`end it with ";" or give its value behind "//": ${open.trim()}`);
  if (!parts.some((part) => typeof part !== 'string')) throw new Error(`give the value of an expression behind "//": ${code}`);
  return parts;
}

/** What an example's expressions come to, and what it says they do. Decimals count as their text. */
export function play(code: string, scope: Readonly<Record<string, unknown>>): { actual: unknown[]; expected: unknown[] } {
  const steps = partsOf(code).map((part) =>
    typeof part === 'string' ? part : `actual.push((${part.expression}));\nexpected.push((${part.value}));`,
  );
  const result = { actual: [] as unknown[], expected: [] as unknown[] };
  const names = Object.keys(scope);
  const run = new Function(...names, 'actual', 'expected', `'use strict';\n{\n${steps.join('\n')}\n}`);
  run(...names.map((name) => scope[name]), result.actual, result.expected);
  return { actual: result.actual.map(readable), expected: result.expected };
}

function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('toFixed' in value && typeof value.toFixed === 'function') return value.toFixed();
  if (Array.isArray(value)) return value.map(readable);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readable(one)]));
}
