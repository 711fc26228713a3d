/** What plugins, policies and webhooks may know and do, made of the running engine. */
import type { AdmissionAttributes } from './admission/admission'
import type { PluginConfigurations } from './admission/configuration'
import { readObject } from './admission/environment'
import type { Engine } from './engine'
import { completed, expectedKind, expectedOf } from './http/body'
import { draftOf, type GroupVersionKind, type KubeObject, parseApiVersion } from './object'
import { type PolicyEnvironment, type ServedForm, UnreadableDocument } from './policy/environment'
import type { Resource, SlowConversion, Subresource } from './registry/resource'
import { createNamespace, writeStatus } from './registry/server-writes'
import { canonicalize } from './schema/canonical'
import { DecodeError, decodeObject } from './schema/decode'
import { typeOfEveryRelease } from './schema/every-release'
import type { StructType } from './schema/model'

/** @param configurations what plugins are told, by their names */
export function policyEnvironment(
  engine: Engine,
  { outbound, metrics, podSecurity, stopwatch }: Pick<PolicyEnvironment, 'outbound' | 'metrics' | 'podSecurity' | 'stopwatch'>,
  configurations: PluginConfigurations,
): PolicyEnvironment {
  const { storage, patience: clock, random, log, resources } = engine
  const forms = new WeakMap<Resource, Map<string, ServedForm>>()
  const formOf = (resource: Resource, subresource: string): ServedForm => {
    const known = forms.get(resource) ?? new Map<string, ServedForm>()
    forms.set(resource, known)
    const form = known.get(subresource) ?? servedForm(engine, resource, resource.subresources.get(subresource))
    known.set(subresource, form)
    return form
  }
  const requested = ({ group, version, resource, subresource }: AdmissionAttributes): ServedForm => {
    const found = resources.findInside(group, version, resource)
    if (found === undefined) throw new Error(`${group}/${version} ${resource} is not served any more`)
    return formOf(found, subresource)
  }
  const environment: PolicyEnvironment = {
    storage,
    clock,
    random,
    log,
    outbound,
    release: engine.release.name,
    metrics,
    podSecurity,
    stopwatch,
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
      return {
        namespaced,
        prefix,
        async show(objects) {
          await resource.conversion?.prepare(objects, 'all')
          return objects.map((object) => (resource.fromHub ? resource.fromHub(object) : object))
        },
      }
    },
    equivalents({ group, version, resource, subresource }) {
      const own = resources.findInside(group, version, resource)
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
  const converted = resource.conversion && !isOther ? new ConvertedStates(resource, resource.conversion) : undefined
  const show = (object: KubeObject): KubeObject => {
    if (converted && object.apiVersion !== resource.apiVersion) return converted.of(object)
    if (isOther) return canonicalize(type, object)
    const canonical = canonicalize(resource.custom ? resource.type : resource.storedType, object)
    return resource.fromHub ? resource.fromHub(canonical) : canonical
  }
  const expected = isOther ? expectedKind(inner, type) : expectedOf(resource)
  return {
    group,
    version,
    resource: resource.resource,
    kind: inner,
    show,
    ...(converted ? { ready: (attributes) => converted.prepare(attributes) } : {}),
    adopt: (draft) => adopted(resource, draft),
    read(document) {
      try {
        return completed(decodeObject(type, document).object, expected)
      } catch (error) {
        throw error instanceof DecodeError ? new UnreadableDocument(error.message) : error
      }
    },
  }
}

/** Custom resources go through a write in the version of the request; built-in kinds in the stored one, whatever was asked for. */
function adopted({ custom, apiVersion, conversion, fromHub }: Resource, draft: KubeObject): KubeObject | Promise<KubeObject> {
  if (!custom || draft.apiVersion === apiVersion || !fromHub) return draft
  return conversion ? conversion.convert(draft, apiVersion) : draftOf(fromHub(draft))
}

/** The states of requests in a version that somebody else converts into. Drafts change: a form is of the text that was converted. */
class ConvertedStates {
  private readonly drafts = new WeakMap<KubeObject, { text: string; form: KubeObject }>()

  constructor(
    private readonly resource: Resource,
    private readonly conversion: SlowConversion,
  ) {}

  async prepare({ object, oldObject }: AdmissionAttributes): Promise<void> {
    const { apiVersion } = this.resource
    if (oldObject !== undefined) await this.conversion.prepare([oldObject], 'missing')
    if (object === undefined || object.apiVersion === apiVersion) return
    const text = JSON.stringify(object)
    if (this.drafts.get(object)?.text === text) return
    this.drafts.set(object, { text, form: await this.conversion.convert(JSON.parse(text) as KubeObject, apiVersion) })
  }

  of(state: KubeObject): KubeObject {
    const draft = this.drafts.get(state)
    if (draft?.text === JSON.stringify(state)) return draft.form
    return this.resource.fromHub ? this.resource.fromHub(state) : state
  }
}
