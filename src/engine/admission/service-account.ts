/** Sets the service account of pods, and mounts its token unless disabled. */
import { randomSuffix } from '../core/environment'
import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { TRUE_TEXTS } from '../schema/go-text'
import {
  type Container,
  isMirrorPod,
  type Pod,
  type PodSpec,
  podOf,
  projectedSources,
  secretNamesOf,
  type Volume,
} from '../validation/pods'
import type { AdmissionAttributes, AdmissionPlugin } from './admission'
import { type AdmissionEnvironment, awaitObject, readObject } from './environment'
import { lookupProblem, newForbidden } from './errors'

const DEFAULT_ACCOUNT = 'default'
/**
 * Waits for the controller that creates the account, about ten retries (Kubernetes 1.31, package
 * plugin/pkg/admission/serviceaccount).
 */
const DEFAULT_ACCOUNT_MILLISECONDS = 1350
const TOKEN_MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'
const TOKEN_VOLUME_PREFIX = 'kube-api-access-'
/** Over an hour, so that tokens outlast an hourly refresh. */
const TOKEN_SECONDS = 3607
/** Restricts pods to the secrets that the account lists. */
const ENFORCE_SECRETS = 'kubernetes.io/enforce-mountable-secrets'

interface ServiceAccount extends KubeObject {
  secrets?: { name?: string }[]
  imagePullSecrets?: { name?: string }[]
  automountServiceAccountToken?: boolean
}

export function serviceAccount(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods', 'pods/ephemeralcontainers'],
    mutate(attributes) {
      if (attributes.operation !== 'CREATE') return
      const pod = podOf(attributes.object)
      if (isMirrorPod(pod)) return checkMirrorPod(attributes, pod)
      return chain(
        accountOf(environment, attributes, pod.spec.serviceAccountName || DEFAULT_ACCOUNT),
        (account) => {
          complete(pod.spec, account, `${TOKEN_VOLUME_PREFIX}${randomSuffix(environment.random)}`)
          checkSecrets(attributes, account, pod.spec)
        },
      )
    },
    validate(attributes) {
      const pod = podOf(attributes.object)
      if (attributes.operation === 'CREATE' && isMirrorPod(pod))
        return checkMirrorPod(attributes, pod)
      if (attributes.operation !== 'CREATE' && attributes.subresource !== 'ephemeralcontainers')
        return
      const name = pod.spec.serviceAccountName
      if (!name)
        throw newForbidden(
          attributes,
          `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ''}`,
        )
      const added = { ephemeralContainers: pod.spec.ephemeralContainers ?? [] }
      return chain(accountOf(environment, attributes, name), (account) =>
        checkSecrets(attributes, account, attributes.operation === 'CREATE' ? pod.spec : added),
      )
    },
  }
}

/** @throws ApiError 403 */
function accountOf(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  name: string,
): MaybePromise<ServiceAccount> {
  const { namespace } = attributes
  const key = `/registry/serviceaccounts/${namespace}/${name}`
  const found =
    name === DEFAULT_ACCOUNT
      ? awaitObject<ServiceAccount>(environment, key, DEFAULT_ACCOUNT_MILLISECONDS)
      : readObject<ServiceAccount>(environment, key)
  return chain(found, (account) => {
    if (account !== undefined) return account
    const why = lookupProblem(name) ?? `serviceaccount ${JSON.stringify(name)} not found`
    throw newForbidden(attributes, `error looking up service account ${namespace}/${name}: ${why}`)
  })
}

/** Static pods run without the API server. */
function checkMirrorPod(attributes: AdmissionAttributes, { spec }: Pod): void {
  if (spec.serviceAccountName)
    throw newForbidden(attributes, 'a mirror pod may not reference service accounts')
  if (!secretNamesOf(spec).next().done)
    throw newForbidden(attributes, 'a mirror pod may not reference secrets')
  const usesToken = (spec.volumes ?? []).some((volume) =>
    projectedSources(volume).some((source) => source.serviceAccountToken),
  )
  if (usesToken)
    throw newForbidden(
      attributes,
      'a mirror pod may not use ServiceAccountToken volume projections',
    )
}

function complete(spec: PodSpec, account: ServiceAccount, volumeName: string): void {
  spec.serviceAccountName = account.metadata.name ?? ''
  spec.serviceAccount = spec.serviceAccountName
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
    mountToken(spec, volumeName)
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
    spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => ({ ...(name && { name }) }))
  }
}

function mountToken(spec: PodSpec, newName: string): void {
  const present = spec.volumes?.find(({ name }) => name.startsWith(TOKEN_VOLUME_PREFIX))
  const name = present?.name ?? newName
  let mounted = false
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_MOUNT_PATH)) continue
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath: TOKEN_MOUNT_PATH },
    ]
    mounted = true
  }
  if (mounted && present === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)]
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [
              {
                path: 'namespace',
                fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
              },
            ],
          },
        },
      ],
      defaultMode: 0o644,
    },
  }
}

const CONTAINER_LISTS = [
  ['init container', 'initContainers'],
  ['container', 'containers'],
  ['ephemeral container', 'ephemeralContainers'],
] as const

function checkSecrets(
  attributes: AdmissionAttributes,
  account: ServiceAccount,
  spec: PodSpec,
): void {
  if (!TRUE_TEXTS.has(account.metadata.annotations?.[ENFORCE_SECRETS] ?? '')) return
  const allowed = new Set((account.secrets ?? []).map(({ name }) => name))
  const pullable = new Set((account.imagePullSecrets ?? []).map(({ name }) => name))
  const who = account.metadata.name
  const forbiddenReference = (what: string, reference: string) =>
    newForbidden(
      attributes,
      `${what} is not allowed because service account ${who} does not reference that ${reference}`,
    )
  for (const { secret } of spec.volumes ?? []) {
    const { secretName } = (secret ?? {}) as { secretName?: string }
    if (secretName && !allowed.has(secretName))
      throw forbiddenReference(`volume with secret.secretName="${secretName}"`, 'secret')
  }
  for (const [called, list] of CONTAINER_LISTS) {
    for (const container of spec[list] ?? []) {
      for (const { name, through } of secretsOf(container)) {
        if (allowed.has(name)) continue
        throw forbiddenReference(
          `${called} ${container.name} with ${through} referencing secret.secretName="${name}"`,
          'secret',
        )
      }
    }
  }
  for (const [i, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pullable.has(name))
      throw forbiddenReference(`imagePullSecrets[${i}].name="${name}"`, 'imagePullSecret')
  }
}

function* secretsOf({
  env = [],
  envFrom = [],
}: Container): Generator<{ name: string; through: string }> {
  for (const { name, valueFrom } of env) {
    if (valueFrom?.secretKeyRef)
      yield { name: valueFrom.secretKeyRef.name ?? '', through: `envVar ${name}` }
  }
  for (const { secretRef } of envFrom)
    if (secretRef) yield { name: secretRef.name ?? '', through: 'envFrom' }
}
