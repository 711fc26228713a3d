/** k8s.io/apiserver, package pkg/apis/apiserver/validation. Recorded from kube-apiserver 1.31. */
import { FileError, type Files } from '../../core/environment'
import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import { durationMilliseconds, goDuration } from '../../schema/go-duration'
import { goQuote, goTrim } from '../../schema/go-text'
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../validation/field-errors'
import { dnsSubdomain } from '../../validation/names'
import type { ConditionCompiler } from '../webhook/match-conditions'
import {
  AUTHORIZER_TYPES,
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
  type WebhookConfiguration,
} from './configuration'

const MAX_TIMEOUT = 30_000
const MAX_CONDITIONS = 64
const REVIEW_VERSIONS = ['v1', 'v1beta1']
const CONDITION_VERSIONS = ['v1']
const POLICIES = ['NoOpinion', 'Deny']
const CONNECTIONS = ['InClusterConfig', 'KubeConfigFile']

export interface Checks {
  files: Files
  conditions: ConditionCompiler
}

/** `authorizers[0].name: Required value` */
export function configurationProblems(
  { authorizers = [] }: AuthorizationConfiguration,
  checks: Checks,
): string[] {
  if (authorizers.length === 0)
    return [shown(required('authorizers', 'at least one authorization mode must be defined'))]
  const seenTypes = new Set<string>()
  const seenNames = new Set<string>()
  const errors = authorizers.flatMap((authorizer, i) =>
    authorizerErrors(authorizer, `authorizers[${i}]`, seenTypes, seenNames, checks),
  )
  return errors.map(shown)
}

const shown = ({ field, detail }: FieldError): string => `${field}: ${detail}`

function authorizerErrors(
  { type = '', name = '', webhook }: AuthorizerConfiguration,
  path: string,
  seenTypes: Set<string>,
  seenNames: Set<string>,
  checks: Checks,
): FieldError[] {
  if (type === '') return [required(`${path}.type`)]
  if (!AUTHORIZER_TYPES.some((known) => known === type))
    return [notSupported(`${path}.type`, type, AUTHORIZER_TYPES)]
  if (seenTypes.has(type) && type !== 'Webhook') return [duplicate(`${path}.type`, type)]
  seenTypes.add(type)
  const errors = nameErrors(name, `${path}.name`, seenNames)
  seenNames.add(name)
  if (type !== 'Webhook')
    return webhook
      ? [
          ...errors,
          invalidValue(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook'),
        ]
      : errors
  if (!webhook) return [...errors, required(`${path}.webhook`, 'required when type=Webhook')]
  return [...errors, ...webhookErrors(webhook, path, checks)]
}

function nameErrors(name: string, path: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(path)]
  if (seen.has(name)) return [duplicate(path, name)]
  const problems = dnsSubdomain(name, false)
  return problems.length === 0
    ? []
    : [invalidValue(path, name, `authorizer name is invalid: ${problems.join(', ')}`)]
}

/** kube-apiserver omits `webhook` in paths. */
function webhookErrors(webhook: WebhookConfiguration, path: string, checks: Checks): FieldError[] {
  const { subjectAccessReviewVersion, failurePolicy, connectionInfo = {} } = webhook
  const errors: FieldError[] = []
  const timeout = durationMilliseconds(webhook.timeout ?? '')
  if (timeout === 0) errors.push(required(`${path}.timeout`))
  else if (timeout < 0 || timeout > MAX_TIMEOUT)
    errors.push(invalidValue(`${path}.timeout`, goDuration(timeout), 'must be > 0s and <= 30s'))
  for (const member of ['authorizedTTL', 'unauthorizedTTL'] as const) {
    const length = durationMilliseconds(webhook[member])
    if (length < 0)
      errors.push(invalidValue(`${path}.${member}`, goDuration(length), 'must be > 0s'))
  }
  append(
    errors,
    choice(`${path}.subjectAccessReviewVersion`, subjectAccessReviewVersion, REVIEW_VERSIONS),
    conditionVersionErrors(webhook, `${path}.matchConditionSubjectAccessReviewVersion`),
    choice(`${path}.failurePolicy`, failurePolicy, POLICIES),
    connectionErrors(connectionInfo, `${path}.connectionInfo`, checks),
    conditionErrors(webhook, `${path}.matchConditions`, checks),
  )
  return errors
}

function choice(path: string, value: string | undefined, choices: readonly string[]): FieldError[] {
  if (!value) return [required(path)]
  return choices.includes(value) ? [] : [notSupported(path, value, choices)]
}

function conditionVersionErrors(
  { matchConditionSubjectAccessReviewVersion: version, matchConditions = [] }: WebhookConfiguration,
  path: string,
) {
  if (version) return choice(path, version, CONDITION_VERSIONS)
  return matchConditions.length > 0
    ? [required(path, 'required if match conditions are specified')]
    : []
}

function connectionErrors(
  connection: NonNullable<WebhookConfiguration['connectionInfo']>,
  path: string,
  checks: Checks,
): FieldError[] {
  const { type, kubeConfigFile } = connection
  const filePath = `${path}.kubeConfigFile`
  if (!type) return [required(`${path}.type`)]
  if (!CONNECTIONS.includes(type)) {
    const file = kubeConfigFile === undefined ? 'nil' : '0xc000000000'
    const value = `apiserver.WebhookConnectionInfo{Type:${goQuote(type)}, KubeConfigFile:(*string)(${file})}`
    return [
      {
        ...notSupported(`${path}.type`, '', CONNECTIONS),
        detail: `Unsupported value: ${value}: supported values: ${CONNECTIONS.map(goQuote).join(', ')}`,
      },
    ]
  }
  if (type === 'InClusterConfig')
    return kubeConfigFile === undefined
      ? []
      : [invalidValue(filePath, kubeConfigFile, 'can only be set when type=KubeConfigFile')]
  if (!kubeConfigFile) return [required(filePath)]
  if (!kubeConfigFile.startsWith('/'))
    return [invalidValue(filePath, kubeConfigFile, 'must be an absolute path')]
  const problem = fileProblem(kubeConfigFile, checks.files)
  return problem === undefined ? [] : [invalidValue(filePath, kubeConfigFile, problem)]
}

function fileProblem(path: string, files: Files): string | undefined {
  try {
    files.read(path)
    return undefined
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return error.why === 'is a directory'
      ? 'must be a regular file'
      : `error loading file: stat ${error.path}: ${error.why}`
  }
}

function conditionErrors(
  { matchConditions = [] }: WebhookConfiguration,
  path: string,
  { conditions }: Checks,
): FieldError[] {
  if (matchConditions.length > MAX_CONDITIONS)
    return [tooMany(path, matchConditions.length, MAX_CONDITIONS)]
  const seen = new Set<string>()
  return matchConditions.flatMap(({ expression = '' }, i): FieldError[] => {
    const at = `${path}[${i}].expression`
    if (goTrim(expression) === '') return [required(at)]
    if (seen.has(expression)) return [duplicate(at, expression)]
    seen.add(expression)
    const problem = conditions.problem(expression)
    return problem === undefined ? [] : [invalidValue(at, expression, problem)]
  })
}
