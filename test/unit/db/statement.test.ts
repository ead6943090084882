import { statementWords } from '../../../db/statement.ts';

describe('the name of a statement in a trace', () => {
  it.each([
    ['select * from contract where id = $1', 'select', 'contract'],
    ['\n  insert into usage_event (id) values ($1)', 'insert', 'usage_event'],
    ['update "request" set delivered_at = $1', 'update', 'request'],
    ['delete from only agenda', 'delete', 'agenda'],
    ["with given as (select * from unnest($1::text[])) insert into event select 'secret' from given", 'with', 'event'],
    ['select $1::text', 'select', null],
    ['begin', 'begin', null],
  ])('%s', (sql, kind, table) => {
    expect(statementWords(sql)).toEqual({ kind, table });
  });
});
