/** Which authorizers a server has, in order: read from a file (`--authorization-config`) or made of flags (document 2, "Authorization", rules 6 and 7). */
import { isJsonObject, type JsonObject } from '../../object'
import { DecodeError, decodeObject } from '../../schema/decode'
import { ENVELOPE, jsonTypeName } from '../../schema/envelope'
import { durationMilliseconds, durationProblem } from '../../schema/go-duration'
import { goQuote } from '../../schema/go-text'
import type { Field, StructType, TypeNode } from '../../schema/model'
import { readYaml, YamlSyntaxError } from '../../schema/yaml-reader'

export const AUTHORIZER_TYPES = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const

export interface WebhookConfiguration {
  /** Durations as texts; defaulted. */
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

/** A document that is no configuration; the message is the real server's. */
export class ConfigurationError extends Error {}

const GROUP = 'apiserver.config.k8s.io'
const VERSIONS = ['v1alpha1', 'v1beta1']
const KIND = 'AuthorizationConfiguration'

/** Durations are read later, when it is known whether they make sense. */
const TEXT: TypeNode = { type: 'scalar', format: 'string', goType: 'string' }

function struct(goType: string, members: Record<string, TypeNode>): StructType {
  const fields = Object.entries(members).map(
    ([name, type], index): Field => ({ name, index, type, required: false, whenEmpty: 'omit', pointer: type.type === 'struct' }),
  )
  return { type: 'struct', name: '', goType, fields, byName: new Map(fields.map((field) => [field.name, field])), atomic: false }
}

const list = (goType: string, items: TypeNode): TypeNode => ({ type: 'list', goType, items, listType: 'atomic', mapKeys: [] })

/** The file's type; both versions have the same members. */
function configurationType(version: string): StructType {
  const condition = struct(`${version}.WebhookMatchCondition`, { expression: TEXT })
  const connection = struct(`${version}.WebhookConnectionInfo`, { type: TEXT, kubeConfigFile: TEXT })
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
  const authorizer = struct(`${version}.AuthorizerConfiguration`, { type: TEXT, name: TEXT, webhook })
  return struct(`${version}.${KIND}`, {
    kind: TEXT,
    apiVersion: TEXT,
    authorizers: list(`[]${version}.AuthorizerConfiguration`, authorizer),
  })
}

/** @throws ConfigurationError */
export function parseConfiguration(text: string): AuthorizationConfiguration {
  const { document, duplicates } = readDocument(text)
  const { apiVersion = '', kind = '' } = document
  if (kind === '') throw new ConfigurationError(`Object 'Kind' is missing in '${text}'`)
  if (apiVersion === '') throw new ConfigurationError(`Object 'apiVersion' is missing in '${text}'`)
  const version = VERSIONS.find((one) => apiVersion === `${GROUP}/${one}`)
  if (version === undefined || kind !== KIND) {
    const unknown = `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))}`
    throw new ConfigurationError(`${unknown} in scheme "pkg/runtime/scheme.go:100"`)
  }
  try {
    const { object, problems } = decodeObject(configurationType(version), document, { duplicates })
    if (problems.length > 0) throw new ConfigurationError(`strict decoding error: ${problems.join(', ')}`)
    return defaulted(object as unknown as AuthorizationConfiguration)
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigurationError(error.message)
    throw error
  }
}

function readDocument(text: string): { document: JsonObject; duplicates: string[] } {
  try {
    const { value, duplicates } = readYaml(text)
    if (isJsonObject(value)) return { document: value, duplicates }
    if (value === null) return { document: {}, duplicates }
    const mismatch = `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${ENVELOPE}`
    throw new ConfigurationError(`couldn't get version/kind; json parse error: ${mismatch}`)
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new ConfigurationError(error.message)
    throw error
  }
}

/** @throws ConfigurationError for what is no duration */
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
      webhook: { ...webhook, authorizedTTL: given(authorizedTTL, '5m'), unauthorizedTTL: given(unauthorizedTTL, '30s') },
    }
  })
  return { ...configuration, ...(authorizers ? { authorizers } : {}) }
}

const given = (text: string | undefined, byDefault: string): string => (!text || durationMilliseconds(text) === 0 ? byDefault : text)
