import { read, sourceFiles } from './sources.ts';

const WIDEST = 120;

/** Lines of comments wider than 120 columns; an example in a doc comment is code, which wraps as code does. */
function wideCommentsIn(source: string): string[] {
  let isExample = false;
  return source.split('\n').filter((line) => {
    const isComment = /^\s*(\/\/|\/\*|\*( |\/|$))/.test(line);
    if (!isComment || /^\s*\/\*/.test(line) || /^\s*\* @(?!example)\w+/.test(line)) isExample = false;
    if (/^\s*(\/\*)?\*+ @example/.test(line)) isExample = true;
    return isComment && !isExample && line.length > WIDEST;
  });
}

describe('comments', () => {
  it('are measured by the line, without examples', () => {
    const wide = 'x'.repeat(WIDEST);
    expect(wideCommentsIn(`// ${wide}\nconst a = '${wide}';\n`)).toEqual([`// ${wide}`]);
    expect(wideCommentsIn(`/**\n * @example\n * ${wide}\n */\n/** ${wide} */`)).toEqual([`/** ${wide} */`]);
    expect(wideCommentsIn(`/**\n * @example ${wide}\n * @param ${wide}\n */`)).toEqual([` * @param ${wide}`]);
  });

  it('are at most 120 columns wide', () => {
    const wide = sourceFiles().flatMap((path) => wideCommentsIn(read(path)).map((line) => `${path}: ${line.trim()}`));
    expect(wide).toEqual([]);
  });

  it('begin their text once', () => {
    const doubled = sourceFiles().flatMap((path) => (read(path).match(/^\s*\*+ \* .*$/gm) ?? []).map((line) => `${path}: ${line.trim()}`));
    expect(doubled).toEqual([]);
  });
});
