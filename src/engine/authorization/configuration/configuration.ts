/** `--authorization-config` (kubernetes.io, "Authorization"). */
import {
  ConfigurationError,
  list,
  readConfiguration,
  struct,
  TEXT,
} from '../../schema/configuration-file'
import { durationMilliseconds, durationProblem } from '../../schema/go-duration'
import type { StructType } from '../../schema/model'

export const AUTHORIZER_TYPES = [
  'ABAC',
  'AlwaysAllow',
  'AlwaysDeny',
  'Node',
  'RBAC',
  'Webhook',
] as const

export interface WebhookConfiguration {
  authorizedTTL: string
  unauthorizedTTL: string
  timeout?: string
  subjectAccessReviewVersion?: string
  matchConditionSubjectAccessReviewVersion?: string
  failurePolicy?: string
  connectionInfo?: { type?: string; kubeConfigFile?: string }
  matchConditions?: { expression?: string }[]
}

export interface AuthorizerConfiguration {
  type?: string
  name?: string
  webhook?: WebhookConfiguration
}

export interface AuthorizationConfiguration {
  authorizers?: AuthorizerConfiguration[]
}

export { ConfigurationError }

const GROUP = 'apiserver.config.k8s.io'
const VERSIONS = ['v1alpha1', 'v1beta1']
const KIND = 'AuthorizationConfiguration'

/** All versions have the same members. The validation parses durations. */
function configurationType(version: string): StructType {
  const condition = struct(`${version}.WebhookMatchCondition`, { expression: TEXT })
  const connection = struct(`${version}.WebhookConnectionInfo`, {
    type: TEXT,
    kubeConfigFile: TEXT,
  })
  const webhook = struct(`${version}.WebhookConfiguration`, {
    authorizedTTL: TEXT,
    unauthorizedTTL: TEXT,
    timeout: TEXT,
    subjectAccessReviewVersion: TEXT,
    matchConditionSubjectAccessReviewVersion: TEXT,
    failurePolicy: TEXT,
    connectionInfo: connection,
    matchConditions: list(`[]${version}.WebhookMatchCondition`, condition),
  })
  const authorizer = struct(`${version}.AuthorizerConfiguration`, {
    type: TEXT,
    name: TEXT,
    webhook,
  })
  return struct(`${version}.${KIND}`, {
    kind: TEXT,
    apiVersion: TEXT,
    authorizers: list(`[]${version}.AuthorizerConfiguration`, authorizer),
  })
}

/** @throws ConfigurationError */
export function parseConfiguration(text: string): AuthorizationConfiguration {
  const read = readConfiguration(text, {
    group: GROUP,
    kind: KIND,
    versions: VERSIONS,
    typeOf: configurationType,
  })
  return defaulted(read as AuthorizationConfiguration)
}

function defaulted(configuration: AuthorizationConfiguration): AuthorizationConfiguration {
  const authorizers = configuration.authorizers?.map((authorizer): AuthorizerConfiguration => {
    const { webhook } = authorizer
    if (!webhook) return authorizer
    const { authorizedTTL, unauthorizedTTL, timeout } = webhook
    for (const text of [authorizedTTL, unauthorizedTTL, timeout]) {
      const problem = text ? durationProblem(text) : undefined
      if (problem !== undefined) throw new ConfigurationError(`time: ${problem}`)
    }
    return {
      ...authorizer,
      webhook: {
        ...webhook,
        authorizedTTL: given(authorizedTTL, '5m'),
        unauthorizedTTL: given(unauthorizedTTL, '30s'),
      },
    }
  })
  return { ...configuration, ...(authorizers ? { authorizers } : {}) }
}

const given = (text: string | undefined, byDefault: string): string =>
  !text || durationMilliseconds(text) === 0 ? byDefault : text
