/**
 * Messages of kubelet and containerd. https://kubernetes.io/docs/concepts/containers/runtime-class/
 */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import type { RuntimeClass } from 'kubernetes-types/node/v1'
import { goQuote } from '../../schema/go-text'
import type { Stored } from '../runtime/stored'

/** Default, if the node's status lists none. */
const HANDLERS: readonly string[] = ['runc']

type WithHandlers = Node & { status?: { runtimeHandlers?: { name?: string }[] } }

export function sandboxProblem(
  { spec }: Stored<Pod>,
  node: Stored<Node> | undefined,
  classOf: (name: string) => RuntimeClass | undefined,
): string | undefined {
  const name = spec?.runtimeClassName
  if (!name) return undefined
  const handler = classOf(name)?.handler
  if (handler === undefined)
    return `Failed to create pod sandbox: runtimeclass.node.k8s.io ${goQuote(name)} not found`
  const declared = (node as Stored<WithHandlers> | undefined)?.status?.runtimeHandlers?.map(
    (known) => known.name ?? '',
  )
  if (handler === '' || (declared ?? HANDLERS).includes(handler)) return undefined
  const why = `no runtime for ${goQuote(handler)} is configured`
  return `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: ${why}`
}
