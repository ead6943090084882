import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Declaration, type ModuleItem, type Pattern, parseSync } from '@swc/core';

export const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Every source file git knows or would add, relative to the root; generators and what they generate (`tools/`) live by
 * other rules.
 */
export function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((path) => path !== '' && !/^(tools|client\/src\/generated)\//.test(path) && existsSync(join(ROOT, path)));
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const folderOf = (path: string): string => path.split('/')[0] ?? '';

/** `atStart`: loaded with the file, not when its code gets there. */
export type Import = { from: string; to: string; typeOnly: boolean; own: boolean; atStart: boolean };

const imports = new Map<string, readonly Import[]>();

/** What a file imports: own files relative to the root, packages by name. Dynamic imports of a fixed name count too. */
export function importsOf(path: string): readonly Import[] {
  const found = imports.get(path) ?? readImports(path);
  imports.set(path, found);
  return found;
}

function readImports(path: string): Import[] {
  const source = read(path);
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  const written = body.flatMap(importedBy).map((found) => ({ ...found, atStart: true }));
  const dynamic = [...source.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map((match) => ({
    name: match[1] ?? '',
    typeOnly: false,
    atStart: false,
  }));
  return [...written, ...dynamic].map(({ name, ...how }) => ({ from: path, ...how, ...target(path, name) }));
}

function importedBy(item: ModuleItem): { name: string; typeOnly: boolean }[] {
  switch (item.type) {
    case 'ImportDeclaration':
      return [{ name: item.source.value, typeOnly: item.typeOnly }];
    case 'ExportAllDeclaration':
      return [{ name: item.source.value, typeOnly: false }];
    case 'ExportNamedDeclaration':
      return item.source ? [{ name: item.source.value, typeOnly: 'typeOnly' in item && item.typeOnly === true }] : [];
    default:
      return [];
  }
}

function target(path: string, name: string): Pick<Import, 'to' | 'own'> {
  if (name.startsWith('.')) return { own: true, to: relative(ROOT, join(ROOT, dirname(path), name)) };
  const parts = name.split('/');
  return { own: false, to: name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? name) };
}

/** The names a file declares and exports; what it passes on from another file doesn't count. */
export function exportsOf(source: string): string[] {
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  const imported = new Set(
    body.flatMap((item) => (item.type === 'ImportDeclaration' ? item.specifiers.map(({ local }) => local.value) : [])),
  );
  return [...new Set(body.flatMap(exportedBy))].filter((name) => !imported.has(name));
}

function exportedBy(item: ModuleItem): string[] {
  if (item.type === 'ExportDeclaration') return declaredBy(item.declaration);
  if (item.type !== 'ExportNamedDeclaration' || item.source) return [];
  return item.specifiers.flatMap((one) => (one.type === 'ExportSpecifier' ? [(one.exported ?? one.orig).value] : []));
}

function declaredBy(declaration: Declaration): string[] {
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [declaration.identifier.value];
    case 'VariableDeclaration':
      return declaration.declarations.flatMap(({ id }) => namesIn(id));
    default:
      return 'id' in declaration ? [declaration.id.value] : [];
  }
}

function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.value];
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => {
        if (one.type === 'KeyValuePatternProperty') return namesIn(one.value);
        return one.type === 'AssignmentPatternProperty' ? [one.key.value] : namesIn(one.argument);
      });
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    default:
      return [];
  }
}
