import { argumentsOf, bare, isNode, keyOf, type Node, nameOf, type Offence, Syntax } from './syntax.ts';

/** Fields that say whose a row is: ids and what stands for one, and rows that it belongs to. */
const OWNER = /^(id|\w+(Id|Key)|key|reference|subject|hash|token|vendor|customer|contract|invoice|creditNote|attempt)$/;
/** They read and change nothing of others. */
const MAKES_ROWS = new Set(['create', 'assign', 'getReference']);
/** Values that stand in the text of a test: others may have the same. */
const FIXED = new Set(['StringLiteral', 'NumericLiteral', 'BooleanLiteral', 'NullLiteral', 'RegExpLiteral', 'ArrayExpression']);

/** What a source asks of the rows of an entity without saying whose they are: `em.find(Invoice, { status })`. */
export function unownedEntities(source: string): Offence[] {
  if (!source.includes('db/entities/')) return [];
  const syntax = new Syntax(source);
  const entities = new Set(syntax.nodes.flatMap(({ node }) => (node.type === 'ImportDeclaration' ? entitiesIn(node) : [])));
  return syntax.nodes.flatMap(({ node }) => {
    if (node.type !== 'CallExpression') return [];
    const [entity, where] = argumentsOf(node);
    const isAsked = entities.has(nameOf(bare(entity))) && !MAKES_ROWS.has(methodOf(node));
    return isAsked && !namesOwner(where) ? [{ line: syntax.lineOf(node), what: syntax.textOf(node) }] : [];
  });
}

function entitiesIn({ source, specifiers, typeOnly }: Node): string[] {
  const isOfEntities = typeOnly !== true && isNode(source) && /db\/entities\//.test(String(source.value));
  return isOfEntities ? (specifiers as { local: unknown }[]).map(({ local }) => nameOf(local)) : [];
}

const methodOf = ({ callee }: Node): string => (isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee.property) : '');

const propertiesOf = (node: unknown): Node[] => {
  const value = bare(node);
  return value?.type === 'ObjectExpression' ? (value.properties as Node[]) : [];
};

const namesOwner = (where: unknown): boolean =>
  propertiesOf(where).some((property) =>
    property.type === 'Identifier'
      ? OWNER.test(nameOf(property))
      : property.type === 'KeyValueProperty' && OWNER.test(keyOf(property.key)) && isGiven(property.value),
  );

/** Whether a value comes from elsewhere: it is a name, a call, or `$in` of one. */
function isGiven(node: unknown): boolean {
  const value = bare(node);
  if (value === null || FIXED.has(value.type)) return false;
  if (value.type === 'TemplateLiteral') return (value.expressions as unknown[]).length > 0;
  if (value.type !== 'ObjectExpression') return true;
  const [only, ...more] = propertiesOf(value);
  return only?.type === 'KeyValueProperty' && more.length === 0 && keyOf(only.key) === '$in' && isGiven(only.value);
}
