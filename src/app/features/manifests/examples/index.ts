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

function member(text: string, name: string): string {
  return new RegExp(`^${name}: (\\S+)$`, 'm').exec(text)?.[1] ?? ''
}

export interface ExampleOf {
  group: string
  version: string
  kind: string
  namespaced: boolean
}

/** @returns the example; without one, that of another version of the kind, or a minimal object */
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
