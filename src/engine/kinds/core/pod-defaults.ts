/** Mutates drafts. Recorded from kube-apiserver 1.31. */
import type { Json, JsonObject } from '../../core/object'
import { entryOf, isJsonObject, setMember } from '../../core/object'
import { copyExplicitQuantity } from '../../schema/explicit-quantities'
import { memoize } from '../../schema/memoize'
import { roundAmounts } from '../../validation/quantities'
import type { PodSpec } from './pod-types'

type Draft = JsonObject

const objects = (value: unknown): Draft[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

/** Replaces absent and null members. */
export function fill(draft: Draft, defaults: JsonObject): void {
  for (const name in defaults) {
    const value = draft[name]
    if (value === undefined || value === null || value === '') draft[name] = defaults[name] as Json
  }
}

const OF_PODS: JsonObject = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
}
const OF_CONTAINERS: JsonObject = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
}

export function defaultPodSpec(spec: Draft): void {
  fill(spec, OF_PODS)
  if (!isJsonObject(spec.securityContext)) spec.securityContext = {}
  for (const list of ['initContainers', 'containers'])
    for (const container of objects(spec[list])) defaultContainer(container)
  for (const container of objects(spec.ephemeralContainers)) defaultContainer(container)
  for (const volume of objects(spec.volumes)) defaultVolume(volume)
  roundAmounts(spec.overhead)
  if (spec.serviceAccount && !spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName
}

/** Not for templates. */
export function defaultPodOnly(spec: Draft): void {
  if (spec.hostNetwork === true) defaultHostPorts(spec)
  if (spec.enableServiceLinks === undefined) spec.enableServiceLinks = true
  for (const list of ['initContainers', 'containers'])
    for (const container of objects(spec[list])) defaultRequests(container)
}

/** On the host network container ports are host ports. */
function defaultHostPorts(spec: Draft): void {
  for (const list of ['initContainers', 'containers']) {
    for (const container of objects(spec[list]))
      for (const port of objects(container.ports))
        if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort
  }
}

/** `host:port/path/name`, without tag and digest. */
const REFERENCE =
  /^(?:(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[A-Fa-f0-9:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/

/** Only for `latest` and untagged images. Invalid references count as tagged. */
const pullPolicy = memoize((image: string): string => {
  const [named = '', digest] = image.split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const [name, tag] =
    colon < 0 ? [named, undefined] : [named.slice(0, colon), named.slice(colon + 1)]
  if (!isReference(image, name, digest)) return 'IfNotPresent'
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent'
})

const LONGEST_NAME = 255
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/

/** A lone digest is invalid. */
function isReference(image: string, name: string, digest: string | undefined): boolean {
  if (
    !REFERENCE.test(name) ||
    /^[a-f0-9]{64}$/.test(image) ||
    (digest !== undefined && !DIGEST.test(digest))
  )
    return false
  const path = name.replace(/^(?:index\.)?docker\.io\//, '')
  const first = path.slice(0, Math.max(path.indexOf('/'), 0))
  const isElsewhere = first === 'localhost' || /[.:A-Z]/.test(first)
  const whole = isElsewhere ? path : `docker.io/${path.includes('/') ? '' : 'library/'}${path}`
  return whole.length <= LONGEST_NAME
}

function defaultContainer(container: Draft): void {
  fill(container, OF_CONTAINERS)
  if (!container.imagePullPolicy)
    container.imagePullPolicy = pullPolicy(
      typeof container.image === 'string' ? container.image : '',
    )
  if (!isJsonObject(container.resources)) container.resources = {}
  roundAmounts(container.resources.limits)
  roundAmounts(container.resources.requests)
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    if (isJsonObject(container[probe])) defaultProbe(container[probe])
  if (isJsonObject(container.lifecycle)) {
    for (const hook of ['postStart', 'preStop']) {
      const handler = container.lifecycle[hook]
      if (isJsonObject(handler) && isJsonObject(handler.httpGet)) defaultHttpGet(handler.httpGet)
    }
  }
  for (const variable of objects(container.env)) {
    const source = variable.valueFrom
    if (isJsonObject(source) && isJsonObject(source.fieldRef) && !source.fieldRef.apiVersion)
      source.fieldRef.apiVersion = 'v1'
  }
}

function defaultHttpGet(handler: Draft): void {
  fill(handler, { path: '/', scheme: 'HTTP' })
}

function defaultProbe(probe: Draft): void {
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
  // Zero means unset.
  for (const [name, value] of Object.entries({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  }))
    if (probe[name] === 0) probe[name] = value
  if (isJsonObject(probe.httpGet)) defaultHttpGet(probe.httpGet)
  if (isJsonObject(probe.grpc) && probe.grpc.service === undefined) probe.grpc.service = ''
}

const DEFAULT_MODE = 0o644

function defaultVolume(volume: Draft): void {
  const sources = Object.keys(volume).filter(
    (name) => name !== 'name' && volume[name] !== null && volume[name] !== undefined,
  )
  if (sources.length === 0) volume.emptyDir = {}
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const found = volume[source]
    if (isJsonObject(found) && found.defaultMode === undefined) found.defaultMode = DEFAULT_MODE
  }
  if (isJsonObject(volume.downwardAPI))
    for (const item of objects(volume.downwardAPI.items)) defaultFieldRef(item)
  if (isJsonObject(volume.projected)) {
    for (const source of objects(volume.projected.sources)) {
      if (isJsonObject(source.downwardAPI))
        for (const item of objects(source.downwardAPI.items)) defaultFieldRef(item)
      if (
        isJsonObject(source.serviceAccountToken) &&
        source.serviceAccountToken.expirationSeconds === undefined
      )
        source.serviceAccountToken.expirationSeconds = 3600
    }
  }
  if (isJsonObject(volume.hostPath) && volume.hostPath.type === undefined) volume.hostPath.type = ''
  if (isJsonObject(volume.ephemeral) && isJsonObject(volume.ephemeral.volumeClaimTemplate)) {
    if (isJsonObject(volume.ephemeral.volumeClaimTemplate.spec))
      defaultClaimSpec(volume.ephemeral.volumeClaimTemplate.spec)
  }
}

/** In claims and their templates. */
export function defaultClaimSpec(spec: Draft): void {
  // An empty string is invalid: no default.
  spec.volumeMode ??= 'Filesystem'
  if (!isJsonObject(spec.resources)) return
  roundAmounts(spec.resources.limits)
  roundAmounts(spec.resources.requests)
}

function defaultFieldRef(item: Draft): void {
  if (isJsonObject(item.fieldRef) && !item.fieldRef.apiVersion) item.fieldRef.apiVersion = 'v1'
}

/** A limit sets a missing request. */
function defaultRequests(container: Draft): void {
  const resources = container.resources
  if (!isJsonObject(resources) || !isJsonObject(resources.limits)) return
  const requests: Draft = isJsonObject(resources.requests) ? resources.requests : {}
  for (const [name, value] of Object.entries(resources.limits)) {
    if (entryOf(requests, name) !== undefined) continue
    setMember(requests, name, value)
    copyExplicitQuantity(resources.limits, requests, name)
  }
  if (Object.keys(requests).length > 0) resources.requests = requests
}

const INIT_CONTAINER_ANNOTATIONS = ['alpha', 'beta'].flatMap((level) =>
  ['init-containers', 'init-container-statuses'].map(
    (name) => `pod.${level}.kubernetes.io/${name}`,
  ),
)

/** Conversion drops these (k8s.io/kubernetes, pkg/apis/core/v1/conversion.go). */
export function dropInitContainerAnnotations(metadata: unknown): void {
  const annotations = isJsonObject(metadata as Json | undefined)
    ? (metadata as Draft).annotations
    : undefined
  if (!isJsonObject(annotations)) return
  for (const name of INIT_CONTAINER_ANNOTATIONS) delete annotations[name]
}

export function defaultTemplate(template: unknown): void {
  if (!isJsonObject(template)) return
  dropInitContainerAnnotations(template.metadata)
  if (!isJsonObject(template.spec)) template.spec = { containers: null }
  defaultPodSpec(template.spec as Draft)
}

/** While the feature is on; else the policy has no owner. */
export function defaultImageVolumes(spec: PodSpec | undefined): void {
  for (const { image } of spec?.volumes ?? []) {
    if (!isJsonObject(image as Json | undefined)) continue
    const source = image as JsonObject
    if (!source.pullPolicy)
      source.pullPolicy = pullPolicy(typeof source.reference === 'string' ? source.reference : '')
  }
}
