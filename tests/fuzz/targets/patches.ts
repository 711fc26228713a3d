import fc from 'fast-check'
import { MEDIA_TYPE } from '../../../src/engine/core/names'
import { type FuzzRequest, NAMESPACE } from '../corpus'
import { play } from '../fuzz'
import { checkPrototypes, type FuzzTarget, NAMES } from './target'
import { deepJsonText, jsonText, mutated } from './texts'
import { yamlText } from './yaml'

const index = fc.constantFrom(
  '-',
  '0',
  '1',
  '-1',
  '99',
  '99999999999999999999',
  '-99999999999',
  '1e3',
  '00',
  '+1',
  '',
)
const pointer = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NAMES, 'data', 'labels', 'finalizers', 'ports', 'a~1b', '~', '~2'),
      index,
    ),
    { maxLength: 6 },
  )
  .chain((parts) =>
    fc.constantFrom(
      parts.map((part) => `/${part}`).join(''),
      parts.join('/'),
      `/data${'/a'.repeat(3000)}`,
    ),
  )
const value = fc.oneof({ weight: 9, arbitrary: jsonText }, { weight: 1, arbitrary: deepJsonText })
const operation = fc
  .record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'frob', ''),
    path: pointer,
    from: pointer,
    value,
  })
  .map(
    ({ op, path, from, value: text }) =>
      `{"op":${JSON.stringify(op)},"path":${JSON.stringify(path)},"from":${JSON.stringify(from)},"value":${text}}`,
  )
/** Each copy doubles what there is. */
const doubling = fc.integer({ min: 1, max: 60 }).map((times) => {
  const double =
    '{"op":"copy","from":"/metadata","path":"/metadata/a"},{"op":"move","from":"/metadata/a","path":"/metadata/annotations"}'
  return `[${Array(times).fill(double).join(',')}]`
})
const jsonPatch = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(operation, { maxLength: 4 })
      .map((operations) => `[${operations.join(',')}]`),
  },
  { weight: 1, arbitrary: doubling },
  {
    weight: 1,
    arbitrary: fc.constant(`[${Array(10_001).fill('{"op":"test","path":"/a"}').join(',')}]`),
  },
)

const directive = fc.constantFrom(
  '{"$patch":"delete"}',
  '{"$patch":"replace","a":1}',
  '{"$retainKeys":["a"],"a":1}',
  '{"$retainKeys":"a"}',
  '{"$setElementOrder/ports":[{"port":1}],"ports":[{"port":2},{"port":1,"$patch":"delete"}]}',
  '{"$setElementOrder/finalizers":["a"],"finalizers":["__proto__"]}',
  '{"$deleteFromPrimitiveList/finalizers":["a",{}]}',
  '{"$setElementOrder":[]}',
)
const mergePatch = fc
  .tuple(
    fc.constantFrom('metadata', 'data', 'spec', '__proto__', 'status', 'kind', 'apiVersion'),
    fc.oneof(value, directive),
  )
  .map(([member, text]) => `{${JSON.stringify(member)}:${text}}`)

const form = fc.oneof(
  fc.record({ type: fc.constant(MEDIA_TYPE.jsonPatch), text: jsonPatch }),
  fc.record({
    type: fc.constantFrom(MEDIA_TYPE.mergePatch, MEDIA_TYPE.strategicMergePatch),
    text: fc.oneof(mergePatch, directive),
  }),
  fc.record({
    type: fc.constant(MEDIA_TYPE.applyPatch),
    text: fc.oneof(
      yamlText,
      mergePatch.map(
        (text) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},${text.slice(1)}`,
      ),
    ),
  }),
)
const patch: fc.Arbitrary<FuzzRequest> = fc
  .record({
    form: form.chain(({ type, text }) =>
      fc
        .oneof(
          { weight: 4, arbitrary: fc.constant(text) },
          { weight: 1, arbitrary: mutated(fc.constant(text), ['{', '"', ',']) },
        )
        .map((one) => ({ type, text: one })),
    ),
    plural: fc.constantFrom(
      'configmaps/a',
      'secrets/one',
      'serviceaccounts/default',
      'configmaps/new',
    ),
    query: fc.constantFrom(
      '',
      '?fieldManager=me',
      '?fieldManager=me&force=true',
      '?fieldValidation=Strict',
      '?dryRun=All',
    ),
  })
  .map(({ form: { type, text }, plural, query }) => ({
    method: 'PATCH',
    target: `/api/v1/namespaces/${NAMESPACE}/${plural}${query}`,
    headers: { 'content-type': type },
    body: new TextEncoder().encode(text),
  }))

export const patches: FuzzTarget = {
  name: 'patches',
  what: 'patches of all four kinds, sent to a server',
  short: 50,
  property: fc.asyncProperty(
    fc.array(patch, { minLength: 1, maxLength: 6, size: 'max' }),
    async (requests) => {
      await play(requests)
      checkPrototypes()
    },
  ),
}
