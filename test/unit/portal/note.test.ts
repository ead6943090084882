import { noteFromCookie, noteToCookie } from '../../../portal/http/note.ts';

const note = { key: 'contract.since', values: { start: 'März' } } as const;

describe('the note for the page behind a redirect', () => {
  it('comes back to the session that it was written for', () => {
    expect(noteFromCookie('secret', noteToCookie('secret', note))).toEqual(note);
  });

  it('is nothing to another session, and not when one letter differs', () => {
    const cookie = noteToCookie('secret', note);
    expect(noteFromCookie('another', cookie)).toBeNull();
    expect(noteFromCookie('secret', `A${cookie.slice(1)}`)).toBeNull();
    expect(noteFromCookie('secret', `${cookie.slice(0, -1)}_`)).toBeNull();
    for (const made of ['', '.', 'x', 'e30.']) expect(noteFromCookie('secret', made)).toBeNull();
  });

  it('is dropped where a release has removed its message', () => {
    expect(noteFromCookie('secret', noteToCookie('secret', { key: 'overview.gone' as 'contract.since' }))).toBeNull();
  });
});
