import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'

const objectsIn = (list: Json | undefined): JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : []
const membersOf = (object: KubeObject): JsonObject => object as unknown as JsonObject

function defaultRules(rules: Json | undefined): void {
  for (const rule of objectsIn(rules)) rule.scope ??= '*'
}

/** Unset selectors match everything. */
function defaultMatching(members: JsonObject): void {
  members.matchPolicy ??= 'Equivalent'
  members.namespaceSelector ??= {}
  members.objectSelector ??= {}
}

export function defaultWebhooks(object: KubeObject): void {
  for (const webhook of objectsIn(membersOf(object).webhooks)) {
    webhook.failurePolicy ??= 'Fail'
    webhook.timeoutSeconds ??= 10
    defaultMatching(webhook)
    defaultRules(webhook.rules)
    const service = isJsonObject(webhook.clientConfig) ? webhook.clientConfig.service : undefined
    if (isJsonObject(service)) service.port ??= 443
  }
}

export function defaultMutatingWebhooks(object: KubeObject): void {
  defaultWebhooks(object)
  for (const webhook of objectsIn(membersOf(object).webhooks))
    webhook.reinvocationPolicy ??= 'Never'
}

function defaultMatchResources(constraints: Json | undefined): void {
  if (!isJsonObject(constraints)) return
  defaultMatching(constraints)
  defaultRules(constraints.resourceRules)
  defaultRules(constraints.excludeResourceRules)
}

export function defaultPolicy(object: KubeObject): void {
  const members = membersOf(object)
  members.spec ??= {}
  if (!isJsonObject(members.spec)) return
  members.spec.failurePolicy ??= 'Fail'
  defaultMatchResources(members.spec.matchConstraints)
}

export function defaultBinding(object: KubeObject): void {
  const { spec } = membersOf(object)
  if (isJsonObject(spec)) defaultMatchResources(spec.matchResources)
}
