/** Repairs of violations of Pod Security. kubernetes.io, "Pod Security Standards". */
import { DEFAULT_CAPABILITIES } from '../../core/default-capabilities'
import { append } from '../../core/lists'
import { MEDIA_TYPE } from '../../core/names'
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import { goQuote } from '../../schema/go-text'
import { valueAt } from '../place'
import type { Edit, Place, RepairKind } from '../repair'

const LEVELS = ['privileged', 'baseline', 'restricted']
const LABEL = 'pod-security.kubernetes.io/enforce'

/** The level of the namespace, from the strictest. */
export const relaxPodSecurity: RepairKind = {
  name: 'RelaxPodSecurity',
  candidates({ grounds, target: { namespace } }) {
    if (grounds?.by !== 'pod security') return []
    const looser = LEVELS.slice(0, Math.max(0, LEVELS.indexOf(grounds.level))).reverse()
    return looser.map((level) => ({
      title: `Label namespace ${goQuote(namespace)} with ${LABEL}=${level}`,
      writes: [
        {
          method: 'PATCH',
          path: `/api/v1/namespaces/${namespace}`,
          contentType: MEDIA_TYPE.mergePatch,
          body: { metadata: { labels: { [LABEL]: level } } },
        },
      ],
    }))
  },
}

interface Container {
  place: Place
  ports: readonly Json[]
  context: JsonObject
}

interface Pod {
  spec: JsonObject
  context: JsonObject
  containers: readonly Container[]
}

/** By the reason of the check. Others need another design of the pod. */
const EDITS: Readonly<Record<string, (pod: Pod) => Edit[]>> = {
  'host namespaces': ({ spec }) =>
    ['hostNetwork', 'hostPID', 'hostIPC'].flatMap((name) =>
      spec[name] === true ? [{ place: ['spec', name] }] : [],
    ),
  privileged: ({ containers }) => unset(containers, 'privileged'),
  procMount: ({ containers }) => unset(containers, 'procMount'),
  hostPort: ({ containers }) => containers.flatMap(hostPorts),
  'non-default capabilities': ({ containers }) =>
    containers.flatMap((container) => added(container, (name) => DEFAULT_CAPABILITIES.has(name))),
  'unrestricted capabilities': ({ containers }) =>
    containers.flatMap((container) => [
      ...added(container, (name) => name === 'NET_BIND_SERVICE'),
      { place: inContext(container, 'capabilities', 'drop'), value: ['ALL'] },
    ]),
  'allowPrivilegeEscalation != false': ({ containers }) =>
    containers.flatMap((container) =>
      container.context.allowPrivilegeEscalation === false
        ? []
        : [{ place: inContext(container, 'allowPrivilegeEscalation'), value: false }],
    ),
  'runAsNonRoot != true': ({ containers }) => [
    { place: ['spec', 'securityContext', 'runAsNonRoot'], value: true },
    ...unset(
      containers.filter(({ context }) => context.runAsNonRoot === false),
      'runAsNonRoot',
    ),
  ],
  'runAsUser=0': ({ context, containers }) => [
    ...(context.runAsUser === 0 ? [{ place: ['spec', 'securityContext', 'runAsUser'] }] : []),
    ...unset(
      containers.filter((container) => container.context.runAsUser === 0),
      'runAsUser',
    ),
  ],
  seccompProfile: ({ containers }) => [
    {
      place: ['spec', 'securityContext', 'seccompProfile'],
      value: { type: 'RuntimeDefault' },
    },
    ...unset(
      containers.filter(
        ({ context }) => valueAt(context, ['seccompProfile', 'type']) === 'Unconfined',
      ),
      'seccompProfile',
    ),
  ],
}

export const restrictPod: RepairKind = {
  name: 'RestrictPod',
  candidates({ grounds, object, target: { resource } }) {
    if (grounds?.by !== 'pod security' || object === undefined || resource !== 'pods') return []
    const pod = podOf(object)
    const edits: Edit[] = []
    for (const reason of grounds.reasons) {
      const found = entryOf(EDITS, reason)?.(pod) ?? []
      if (found.length === 0) return []
      append(edits, found)
    }
    return [{ title: `Make the Pod satisfy level ${grounds.level}`, edits }]
  },
}

function podOf(object: JsonObject): Pod {
  const spec = isJsonObject(object.spec) ? object.spec : {}
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => {
    const items = spec[list]
    if (!Array.isArray(items)) return []
    return items.map((item, index): Container => {
      const ports = valueAt(item, ['ports'])
      return {
        place: ['spec', list, index],
        ports: Array.isArray(ports) ? ports : [],
        context: objectOr(valueAt(item, ['securityContext'])),
      }
    })
  })
  return { spec, context: objectOr(spec.securityContext), containers }
}

const objectOr = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

const hostPorts = ({ place, ports }: Container): Edit[] =>
  ports.flatMap((port, index) =>
    valueAt(port, ['hostPort']) === undefined
      ? []
      : [{ place: [...place, 'ports', index, 'hostPort'] }],
  )

const inContext = ({ place }: Container, ...members: string[]): Place => [
  ...place,
  'securityContext',
  ...members,
]

const unset = (containers: readonly Container[], member: string): Edit[] =>
  containers.flatMap((container) =>
    container.context[member] === undefined ? [] : [{ place: inContext(container, member) }],
  )

function added(container: Container, allowed: (name: string) => boolean): Edit[] {
  const names = valueAt(container.context, ['capabilities', 'add'])
  if (!Array.isArray(names)) return []
  const kept = names.filter((name) => allowed(String(name)))
  const place = inContext(container, 'capabilities', 'add')
  if (kept.length === names.length) return []
  return [kept.length === 0 ? { place } : { place, value: kept }]
}
