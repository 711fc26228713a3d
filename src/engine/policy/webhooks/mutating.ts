/**
 * A webhook with reinvocationPolicy IfNeeded runs again if a later one changed the object
 * (kubernetes.io, "Reinvocation policy").
 */
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission/admission'
import { reinvocationStateOf, requireReinvocations } from '../../admission/reinvocation'
import { API_DOMAIN } from '../../core/names'
import { equalJson, type Json, type JsonObject, type KubeObject } from '../../core/object'
import { internalError } from '../../http/status'
import { applyOperations, JsonPatchFailure } from '../../patch/json-patch'
import { goJson } from '../../schema/go-json'
import { goQuote } from '../../schema/go-text'
import { JsonSyntaxError, readJson } from '../../schema/json-reader'
import { MOST_NESTED } from '../../schema/nesting'
import { type PolicyEnvironment, type ServedForm, UnreadableDocument } from '../environment'
import { replaceMembers } from '../replace-members'
import { type AdmissionResponse, CallFailure } from './admission-response'
import { callWebhook } from './call'
import { withWebhookMetrics } from './call-metrics'
import { withCredentials } from './credentials'
import { type Hook, hooksOf, isExempt } from './hooks'
import { invocationOf } from './invocation'
import { callFailed, checkSideEffects, rejected } from './rejection'
import { annotate, recordResponse } from './validating'

const NAME = 'MutatingAdmissionWebhook'
const RESOURCE = 'mutatingwebhookconfigurations'

export function mutatingAdmissionWebhook(given: PolicyEnvironment): AdmissionPlugin {
  const environment = withCredentials(given, NAME)
  const live = hooksOf(environment, RESOURCE)
  const run = async (
    attributes: AdmissionAttributes,
    configurations: readonly (readonly Hook[])[],
  ) => {
    if (isExempt(attributes)) return
    const state = reinvocationStateOf(attributes, NAME)
    const again = attributes.round === 'second'
    if (again && state.left !== JSON.stringify(attributes.object)) requireReinvocations(state)
    for (const [index, hook] of configurations.flat().entries()) {
      const form = await invocationOf(hook, attributes, environment, 'admit')
      if (form === undefined || (again && !state.due.has(hook.id))) continue
      const changed = await callHook(
        environment,
        hook,
        attributes,
        form,
        `round_${again ? 1 : 0}_index_${index}`,
      )
      if (changed) {
        requireReinvocations(state)
        attributes.round ??= 'first, to be repeated'
      }
      if (hook.webhook.reinvocationPolicy === 'IfNeeded') state.reinvocable.add(hook.id)
    }
    state.left = JSON.stringify(attributes.object)
  }
  return {
    name: NAME,
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    mutate(attributes) {
      const configurations = live.all()
      if (!Array.isArray(configurations))
        return Promise.resolve(configurations).then((all) => run(attributes, all))
      return configurations.length === 0 ? undefined : run(attributes, configurations)
    },
  }
}

/**
 * @param place of the call, for the audit annotation
 * @returns whether the object changed
 * @throws ApiError of the webhook; 500 if the failure policy is Fail
 */
async function callHook(
  environment: PolicyEnvironment,
  hook: Hook,
  attributes: AdmissionAttributes,
  form: ServedForm,
  place: string,
): Promise<boolean> {
  const { webhook, configuration } = hook
  const name = webhook.name ?? ''
  const requested = environment.requested(attributes)
  let mutated = false
  const invoke = async () => {
    if (attributes.dryRun) checkSideEffects(webhook)
    const verdict = await callWebhook(environment, webhook, attributes, form, requested, true)
    recordResponse(attributes, name, verdict)
    if (!verdict.allowed) throw rejected(hook, RESOURCE, verdict)
    const outcome = await patched(name, verdict, attributes, form, requested)
    if (outcome === undefined) return
    mutated = outcome.changed
    const patch = goJson({
      configuration,
      webhook: name,
      patch: outcome.operations.map(sortedMembers),
      patchType: verdict.patchType,
    })
    attributes.trace.bodyAnnotations[`patch.webhook.admission.${API_DOMAIN}/${place}`] ??= patch
  }
  try {
    await withWebhookMetrics(environment, webhook, 'admit', attributes, invoke)
    return mutated
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (webhook.failurePolicy !== 'Ignore') throw callFailed(hook, RESOURCE, error.message)
    annotate(attributes, `failed-open.mutation.webhook.admission.${API_DOMAIN}/${place}`, name)
    return false
  } finally {
    annotate(
      attributes,
      `mutation.webhook.admission.${API_DOMAIN}/${place}`,
      goJson({ configuration, webhook: name, mutated }),
    )
  }
}

/**
 * @throws ApiError 500 if the patch cannot be applied, whatever the failure policy (kube-apiserver
 * 1.31)
 */
async function patched(
  name: string,
  { patch, patchType = '' }: AdmissionResponse,
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
): Promise<{ operations: JsonObject[]; changed: boolean } | undefined> {
  if (patch === undefined) return undefined
  const operations = operationsOf(patch)
  if (operations.length === 0) return undefined
  const { object } = attributes
  if (object === undefined)
    throw internalError(
      `admission webhook ${goQuote(name)} attempted to modify the object, which is not supported for this operation`,
    )
  if (patchType !== 'JSONPatch')
    throw new CallFailure(`unsupported patch type ${goQuote(patchType)}`)
  const before = form.show(object) as unknown as JsonObject
  const changed = applied(before, operations, form)
  if (equalJson(form.show(changed), before)) return { operations, changed: false }
  replaceMembers(object, form === requested ? changed : await requested.adopt(changed))
  return { operations, changed: true }
}

/** As in kube-apiserver's audit annotations. */
const sortedMembers = (operation: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(operation).sort(([one], [other]) => (one < other ? -1 : 1)))

function operationsOf(patch: string): JsonObject[] {
  const value = readPatch(patch)
  if (value === null) return []
  if (Array.isArray(value)) return value as JsonObject[]
  const kind =
    typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value
  throw internalError(`json: cannot unmarshal ${kind} into Go value of type jsonpatch.Patch`)
}

function readPatch(patch: string): Json {
  try {
    return readJson(patch, MOST_NESTED).value
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw internalError(error.message)
    throw error
  }
}

function applied(before: JsonObject, operations: JsonObject[], form: ServedForm): KubeObject {
  try {
    return form.read(applyOperations(before, operations) as JsonObject)
  } catch (error) {
    if (error instanceof JsonPatchFailure || error instanceof UnreadableDocument)
      throw internalError(error.message)
    throw error
  }
}
