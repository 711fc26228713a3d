/** Writes as few slices as possible. */

import type { Endpoint, EndpointSlice } from 'kubernetes-types/discovery/v1'
import { append } from '../../core/lists'
import { draftOf, equalJson, type KubeObject } from '../../core/object'
import type { Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import { md5 } from '../shared/md5'
import { controllerReference, isControlledBy } from '../shared/ownership'
import type { Port } from '../shared/services'

export interface Group {
  ports: Port[]
  endpoints: Endpoint[]
}

export interface Plan {
  client: Client
  owner: KubeObject
  labels: Record<string, string>
  addressType: string
  maximum: number
  annotationsOf(present: Record<string, string> | undefined): Record<string, string> | undefined
  /** Also writes a slice if only annotations differ. */
  annotated?: boolean
  /** Keeps an empty slice if there are no endpoints. */
  placeholder: boolean
}

interface Slice {
  present: Stored<EndpointSlice> | undefined
  ports: Port[]
  endpoints: Endpoint[]
}

export const portsKey = (ports: Port[]): string =>
  JSON.stringify(ports.map((port) => JSON.stringify(port)).sort())

/** Ports are sorted by the hash of their Go representation (kube-controller-manager 1.31). */
const byDigest = (ports: Port[]): Port[] =>
  ports.length < 2
    ? ports
    : ports
        .map((port) => ({ port, digest: md5(dump(port)) }))
        .sort((a, b) => (a.digest < b.digest ? -1 : 1))
        .map(({ port }) => port)

const dump = ({ name, protocol, port, appProtocol = '<nil>' }: Port): string =>
  `(v1.EndpointPort){Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port} AppProtocol:(*string)${appProtocol}}`

const endpointKey = ({ addresses, targetRef }: Endpoint): string =>
  `${addresses.join()} ${targetRef?.uid ?? ''}`

export async function reconcileSlices(
  plan: Plan,
  groups: Group[],
  slices: Stored<EndpointSlice>[],
): Promise<void> {
  const wanted: Slice[] = []
  const spare = new Set(slices)
  for (const { ports, endpoints } of groups) {
    const group = { ports: byDigest(ports), endpoints }
    const mine = slices.filter((slice) => portsKey(portsOf(slice)) === portsKey(group.ports))
    for (const slice of distribute(group, mine, plan)) {
      if (slice.endpoints.length === 0) continue
      if (slice.present) spare.delete(slice.present)
      wanted.push(slice)
    }
  }
  if (wanted.length === 0 && plan.placeholder) {
    const empty = slices.find(
      (slice) => (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0,
    )
    if (empty) spare.delete(empty)
    wanted.push({ present: empty, ports: [], endpoints: [] })
  }
  for (const slice of wanted) {
    if (slice.present) continue
    const reused = [...spare].find((candidate) => isControlledBy(candidate, plan.owner))
    if (reused === undefined) continue
    spare.delete(reused)
    slice.present = reused
  }
  for (const slice of wanted) await write(plan, slice)
  for (const slice of spare) await plan.client.delete(slice)
}

/**
 * Existing endpoints stay. New ones fill changing slices, fullest first, then the unchanged slice
 * with the least sufficient room, or new slices.
 * https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/
 */
function distribute(
  { ports, endpoints }: Group,
  mine: Stored<EndpointSlice>[],
  { maximum, labels }: Plan,
): Slice[] {
  const left = new Map(endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]))
  const slices = mine.map((present): Slice => {
    const kept: Endpoint[] = []
    for (const endpoint of present.endpoints ?? []) {
      const key = endpointKey(endpoint)
      const wanted = left.get(key)
      if (wanted && left.delete(key)) kept.push(wanted)
    }
    return { present, ports, endpoints: kept }
  })
  const waiting = [...left.values()]
  const room = (slice: Slice) => maximum - slice.endpoints.length
  const fill = (slice: Slice) => append(slice.endpoints, waiting.splice(0, room(slice)))
  const isSame = ({ present, endpoints: kept }: Slice) =>
    equalJson(present?.endpoints ?? [], kept) && equalJson(present?.metadata.labels ?? {}, labels)
  const unchanged = new Set(slices.filter(isSame))
  const changed = slices.filter((slice) => !unchanged.has(slice) && slice.endpoints.length > 0)
  for (const slice of changed.sort((a, b) => room(a) - room(b))) fill(slice)
  while (waiting.length > 0) {
    const fitting =
      waiting.length < maximum
        ? [...unchanged].filter((slice) => room(slice) >= waiting.length)
        : []
    let [slice] = fitting.sort((a, b) => room(a) - room(b))
    if (slice === undefined) slices.push((slice = { present: undefined, ports, endpoints: [] }))
    fill(slice)
  }
  return slices
}

const portsOf = ({ ports }: EndpointSlice): Port[] =>
  (ports ?? []).map(({ name = '', port = 0, protocol = 'TCP', appProtocol }) => ({
    name,
    port,
    protocol,
    appProtocol,
  }))

async function write(plan: Plan, { present, ports, endpoints }: Slice): Promise<void> {
  const { client, owner, labels, addressType, annotationsOf } = plan
  const content = {
    endpoints: endpoints.length > 0 ? endpoints : null,
    ports: ports.length > 0 ? ports.map(writtenPort) : null,
  }
  if (present === undefined) {
    const annotations = annotationsOf(undefined)
    await client.create({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        generateName: `${owner.metadata.name}-`,
        namespace: owner.metadata.namespace,
        labels,
        ...(annotations && { annotations }),
        ownerReferences: [controllerReference(owner)],
      },
      addressType,
      ...content,
    })
    return
  }
  const same =
    equalJson(present.endpoints ?? null, content.endpoints) &&
    equalJson(present.ports ?? null, content.ports)
  const annotations = annotationsOf(present.metadata.annotations)
  const annotated =
    !plan.annotated || equalJson(present.metadata.annotations ?? {}, annotations ?? {})
  if (same && annotated && equalJson(present.metadata.labels ?? {}, labels)) return
  const draft = draftOf(present)
  const { annotations: _, ...metadata } = draft.metadata
  await client.update({
    ...draft,
    metadata: { ...metadata, labels, ...(annotations && { annotations }) },
    ...content,
  })
}

const writtenPort = ({ name, port, protocol, appProtocol }: Port) => ({
  name,
  protocol,
  port,
  ...(appProtocol !== undefined && { appProtocol }),
})
