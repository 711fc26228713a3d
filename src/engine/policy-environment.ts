/** What plugins, policies and webhooks may know and do, made of the running engine. */
import type { AdmissionAttributes } from './admission/admission'
import type { PluginConfigurations } from './admission/configuration'
import { readObject } from './admission/environment'
import type { Engine } from './engine'
import { completed, expectedOf } from './http/body'
import { type GroupVersionKind, type KubeObject, parseApiVersion } from './object'
import type { Outbound } from './outbound'
import { type PolicyEnvironment, type ServedForm, UnreadableDocument } from './policy/environment'
import type { Resource, Subresource } from './registry/resource'
import { createNamespace, writeStatus } from './registry/server-writes'
import { canonicalize } from './schema/canonical'
import { DecodeError, decodeObject } from './schema/decode'
import { typeOfEveryRelease } from './schema/every-release'
import type { StructType } from './schema/model'

/** @param configurations what plugins are told, by their names */
export function policyEnvironment(engine: Engine, outbound: Outbound | undefined, configurations: PluginConfigurations): PolicyEnvironment {
  const { storage, clock, random, log, resources } = engine
  const forms = new WeakMap<Resource, Map<string, ServedForm>>()
  const formOf = (resource: Resource, subresource: string): ServedForm => {
    const known = forms.get(resource) ?? new Map<string, ServedForm>()
    forms.set(resource, known)
    const form = known.get(subresource) ?? servedForm(engine, resource, resource.subresources.get(subresource))
    known.set(subresource, form)
    return form
  }
  const requested = ({ group, version, resource, subresource }: AdmissionAttributes): ServedForm => {
    const found = resources.find(group, version, resource)
    if (found === undefined) throw new Error(`${group}/${version} ${resource} is not served any more`)
    return formOf(found, subresource)
  }
  const environment: PolicyEnvironment = {
    storage,
    clock,
    random,
    log,
    outbound,
    authorizer: () => engine.authorizer,
    configurationOf: (plugin) => configurations[plugin],
    resourceOf(apiVersion, kind) {
      const { group, version } = parseApiVersion(apiVersion)
      return resources.byKind(group, version, kind)
    },
    writeStatus: (stored, status) => writeStatus(engine, stored, status),
    createNamespace: (name) => createNamespace(engine, name),
    requested,
    paramForm(apiVersion, kind) {
      const { group, version } = parseApiVersion(apiVersion)
      const resource = resources.byKind(group, version, kind)
      if (resource === undefined) return undefined
      const { namespaced, prefix } = resource
      return { namespaced, prefix, show: (object) => (resource.fromHub ? resource.fromHub(object) : object) }
    },
    equivalents({ group, version, resource, subresource }) {
      const own = resources.find(group, version, resource)
      const same = [...resources.all()].filter((other) => other.prefix === own?.prefix)
      return same.filter((other) => subresource === '' || other.subresources.has(subresource)).map((other) => formOf(other, subresource))
    },
    async namespaceLabels(name) {
      const namespace = await readObject(environment, `/registry/namespaces/${name}`)
      return namespace === undefined ? undefined : (namespace.metadata.labels ?? {})
    },
  }
  return environment
}

/** What is only said in queries (PodExecOptions …) is in the descriptions of no version that is served. */
function typeOf({ model }: Engine, kind: GroupVersionKind): StructType | undefined {
  return model.byKind(kind.group, kind.version, kind.kind) ?? typeOfEveryRelease(kind)
}

/** Subresources with a kind of their own (Scale, Eviction …) have it in every version of their resource. */
function servedForm(engine: Engine, resource: Resource, subresource: Subresource | undefined): ServedForm {
  const { group, version, kind } = resource
  const own = { group, version, kind }
  const inner = subresource?.kind ?? own
  const isOther = inner.kind !== kind
  const type = isOther ? typeOf(engine, inner) : resource.type
  if (type === undefined) throw new Error(`the type model lacks ${inner.group}/${inner.version} ${inner.kind}`)
  const show = (object: KubeObject): KubeObject => {
    if (isOther) return canonicalize(type, object)
    const canonical = canonicalize(resource.storedType, object)
    return resource.fromHub ? resource.fromHub(canonical) : canonical
  }
  const expected = isOther ? { ...inner, type, custom: false } : expectedOf(resource)
  return {
    group,
    version,
    resource: resource.resource,
    kind: inner,
    show,
    read(document) {
      try {
        return completed(decodeObject(type, document).object, expected)
      } catch (error) {
        throw error instanceof DecodeError ? new UnreadableDocument(error.message) : error
      }
    },
  }
}
