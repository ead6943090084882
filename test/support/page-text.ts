const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** What is to be read on a page, with single spaces: the words of its main part. */
export const textOfPage = (html: string): string =>
  html
    .replace(/^[\s\S]*<main/, '<main')
    .replace(/<\/main>[\s\S]*$/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
