/**
 * `--authorization-policy-file`: JSON lines, versioned or not (kubernetes.io, "Using ABAC
 * Authorization"). Error texts recorded from kube-apiserver 1.31.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { ENVELOPE, jsonTypeName } from '../../schema/envelope'
import { goQuote } from '../../schema/go-text'
import { JsonSyntaxError, readJson } from '../../schema/json-reader'

/** An empty string matches nothing. */
export interface AbacPolicy {
  user: string
  group: string
  readonly: boolean
  apiGroup: string
  resource: string
  namespace: string
  nonResourcePath: string
}

/** Quotes the invalid line. */
export class PolicyFileError extends Error {}

const VERSION = 'abac.authorization.kubernetes.io/v1beta1'
const ALL_AUTHENTICATED = 'system:authenticated'

/** @param path for messages @throws PolicyFileError */
export function parsePolicyFile(path: string, text: string): AbacPolicy[] {
  const policies: AbacPolicy[] = []
  text.split('\n').forEach((line, index) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return
    try {
      policies.push(readPolicy(line.replace(/\r$/, '')))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new PolicyFileError(
        `error reading policy file ${path}, line ${index + 1}: ${line}: ${why}`,
      )
    }
  })
  return policies
}

function readPolicy(line: string): AbacPolicy {
  const document = read(line)
  if (document === null)
    throw new Error(`couldn't get version/kind; json parse error: unexpected end of JSON input`)
  if (!isJsonObject(document))
    throw new Error(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(document)} into Go value of type ${ENVELOPE}`,
    )
  const { apiVersion = '', kind = '' } = document
  if (apiVersion === VERSION && kind === 'Policy')
    return versioned(isJsonObject(document.spec) ? document.spec : {})
  if (apiVersion !== '' && apiVersion !== 'v0')
    throw new Error(
      `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme "pkg/runtime/scheme.go:100"`,
    )
  return unversioned(document)
}

function read(line: string): Json {
  try {
    return readJson(line).value
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new Error(`couldn't get version/kind; json parse error: ${error.message}`)
    throw error
  }
}

/** @param within prefix of paths in Go's errors */
function membersOf(spec: JsonObject, within: string): AbacPolicy {
  const unfit = (name: string, value: Json, type: string) =>
    new Error(
      `json: cannot unmarshal ${jsonTypeName(value)} into Go struct field ${within}.${name} of type ${type}`,
    )
  const text = (name: string): string => {
    const value = spec[name] ?? ''
    if (typeof value !== 'string') throw unfit(name, value, 'string')
    return value
  }
  const flag = (name: string): boolean => {
    const value = spec[name] ?? false
    if (typeof value !== 'boolean') throw unfit(name, value, 'bool')
    return value
  }
  return {
    user: text('user'),
    group: text('group'),
    readonly: flag('readonly'),
    apiGroup: text('apiGroup'),
    resource: text('resource'),
    namespace: text('namespace'),
    nonResourcePath: text('nonResourcePath'),
  }
}

/** `*` matches all authenticated users. */
function forAllAuthenticated(policy: AbacPolicy): AbacPolicy {
  return policy.user === '*' || policy.group === '*'
    ? { ...policy, user: '', group: ALL_AUTHENTICATED }
    : policy
}

const versioned = (spec: JsonObject): AbacPolicy =>
  forAllAuthenticated(membersOf(spec, 'PolicySpec.spec'))

/** Omitted members match everything. */
function unversioned(spec: JsonObject): AbacPolicy {
  const { user, group, readonly, namespace, resource } = membersOf(spec, 'Policy')
  return forAllAuthenticated({
    user,
    group: user === '' && group === '' ? ALL_AUTHENTICATED : group,
    readonly,
    apiGroup: '*',
    resource: resource === '' ? '*' : resource,
    namespace: namespace === '' ? '*' : namespace,
    nonResourcePath: namespace === '' && resource === '' ? '*' : '',
  })
}
