/**
 * The environment of a container, as a kubelet builds it (kubernetes.io, "Define Environment
 * Variables for a Container", "Define Dependent Environment Variables", "Accessing the Service" and
 * "Expose Pod Information").
 */
import { entryOf, setMember } from '../core/object'
import { parseQuantity, quantityUnits } from '../schema/quantity'
import type {
  FieldReference,
  ResourceReference,
  Seen,
  SeenContainer,
  SeenPod,
  SeenService,
} from './pod'
import { textOfBytes } from './script/bytes'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Keys that are invalid variable names are skipped. */
const VARIABLE_NAME = /^(?!\.{1,2}$|\.\.)[-._a-zA-Z][-._a-zA-Z0-9]*$/
/** The service whose variables every pod gets. */
const OF_SERVER = { namespace: 'default', name: 'kubernetes' }

/** @returns variables by name, in the order of the program's environment */
export function environmentOf(
  pod: SeenPod,
  container: SeenContainer,
  seen: Seen,
): Record<string, string> {
  const services = serviceVariables(pod, seen.services)
  const own: Record<string, string> = {}
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const data = configMapRef
      ? seen.configMap(configMapRef.name ?? '')?.data
      : decoded(seen.secret(secretRef?.name ?? '')?.data)
    for (const key of Object.keys(data ?? {}).sort())
      if (VARIABLE_NAME.test(`${prefix}${key}`))
        setMember(own, `${prefix}${key}`, entryOf(data, key) ?? '')
  }
  const known = (name: string) => entryOf(own, name) ?? entryOf(services, name)
  for (const { name, value = '', valueFrom } of container.env ?? []) {
    const found =
      valueFrom === undefined
        ? expanded(value, known)
        : sourcedValue(pod, container, valueFrom, seen)
    if (found !== undefined) setMember(own, name, found)
  }
  const unset = Object.fromEntries(
    Object.entries(services).filter(([name]) => !Object.hasOwn(own, name)),
  )
  return {
    PATH,
    HOSTNAME: hostnameOf(pod),
    ...own,
    ...unset,
    ...(Object.hasOwn(own, 'HOME') ? {} : { HOME: '/root' }),
  }
}

export const hostnameOf = ({ metadata, spec }: SeenPod): string =>
  (spec?.hostname || metadata.name || '').slice(0, 63)

/** Expands `$(NAME)` if the variable exists; `$$` is an escaped dollar sign. */
export function expanded(text: string, valueOfName: (name: string) => string | undefined): string {
  const parts: string[] = []
  const lastEnd = text.lastIndexOf(')')
  let from = 0
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', from)) {
    parts.push(text.slice(from, at))
    if (text[at + 1] === '(' && at < lastEnd) {
      const end = text.indexOf(')', at)
      parts.push(valueOfName(text.slice(at + 2, end)) ?? text.slice(at, end + 1))
      from = end + 1
    } else {
      parts.push('$')
      from = at + (text[at + 1] === '$' ? 2 : 1)
    }
  }
  parts.push(text.slice(from))
  return parts.join('')
}

type ValueSource = NonNullable<NonNullable<SeenContainer['env']>[number]['valueFrom']>

function sourcedValue(
  pod: SeenPod,
  container: SeenContainer,
  source: ValueSource,
  seen: Seen,
): string | undefined {
  const { fieldRef, resourceFieldRef, configMapKeyRef: map, secretKeyRef: hidden } = source
  if (fieldRef) return fieldValue(pod, fieldRef, seen)
  if (resourceFieldRef) return resourceValue(pod, container, resourceFieldRef, seen)
  if (map) return entryOf(seen.configMap(map.name ?? '')?.data, map.key)
  return hidden && entryOf(decoded(seen.secret(hidden.name ?? '')?.data), hidden.key)
}

/** @returns undefined for an unknown field */
export function fieldValue(
  { metadata, spec }: SeenPod,
  { fieldPath }: FieldReference,
  { podIP, hostIP }: Seen,
): string | undefined {
  const key = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath)
  if (key)
    return entryOf(key[1] === 'labels' ? metadata.labels : metadata.annotations, key[2] ?? '') ?? ''
  const lines = (map: Record<string, string> | undefined) =>
    Object.keys(map ?? {})
      .sort()
      .map((name) => `${name}=${JSON.stringify(entryOf(map, name) ?? '')}\n`)
      .join('')
  const fields: Record<string, () => string> = {
    'metadata.name': () => metadata.name ?? '',
    'metadata.namespace': () => metadata.namespace ?? '',
    'metadata.uid': () => metadata.uid ?? '',
    'metadata.labels': () => lines(metadata.labels),
    'metadata.annotations': () => lines(metadata.annotations),
    'spec.nodeName': () => spec?.nodeName ?? '',
    'spec.serviceAccountName': () => spec?.serviceAccountName ?? '',
    'status.hostIP': () => hostIP,
    'status.hostIPs': () => hostIP,
    'status.podIP': () => podIP,
    'status.podIPs': () => podIP,
  }
  return entryOf(fields, fieldPath)?.()
}

/** Unset limits are the allocatable resources of the node; unset requests are zero. */
export function resourceValue(
  { spec }: SeenPod,
  container: SeenContainer,
  { containerName, resource, divisor }: ResourceReference,
  { allocatable }: Seen,
): string | undefined {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
  const { resources } =
    (containerName ? all.find(({ name }) => name === containerName) : undefined) ?? container
  const found = /^(limits|requests)\.(.+)$/.exec(resource)
  if (found === null) return undefined
  const [, kind, name = ''] = found
  const amount =
    kind === 'limits'
      ? (entryOf(resources?.limits, name) ?? entryOf(allocatable, name))
      : entryOf(resources?.requests, name)
  const decimals = name === 'cpu' ? 3 : 0
  const units = (text: string) => quantityUnits(parseQuantity(text), decimals)
  const by = units(divisor && divisor !== '0' ? divisor : '1')
  const whole = units(amount ?? '0')
  return String(by === 0n ? 0n : (whole + by - 1n) / by)
}

function decoded(data: Record<string, string> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, textOf(value)]))
}

/** @param encoded base64 */
export const textOf = (encoded: string): string =>
  textOfBytes(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)))

function serviceVariables(
  { metadata, spec }: SeenPod,
  services: Iterable<SeenService>,
): Record<string, string> {
  const visible = [...services].filter(({ metadata: { namespace, name }, spec: of }) => {
    if (!of?.clusterIP || of.clusterIP === 'None') return false
    if (namespace === OF_SERVER.namespace && name === OF_SERVER.name) return true
    return namespace === metadata.namespace && spec?.enableServiceLinks !== false
  })
  const variables: Record<string, string> = {}
  for (const service of visible)
    for (const [name, value] of variablesOf(service)) setMember(variables, name, value)
  return variables
}

function variablesOf({ metadata, spec }: SeenService): [string, string][] {
  const ip = spec?.clusterIP ?? ''
  const ports = spec?.ports ?? []
  const prefix = upper(metadata.name ?? '')
  const [first] = ports
  if (first === undefined) return []
  const link = ({ port, protocol = 'TCP' }: (typeof ports)[number]) =>
    `${protocol.toLowerCase()}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`
  return [
    [`${prefix}_SERVICE_HOST`, ip],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
    ...ports.flatMap(({ name, port }): [string, string][] =>
      name ? [[`${prefix}_SERVICE_PORT_${upper(name)}`, String(port)]] : [],
    ),
    [`${prefix}_PORT`, link(first)],
    ...ports.flatMap((one): [string, string][] => {
      const { port, protocol = 'TCP' } = one
      const of = `${prefix}_PORT_${port}_${protocol}`
      return [
        [of, link(one)],
        [`${of}_PROTO`, protocol.toLowerCase()],
        [`${of}_PORT`, String(port)],
        [`${of}_ADDR`, ip],
      ]
    }),
  ]
}

const upper = (name: string): string => name.toUpperCase().replaceAll('-', '_')
