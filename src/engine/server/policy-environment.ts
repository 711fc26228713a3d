import type { AdmissionAttributes } from '../admission/admission'
import type { PluginConfigurations } from '../admission/configuration'
import { readObject } from '../admission/environment'
import { memoizeByIdentity } from '../core/identity-memo'
import {
  draftOf,
  entryOf,
  type GroupVersionKind,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '../core/object'
import { completed, type Expected, expectedKind, expectedOf, kindOf } from '../http/body'
import { serverError } from '../http/status'
import { type PolicyEnvironment, type ServedForm, UnreadableDocument } from '../policy/environment'
import type { Engine } from '../registry/engine'
import type { Resource, SlowConversion, Subresource } from '../registry/resource'
import { createNamespace, writeStatus } from '../registry/server-writes'
import { canonicalize } from '../schema/canonical'
import { DecodeError, decodeObject } from '../schema/decode'
import { ENVELOPE, envelopeOf, SyntaxProblem } from '../schema/envelope'
import { typeOfEveryRelease } from '../schema/every-release'
import { goQuote } from '../schema/go-text'
import type { StructType } from '../schema/model'
import { type NamedKind, unconvertible, unregistered } from '../schema/registered-kinds'

export function policyEnvironment(
  engine: Engine,
  {
    outbound,
    files,
    metrics,
    podSecurity,
    stopwatch,
    tolerationSeconds,
  }: Pick<
    PolicyEnvironment,
    'outbound' | 'files' | 'metrics' | 'podSecurity' | 'stopwatch' | 'tolerationSeconds'
  >,
  configurations: PluginConfigurations,
): PolicyEnvironment {
  const { storage, wallClock: clock, random, log, resources } = engine
  const formsOf = memoizeByIdentity((_: Resource) => new Map<string, ServedForm>())
  const formOf = (resource: Resource, subresource: string): ServedForm => {
    const known = formsOf(resource)
    const form =
      known.get(subresource) ?? servedForm(engine, resource, resource.subresources.get(subresource))
    known.set(subresource, form)
    return form
  }
  const requested = ({
    group,
    version,
    resource,
    subresource,
  }: AdmissionAttributes): ServedForm => {
    const found = resources.findInside(group, version, resource)
    if (found === undefined)
      throw new Error(`${group}/${version} ${resource} is not served any more`)
    return formOf(found, subresource)
  }
  const environment: PolicyEnvironment = {
    storage,
    clock,
    random,
    log,
    outbound,
    files,
    release: engine.release.name,
    featureGates: engine.featureGates,
    metrics,
    podSecurity,
    tolerationSeconds,
    stopwatch,
    authorizer: () => engine.authorizer,
    configurationOf: (plugin) => entryOf(configurations, plugin),
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
        type: resource.custom ? undefined : resource.type,
        async show(objects) {
          await resource.conversion?.prepare(objects, 'all')
          return objects.map((object) => (resource.fromHub ? resource.fromHub(object) : object))
        },
      }
    },
    equivalents({ group, version, resource, subresource }) {
      const own = resources.findInside(group, version, resource)
      const same = [...resources.all()].filter((other) => other.prefix === own?.prefix)
      return same
        .filter((other) => subresource === '' || other.subresources.has(subresource))
        .map((other) => formOf(other, subresource))
    },
    async namespaceLabels(name) {
      const namespace = await readObject(environment, `/registry/namespaces/${name}`)
      return namespace === undefined ? undefined : (namespace.metadata.labels ?? {})
    },
  }
  return environment
}

/** No served version describes query options (PodExecOptions). */
function typeOf({ model, tables }: Engine, kind: GroupVersionKind): StructType | undefined {
  return model.byKind(kind.group, kind.version, kind.kind) ?? typeOfEveryRelease(kind, tables)
}

/** A subresource's kind (Scale, Eviction …) is the same in every version. */
function servedForm(
  engine: Engine,
  resource: Resource,
  subresource: Subresource | undefined,
): ServedForm {
  const { group, version, kind } = resource
  const own = { group, version, kind }
  const inner = subresource?.kind ?? own
  const isOther = inner.kind !== kind
  const type = isOther ? typeOf(engine, inner) : resource.type
  if (type === undefined)
    throw new Error(`the type model lacks ${inner.group}/${inner.version} ${inner.kind}`)
  const converted =
    resource.conversion && !isOther ? new ConvertedStates(resource, resource.conversion) : undefined
  const show = (object: KubeObject): KubeObject => {
    if (converted && object.apiVersion !== resource.apiVersion) return converted.of(object)
    if (isOther) return canonicalize(type, object)
    const canonical = canonicalize(resource.custom ? resource.type : resource.storedType, object)
    return resource.fromHub ? resource.fromHub(canonical) : canonical
  }
  const expected = isOther ? expectedKind(inner, type, engine.tables) : expectedOf(resource)
  return {
    group,
    version,
    resource: resource.resource,
    kind: inner,
    type,
    typed: isOther || !resource.custom,
    show,
    ...(converted ? { ready: (attributes) => converted.prepare(attributes) } : {}),
    adopt: (draft) => adopted(resource, draft),
    read(document, unknown) {
      try {
        const found = namedKind(document, expected)
        const { object, problems } = decodeObject(type, document)
        if (unknown === 'strict' && !expected.custom && problems.length > 0)
          throw new UnreadableDocument(`strict decoding error: ${problems.join(', ')}`)
        if (found !== expected) checkSameKind(found, expected)
        return completed(object, expected)
      } catch (error) {
        throw error instanceof DecodeError || error instanceof SyntaxProblem
          ? new UnreadableDocument(error.message)
          : error
      }
    },
  }
}

/** Custom resources need a kind. @throws UnreadableDocument, SyntaxProblem */
function namedKind(document: JsonObject, expected: Expected): NamedKind {
  const { kind, apiVersion } = document
  if (!expected.custom) {
    const found = kindOf(document, expected)
    const unknown = found === expected ? undefined : unregistered(found, expected, expected.tables)
    if (unknown !== undefined) throw new UnreadableDocument(unknown)
    return found
  }
  if (kind === expected.kind && apiVersion === expected.apiVersion) return expected
  const typeMeta = envelopeOf(document)
  if (Array.isArray(document))
    throw new UnreadableDocument(
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${ENVELOPE}`,
    )
  if (!typeMeta.kind)
    throw new UnreadableDocument(`Object 'Kind' is missing in '${JSON.stringify(document)}'`)
  return typeMeta.apiVersion
    ? kindOf(document, expected)
    : { group: '', version: '', kind: typeMeta.kind }
}

/** Another kind is not a webhook failure (kube-apiserver 1.31). @throws ApiError 500 */
function checkSameKind(found: NamedKind, expected: Expected): void {
  const { group, version, kind } = found
  if (!expected.custom) {
    const misfit = unconvertible(found, expected)
    if (misfit !== undefined) throw serverError(misfit)
    return
  }
  if (group !== expected.group)
    throw serverError(
      `${group}/${version}, Kind=${kind} is unstructured and is not suitable for converting to ${goQuote(expected.apiVersion)}`,
    )
}

/** Custom resources are in the version of the request, others in the stored one. */
function adopted(
  { custom, apiVersion, conversion, fromHub }: Resource,
  draft: KubeObject,
): KubeObject | Promise<KubeObject> {
  if (!custom || draft.apiVersion === apiVersion || !fromHub) return draft
  return conversion ? conversion.convert(draft, apiVersion) : draftOf(fromHub(draft))
}

/** Drafts change, so their text is the cache key. */
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
    this.drafts.set(object, {
      text,
      form: await this.conversion.convert(JSON.parse(text) as KubeObject, apiVersion),
    })
  }

  of(state: KubeObject): KubeObject {
    const draft = this.drafts.get(state)
    if (draft?.text === JSON.stringify(state)) return draft.form
    return this.resource.fromHub ? this.resource.fromHub(state) : state
  }
}
