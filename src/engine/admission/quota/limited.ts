/**
 * Resources that need a ResourceQuota before anything may use them. kubernetes.io, "Limit Priority
 * Class consumption by default".
 */

import { aggregateMessage } from '../../core/aggregate-message'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'
import { failure } from '../../http/status'
import { parseQuantity } from '../../schema/quantity'
import { type AdmissionAttributes, resourceKey } from '../admission'
import { AdmissionConfigurationError, checkKind } from '../configuration'
import { newForbidden } from '../errors'
import { type ScopedSpec, type ScopeRequirement, scopesOf } from './scopes'
import type { Evaluator } from './usage'

export interface LimitedResource {
  /** `pods`, `deployments.apps` */
  key: string
  /** Substrings of quota resource names. */
  matchContains: string[]
  matchScopes: ScopeRequirement[]
}

const KINDS = {
  ResourceQuotaConfiguration: ['apiserver.config.k8s.io/v1'],
  Configuration: ['v1beta1', 'v1alpha1'].map(
    (version) => `resourcequota.admission.k8s.io/${version}`,
  ),
}

/** Ignores unknown members. @throws AdmissionConfigurationError */
export function limitedResources(given: JsonObject = {}): LimitedResource[] {
  if (Object.keys(given).length === 0) return []
  const kind = given.kind === 'Configuration' ? 'Configuration' : 'ResourceQuotaConfiguration'
  checkKind(given, KINDS[kind], kind)
  const entries = itemsOf(given.limitedResources)
  const nameless = entries.flatMap(({ resource = '' }, i) =>
    resource === '' ? `limitedResources[${i}].resource: Required value` : [],
  )
  if (nameless.length > 0) throw new AdmissionConfigurationError(aggregateMessage(nameless))
  return entries.map(({ apiGroup, resource, matchContains, matchScopes }) => ({
    key: resourceKey({
      group: String(apiGroup ?? ''),
      resource: String(resource),
      subresource: '',
    }),
    matchContains: textsOf(matchContains),
    matchScopes: itemsOf(matchScopes).map(({ scopeName = '', operator = '', values }) => ({
      scopeName: String(scopeName),
      operator: String(operator),
      values: textsOf(values),
    })),
  }))
}

const itemsOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : []

export class Limits {
  private readonly object: KubeObject

  constructor(
    private readonly limited: LimitedResource[],
    private readonly attributes: AdmissionAttributes,
    private readonly evaluator: Evaluator,
  ) {
    this.object = attributes.object as KubeObject
  }

  /**
   * @param specs of all quotas
   * @param entries of the object's quotas
   * @throws ApiError 403; 500 if no quota has the scope
   */
  check(specs: ScopedSpec[], entries: string[], now: number): void {
    if (this.limited.length === 0) return
    const uncounted = this.consumed(now).filter(
      (name) => !entries.includes(name) || !this.evaluator.counts(name),
    )
    if (uncounted.length > 0)
      throw newForbidden(
        this.attributes,
        `insufficient quota to consume: ${uncounted.sort().join(',')}`,
      )
    const covered = specs
      .flatMap((spec) => this.matching(scopesOf(spec)))
      .map(({ scopeName }) => scopeName)
    // Scopes apply to every object that they match, whatever resource the entry names.
    const wanting = this.limited
      .flatMap(({ matchScopes }) => this.matching(matchScopes))
      .filter((scope) => !covered.includes(scope.scopeName))
    if (wanting.length === 0) return
    // kube-apiserver returns a plain error, not a 403.
    throw failure(
      500,
      undefined,
      `insufficient quota to match these scopes: [${wanting.map(shown).join(' ')}]`,
    )
  }

  private consumed(now: number): string[] {
    const texts = this.limited
      .filter(({ key }) => key === resourceKey(this.attributes))
      .flatMap(({ matchContains }) => matchContains)
    if (texts.length === 0) return []
    return Object.entries(this.evaluator.usage(this.object, now)).flatMap(([name, amount]) =>
      parseQuantity(String(amount)).mantissa > 0n && texts.some((text) => name.includes(text))
        ? name
        : [],
    )
  }

  private matching(scopes: ScopeRequirement[]): ScopeRequirement[] {
    return scopes.filter((scope) => this.evaluator.matchesScope(this.object, scope))
  }
}

const shown = ({ scopeName, operator, values = [] }: ScopeRequirement): string =>
  `{${scopeName} ${operator} [${values.join(' ')}]}`
