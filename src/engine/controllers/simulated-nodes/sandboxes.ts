/** Whether a node can make what a pod's containers run in (public documentation, "Runtime Class"; texts of kubelet and containerd). */
import type { Node, Pod } from 'kubernetes-types/core/v1'
import type { RuntimeClass } from 'kubernetes-types/node/v1'
import { goQuote } from '../../schema/go-text'
import type { Stored } from '../runtime/stored'

/** Handlers of a node whose status names none. */
const HANDLERS: readonly string[] = ['runc']

/** Nodes tell of their handlers in their status. */
type WithHandlers = Node & { status?: { runtimeHandlers?: { name?: string }[] } }

/** @returns the event's text */
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
  const told = (node as Stored<WithHandlers> | undefined)?.status?.runtimeHandlers?.map(
    (known) => known.name ?? '',
  )
  if (handler === '' || (told ?? HANDLERS).includes(handler)) return undefined
  const why = `no runtime for ${goQuote(handler)} is configured`
  return `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: ${why}`
}
