/**
 * The served resources, discovery groups and OpenAPI documents of established definitions. Updated
 * as definitions change.
 */

import { equalJson } from '../core/object'
import { type ServedGroup, type ServedResource, withCustomGroups } from '../encoding/discovery'
import type { CustomResource } from '../encoding/openapi/custom'
import { type Definition, isConditionTrue } from '../kinds/apiextensions/definition'
import type { Resource } from '../registry/resource'
import type { ResourceTable } from '../registry/resource-table'
import { type ConverterEnvironment, WebhookConverter } from './conversion/webhook-converter'
import {
  CUSTOM_SUBRESOURCE_VERBS,
  CUSTOM_VERBS,
  resourcesOf,
  SCALE_KIND,
  schemaOf,
  TERMINATING_VERBS,
} from './custom-resource'
import type { DocumentedDefinitions } from './documented-definitions'

export class Definitions {
  private readonly byName = new Map<string, Definition>()
  private readonly served = new Map<string, Resource[]>()
  private made: { groups: ServedGroup[]; resources: CustomResource[] } | undefined

  /**
   * @param builtin the built-in groups
   * @param converting the transport for conversion webhooks
   * @param documented for metrics of OpenAPI documents
   */
  constructor(
    private readonly resources: ResourceTable,
    private readonly builtin: ServedGroup[],
    private readonly converting: ConverterEnvironment,
    private readonly documented: DocumentedDefinitions,
  ) {}

  all(): Iterable<Definition> {
    return this.byName.values()
  }

  get(name: string): Definition | undefined {
    return this.byName.get(name)
  }

  set(definition: Definition): void {
    const name = definition.metadata.name ?? ''
    const before = this.byName.get(name)
    this.byName.set(name, definition)
    if (before !== undefined && servesTheSame(before, definition)) return
    this.withdraw(name)
    const isEstablished = isConditionTrue(definition, 'Established')
    this.documented.set(name, isEstablished ? definition : undefined)
    if (!isEstablished) return
    const resources = this.isBuiltIn(definition.spec)
      ? []
      : resourcesOf(definition, this.converterOf(definition), this.resources.tables)
    for (const resource of resources) this.resources.add(resource)
    this.served.set(name, resources)
  }

  /**
   * Built-in groups serve all of their paths, so definitions cannot add any. Recorded from
   * kube-apiserver 1.31.
   */
  private isBuiltIn({ group }: Definition['spec']): boolean {
    return this.ownGroup(group) !== undefined
  }

  /** The OpenAPI of built-in versions is not replaced. */
  private isOwnVersion(group: string, version: string): boolean {
    return this.ownGroup(group)?.versions.some((served) => served.version === version) ?? false
  }

  private ownGroup(name: string): ServedGroup | undefined {
    return this.builtin.find(({ metadata }) => metadata.name === name)
  }

  private converterOf({ metadata, spec }: Definition): WebhookConverter | undefined {
    const { strategy, webhook } = spec.conversion ?? {}
    return strategy === 'Webhook' && webhook
      ? new WebhookConverter(metadata.name ?? '', webhook, this.converting)
      : undefined
  }

  delete(name: string): void {
    this.documented.set(name, undefined)
    this.byName.delete(name)
    this.withdraw(name)
  }

  private withdraw(name: string): void {
    this.made = undefined
    for (const resource of this.served.get(name) ?? []) this.resources.remove(resource)
    this.served.delete(name)
  }

  /** Built-in groups first. */
  groups(): ServedGroup[] {
    return this.documents().groups
  }

  /** Every served version of every custom resource. */
  customResources(): CustomResource[] {
    return this.documents().resources
  }

  private documents(): { groups: ServedGroup[]; resources: CustomResource[] } {
    if (this.made === undefined) {
      // Discovery lists the resources of a version by name. Recorded from kube-apiserver 1.31.
      const established = [...this.byName.values()]
        .filter((definition) => this.served.has(definition.metadata.name ?? ''))
        .sort((a, b) => (pluralOf(a) < pluralOf(b) ? -1 : 1))
      this.made = {
        groups: withCustomGroups(this.builtin, groupsOf(established)),
        resources: established
          .flatMap(customResourcesOf)
          .filter(({ group, version }) => !this.isOwnVersion(group, version)),
      }
    }
    return this.made
  }
}

const pluralOf = ({ spec }: Definition): string => spec.names.plural

/** Whether an update of the definition leaves all served resources unchanged. */
function servesTheSame(before: Definition, after: Definition): boolean {
  return (
    equalJson(before.spec, after.spec) &&
    equalJson(before.status?.acceptedNames, after.status?.acceptedNames) &&
    ['Established', 'Terminating'].every(
      (type) => isConditionTrue(before, type) === isConditionTrue(after, type),
    )
  )
}

function groupsOf(definitions: Definition[]): ServedGroup[] {
  const groups = new Map<string, ServedGroup>()
  for (const definition of definitions) {
    const { group: name, versions } = definition.spec
    const group = groups.get(name) ?? { metadata: { name, creationTimestamp: null }, versions: [] }
    groups.set(name, group)
    for (const { name: version, served } of versions) {
      if (!served) continue
      let entry = group.versions.find((candidate) => candidate.version === version)
      if (entry === undefined) {
        entry = { version, resources: [], freshness: 'Current' }
        group.versions.push(entry)
      }
      entry.resources.push(discovered(definition, version))
    }
  }
  return [...groups.values()]
}

function discovered(definition: Definition, version: string): ServedResource {
  const { group, scope, versions } = definition.spec
  const { plural, singular = '', kind, shortNames, categories } = definition.status.acceptedNames
  const { subresources } = versions.find(({ name }) => name === version) ?? {}
  const own = { group, version, kind }
  const shown = [
    ...(subresources?.status
      ? [{ subresource: 'status', responseKind: own, verbs: CUSTOM_SUBRESOURCE_VERBS }]
      : []),
    ...(subresources?.scale
      ? [{ subresource: 'scale', responseKind: SCALE_KIND, verbs: CUSTOM_SUBRESOURCE_VERBS }]
      : []),
  ]
  return {
    resource: plural,
    responseKind: own,
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: isConditionTrue(definition, 'Terminating') ? TERMINATING_VERBS : CUSTOM_VERBS,
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(shown.length > 0 ? { subresources: shown } : {}),
    // Discovery omits a version that is not served. Recorded from kube-apiserver 1.31.
    storedAs: {
      group,
      version: versions.find(({ storage, served }) => storage && served)?.name ?? '',
    },
  }
}

function customResourcesOf(definition: Definition): CustomResource[] {
  const { group, scope, versions } = definition.spec
  const { plural, kind, listKind = `${kind}List` } = definition.status.acceptedNames
  return versions
    .filter(({ served }) => served)
    .map((version) => ({
      group,
      version: version.name,
      plural,
      kind,
      listKind,
      namespaced: scope === 'Namespaced',
      schema: schemaOf(definition, version),
      hasStatus: version.subresources?.status !== undefined,
      hasScale: version.subresources?.scale !== undefined,
      ...(version.selectableFields
        ? { selectableFields: version.selectableFields.map(fieldPathOf) }
        : {}),
    }))
}

const fieldPathOf = ({ jsonPath }: { jsonPath: string }) => ({
  fieldPath: jsonPath.replace(/^\./, ''),
})
