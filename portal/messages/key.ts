/** Whether there is a text of this name, `page.key`, for a name that comes from outside the code. */
export function hasText(texts: Readonly<Record<string, Readonly<Record<string, string>>>>, key: string): boolean {
  const [page = '', name = ''] = key.split('.');
  return Object.hasOwn(texts, page) && Object.hasOwn(texts[page] ?? {}, name);
}
