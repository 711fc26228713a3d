/** An example of each built-in kind: one file per kind. */
import { apiVersionOf } from '../../../../engine/core/object'
import { yamlText } from '../yaml'

const files = import.meta.glob<string>('./*/*.yaml', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** By apiVersion and kind: `apps/v1 Deployment`. */
export const EXAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(files).map((text) => [
    `${member(text, 'apiVersion')} ${member(text, 'kind')}`,
    text,
  ]),
)

/** @returns the value of a top-level member of a manifest */
function member(text: string, name: string): string {
  return new RegExp(`^${name}: (\\S+)$`, 'm').exec(text)?.[1] ?? ''
}

export interface ExampleOf {
  group: string
  version: string
  kind: string
  namespaced: boolean
}

/** @returns the example; of another version of the kind if this one has none; what every object has, for custom resources */
export function exampleOf({ group, version, kind, namespaced }: ExampleOf): string {
  const apiVersion = apiVersionOf(group, version)
  const own = EXAMPLES[`${apiVersion} ${kind}`]
  if (own) return own
  const [other = '', text] =
    Object.entries(EXAMPLES).find(
      ([name]) => name.endsWith(` ${kind}`) && name.startsWith(`${group}/`),
    ) ?? []
  if (text) return text.replace(`apiVersion: ${other.split(' ')[0]}`, `apiVersion: ${apiVersion}`)
  return yamlText({
    apiVersion,
    kind,
    metadata: { name: 'example', ...(namespaced ? { namespace: 'default' } : {}) },
  })
}
