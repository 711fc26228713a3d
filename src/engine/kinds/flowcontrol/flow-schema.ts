/** Rules of FlowSchemas. Recorded from kube-apiserver 1.31. */
import type {
  FlowSchema,
  NonResourceRule,
  ResourceRule,
  Rule,
  Subject,
} from '../../flow-control/flow-schema'
import type { FieldError } from '../../http/status'
import { STATUS_ALONE, type Strategy } from '../../registry/strategy'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  notSupportedPrinted,
  required,
} from '../../validation/field-errors'
import { invalidList, printedList, unsupportedStructure } from '../../validation/go-literal'
import { dnsLabelProblems, dnsSubdomainProblems } from '../../validation/names'
import { fixedSpecErrors } from './mandatory'
import { keepMetadata, statusErrors } from './status'

const DEFAULT_PRECEDENCE = 1000
const MAX_PRECEDENCE = 10_000
const ANY = '*'
const VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
]

const each = (problems: string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalidValue(field, value, problem))

function specErrors({ spec = {}, metadata }: FlowSchema): FieldError[] {
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method, rules } = spec
  const level = spec.priorityLevelConfiguration?.name ?? ''
  const field = 'spec.matchingPrecedence'
  const errors: FieldError[] = []
  if (precedence <= 0) errors.push(invalidValue(field, precedence, 'must be a positive value'))
  if (precedence > MAX_PRECEDENCE)
    errors.push(invalidValue(field, precedence, `must not be greater than ${MAX_PRECEDENCE}`))
  if (precedence === 1 && metadata.name !== 'exempt')
    errors.push(
      invalidValue(
        field,
        precedence,
        "only the schema named 'exempt' may have matchingPrecedence 1",
      ),
    )
  const methods = ['ByNamespace', 'ByUser']
  if (method && !methods.includes(method.type ?? ''))
    errors.push(
      unsupportedStructure(
        'spec.distinguisherMethod.type',
        'flowcontrol.v1.FlowDistinguisherMethod',
        method,
        methods,
      ),
    )
  const levelField = 'spec.priorityLevelConfiguration.name'
  return [
    ...errors,
    ...(level === ''
      ? [required(levelField, 'must reference a priority level')]
      : each(dnsSubdomainProblems(level), levelField, level)),
    ...(rules ?? []).flatMap((rule, i) => ruleErrors(rule, `spec.rules[${i}]`)),
  ]
}

function ruleErrors(
  { subjects, resourceRules, nonResourceRules }: Rule,
  path: string,
): FieldError[] {
  const nothing = !resourceRules?.length && !nonResourceRules?.length
  return [
    ...(subjects?.length
      ? subjects.flatMap((subject, i) => subjectErrors(subject, `${path}.subjects[${i}]`))
      : [required(`${path}.subjects`, 'subjects must contain at least one value')]),
    ...(nothing
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...(resourceRules ?? []).flatMap((rule, i) =>
      resourceRuleErrors(rule, `${path}.resourceRules[${i}]`),
    ),
    ...(nonResourceRules ?? []).flatMap((rule, i) =>
      nonResourceRuleErrors(rule, `${path}.nonResourceRules[${i}]`),
    ),
  ]
}

/** In order of errors. */
const MEMBER_OF = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const

function subjectErrors(subject: Subject, path: string): FieldError[] {
  const kind = subject.kind ?? ''
  if (!Object.hasOwn(MEMBER_OF, kind))
    return [notSupported(`${path}.kind`, kind, ['Group', 'ServiceAccount', 'User'])]
  const own = MEMBER_OF[kind as keyof typeof MEMBER_OF]
  const held = subject[own]
  const others = Object.entries(MEMBER_OF).filter(([, member]) => member !== own && subject[member])
  return [
    ...(held
      ? heldErrors(held, own, `${path}.${own}`)
      : [required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`)]),
    ...others.map(([other, member]) =>
      forbiddenField(
        `${path}.${member}`,
        `${member} is forbidden when subject kind is not '${other}'`,
      ),
    ),
  ]
}

function heldErrors(
  { name = '', namespace = '' }: { name?: string; namespace?: string },
  member: string,
  path: string,
): FieldError[] {
  if (member !== 'serviceAccount') return name === '' ? [required(`${path}.name`)] : []
  return [
    ...(name === ''
      ? [required(`${path}.name`)]
      : name === ANY
        ? []
        : each(dnsSubdomainProblems(name), `${path}.name`, name)),
    ...(namespace === ''
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : each(dnsLabelProblems(namespace), `${path}.namespace`, namespace)),
  ]
}

/** A wildcard must be the only item. */
function listErrors(
  field: string,
  list: string[] | null | undefined,
  absent: string,
  what: string,
): FieldError[] {
  if (!list?.length) return [required(field, absent)]
  if (list.includes(ANY) && list.length > 1)
    return [invalidList(field, list, `if '*' is present, must not specify other ${what}`)]
  return []
}

function verbErrors(verbs: string[] | null | undefined, path: string): FieldError[] {
  const field = `${path}.verbs`
  const errors = listErrors(field, verbs, 'verbs must contain at least one value', 'verbs')
  if (errors.length > 0 || (verbs ?? []).every((verb) => verb === ANY || VERBS.includes(verb)))
    return errors
  return [notSupportedPrinted(field, printedList(verbs ?? []), VERBS)]
}

function resourceRuleErrors(
  { verbs, apiGroups, resources, clusterScope, namespaces }: ResourceRule,
  path: string,
): FieldError[] {
  return [
    ...verbErrors(verbs, path),
    ...listErrors(
      `${path}.apiGroups`,
      apiGroups,
      'resource rules must supply at least one api group',
      'api groups',
    ),
    ...listErrors(
      `${path}.resources`,
      resources,
      'resource rules must supply at least one resource',
      'resources',
    ),
    ...namespaceErrors(namespaces ?? [], clusterScope === true, `${path}.namespaces`),
  ]
}

function namespaceErrors(namespaces: string[], clusterScope: boolean, field: string): FieldError[] {
  if (namespaces.length === 0 && clusterScope) return []
  const absent = 'resource rules that are not cluster scoped must supply at least one namespace'
  const errors = listErrors(field, namespaces, absent, 'namespaces')
  if (errors.length > 0 || namespaces.includes(ANY)) return errors
  const wanted = "each member of this list must be '*' or a DNS-1123 label; "
  return namespaces.flatMap((namespace, i) =>
    dnsLabelProblems(namespace).map((problem) =>
      invalidValue(`${field}[${i}]`, namespace, wanted + problem),
    ),
  )
}

function nonResourceRuleErrors(
  { verbs, nonResourceURLs: paths }: NonResourceRule,
  path: string,
): FieldError[] {
  const field = `${path}.nonResourceURLs`
  return [
    ...verbErrors(verbs, path),
    ...listErrors(
      field,
      paths,
      'nonResourceURLs must contain at least one value',
      'non-resource URLs',
    ),
    ...(paths?.includes(ANY) ? [] : (paths ?? [])).flatMap((one, i) =>
      each(pathProblems(one), `${field}[${i}]`, one),
    ),
  ]
}

function pathProblems(path: string): string[] {
  if (path === '') return ['must not be empty']
  if (!path.startsWith('/')) return ['must start with slash']
  if (path.includes(' ')) return ['must not contain white-space']
  if (path.includes('//')) return ['must not contain double slash']
  const wildcards = path.split(ANY).length - 1
  return wildcards === 0 || (wildcards === 1 && path.endsWith('/*'))
    ? []
    : ['wildcard can only do suffix matching']
}

export const flowSchemaStrategy: Strategy = {
  generationFields: ['spec'],
  serverOwned: ['status'],
  statusKeeps: STATUS_ALONE,
  defaults(object) {
    const { spec } = object as FlowSchema
    if (spec) spec.matchingPrecedence ||= DEFAULT_PRECEDENCE
  },
  validate: (object, { engine }) => [
    ...specErrors(object as FlowSchema),
    ...fixedSpecErrors(object, engine),
  ],
  status: { prepareForUpdate: keepMetadata, validateUpdate: statusErrors },
}
