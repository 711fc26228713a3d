import type { Pod } from 'kubernetes-types/core/v1'
import { largest } from '../../engine/core/lists'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { selectorOf, selectorText } from '../../engine/selectors/labels'
import { pathWith } from '../client'
import type { Context } from '../command'
import { pathOf } from '../discovery'
import { CommandError, StatusError } from '../errors'

/**
 * @param word `pod`, `pod/web-1`, `deployment/web`
 * @throws CommandError for kinds without pods, StatusError
 */
export async function podsOf(context: Context, word: string, what: string): Promise<Pod[]> {
  const [type, name] = word.includes('/')
    ? (word.split(/\/(.*)/s) as [string, string])
    : ['pods', word]
  const resource = await context.discovery.find(type)
  const object = await context.client
    .get(pathOf(resource, context.namespace, name))
    .catch((error: unknown) => {
      if (!(error instanceof StatusError) || error.code !== 404 || what === '') throw error
      throw new CommandError(
        `error from server (${error.reason}): ${error.message} in namespace ${JSON.stringify(context.namespace)}`,
      )
    })
  if (resource.kind === 'Pod' && resource.group === '') return [object as unknown as Pod]
  const selector = selectorTextOf(object, resource.kind)
  if (selector === undefined) {
    throw new CommandError(
      `cannot ${what === '' ? 'attach to' : `get the ${what} from`} *${resource.version}.${resource.kind}: selector for *${resource.version}.${resource.kind} not implemented`,
    )
  }
  return sortedPods(await listPods(context, selector))
}

/** Undefined for other kinds. */
function selectorTextOf({ spec }: JsonObject, kind: string): string | undefined {
  const selector = isJsonObject(spec) && isJsonObject(spec.selector) ? spec.selector : undefined
  if (selector === undefined) return undefined
  if (kind === 'Service' || kind === 'ReplicationController') {
    return selectorText(selectorOf({ matchLabels: selector as Record<string, string> }) ?? [])
  }
  return selectorText(selectorOf(selector) ?? [])
}

export async function listPods(context: Context, labelSelector: string): Promise<Pod[]> {
  const resource = await context.discovery.find('pods')
  const { items } = await context.client.get(
    pathWith(pathOf(resource, context.namespace), { labelSelector }),
  )
  return (Array.isArray(items) ? items.filter(isJsonObject) : []) as unknown as Pod[]
}

/** Most active first: scheduled, running, longest ready, restarted, old. */
function sortedPods(pods: Pod[]): Pod[] {
  const ready = ({ status }: Pod) =>
    status?.conditions?.find(({ type, status: holds }) => type === 'Ready' && holds === 'True')
  const restarts = ({ status }: Pod): number =>
    largest(
      (status?.containerStatuses ?? []).map(({ restartCount }) => restartCount),
      0,
    )
  const ranks = (pod: Pod): number[] => [
    pod.spec?.nodeName ? 0 : 1,
    pod.status?.phase === 'Running' ? 0 : pod.status?.phase === 'Pending' ? 1 : 0,
    ready(pod) ? 0 : 1,
    Date.parse(ready(pod)?.lastTransitionTime ?? '') || 0,
    -restarts(pod),
    Date.parse(pod.metadata?.creationTimestamp ?? '') || 0,
  ]
  const ranked = pods.map((pod) => ({ pod, rank: ranks(pod) }))
  ranked.sort((a, b) => {
    const at = a.rank.findIndex((value, index) => value !== b.rank[index])
    return at === -1 ? 0 : (a.rank[at] ?? 0) - (b.rank[at] ?? 0)
  })
  return ranked.map(({ pod }) => pod)
}

interface Containers {
  initContainers: string[]
  containers: string[]
  ephemeralContainers: string[]
}

export function containerNames({ spec }: Pod): Containers {
  const names = (list: { name: string }[] | undefined): string[] =>
    (list ?? []).map(({ name }) => name)
  return {
    initContainers: names(spec?.initContainers),
    containers: names(spec?.containers),
    ephemeralContainers: names(spec?.ephemeralContainers),
  }
}

/** The default container; prints which one it is if there are several. */
export function defaultContainer(context: Pick<Context, 'err'>, pod: Pod): string {
  const { initContainers, containers, ephemeralContainers } = containerNames(pod)
  const annotated = pod.metadata?.annotations?.['kubectl.kubernetes.io/default-container']
  const chosen = annotated && containers.includes(annotated) ? annotated : (containers[0] ?? '')
  const all = [
    ...containers,
    ...ephemeralContainers.map((name) => `${name} (ephem)`),
    ...initContainers.map((name) => `${name} (init)`),
  ]
  if (all.length > 1 && annotated === undefined)
    context.err(`Defaulted container ${JSON.stringify(chosen)} out of: ${all.join(', ')}\n`)
  return chosen
}
