/** An example of each built-in kind. */
import { apiVersionOf } from '../../../../engine/core/object'
import { yamlText } from '../yaml'
import { ACCESS } from './access'
import { CLUSTER } from './cluster'
import { CONFIG_AND_STORAGE } from './config-and-storage'
import { NETWORK } from './network'
import { WORKLOADS } from './workloads'

/** By apiVersion and kind: `apps/v1 Deployment`. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  ...WORKLOADS,
  ...NETWORK,
  ...CONFIG_AND_STORAGE,
  ...ACCESS,
  ...CLUSTER,
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
