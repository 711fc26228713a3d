/** Roles and their subjects. */

import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
} from 'kubernetes-types/rbac/v1'
import { append } from '../../engine/core/lists'
import { describes } from './description'
import { head } from './metadata'
import type { Report } from './report'
import { byName } from './words'

/** Splits rules into single groups, resources, names, paths and verbs, to merge them. */
function brokenDown(rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.flatMap(
    ({ apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs }) => {
      const names = resourceNames.length > 0 ? resourceNames.map((name) => [name]) : [undefined]
      const ofResources = apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.flatMap((verb) =>
            names.map((name) => ({
              verbs: [verb],
              apiGroups: [group],
              resources: [resource],
              ...(name ? { resourceNames: name } : {}),
            })),
          ),
        ),
      )
      const ofPaths = nonResourceURLs.flatMap((path) =>
        verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [path] })),
      )
      return [...ofResources, ...ofPaths]
    },
  )
}

/** Merges rules of one resource, in order of appearance. */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const byTarget = new Map<string, PolicyRule>()
  const others: PolicyRule[] = []
  for (const rule of rules) {
    if (!rule.resources) {
      others.push(rule)
      continue
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames])
    const known = byTarget.get(key)
    if (known)
      append(
        known.verbs,
        rule.verbs.filter((verb) => !known.verbs.includes(verb)),
      )
    else byTarget.set(key, { ...rule, verbs: [...rule.verbs] })
  }
  return [...byTarget.values(), ...others]
}

/** Sort key: Go's text of the rule. */
const textOf = ({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): string =>
  [verbs, apiGroups, resources, resourceNames, nonResourceURLs]
    .map((list) => `[${list.join(' ')}]`)
    .join(',')

/** `deployments.apps/scale` */
function qualifiedResource({
  resources: [resource = ''] = [],
  apiGroups: [group = ''] = [],
}: PolicyRule): string {
  const [name, ...sub] = resource.split('/')
  return [group === '' ? name : `${name}.${group}`, ...sub].join('/')
}

const bracketed = (list: readonly string[] | undefined): string => `[${(list ?? []).join(' ')}]`

/** Rows of resources, paths, names and verbs. */
export function ruleRows(rules: readonly PolicyRule[]): string[][] {
  return compacted(brokenDown(rules))
    .sort((a, b) => byName(textOf(a), textOf(b)))
    .map((rule) => [
      qualifiedResource(rule),
      bracketed(rule.nonResourceURLs),
      bracketed(rule.resourceNames),
      bracketed(rule.verbs),
    ])
}

export const role = describes<Role | ClusterRole>({
  events: false,
  write: (report, { metadata, rules }) => {
    head(report, metadata, false)
    report.line(0, 'PolicyRule:')
    report.line(1, 'Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs')
    report.line(1, '---------', '-----------------', '--------------', '-----')
    for (const row of ruleRows(rules ?? [])) report.line(1, ...row)
  },
})

function subjects(report: Report, list: RoleBinding['subjects']): void {
  report.line(0, 'Subjects:')
  report.line(1, 'Kind', 'Name', 'Namespace')
  report.line(1, '----', '----', '---------')
  for (const { kind, name, namespace } of list ?? []) report.line(1, kind, name, namespace)
}

export const binding = describes<RoleBinding | ClusterRoleBinding>({
  events: false,
  write: (report, { metadata, roleRef, subjects: list }) => {
    head(report, metadata, false)
    report.line(0, 'Role:')
    report.field(1, 'Kind', roleRef.kind)
    report.field(1, 'Name', roleRef.name)
    subjects(report, list)
  },
})
