/** kubernetes.io, "Parameter resources". Recording: policy-params. */
import { readObject, readObjects } from '../admission/environment'
import type { MaybePromise } from '../core/maybe-promise'
import type { KubeObject } from '../core/object'
import { matchesLabels, selectorOf } from '../selectors/labels'
import type { ParamForm, PolicyEnvironment } from './environment'
import type { ParamKind, ParamRef } from './objects'

/** A policy's parameters cannot be found; its failure policy decides the request. */
export class ConfigurationError extends Error {}

/** @throws ConfigurationError */
export function paramFormOf(
  environment: PolicyEnvironment,
  { apiVersion = '', kind = '' }: ParamKind,
): ParamForm {
  const form = environment.paramForm(apiVersion, kind)
  if (form === undefined)
    throw new ConfigurationError(
      `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`,
    )
  return form
}

/**
 * @returns in order of evaluation; undefined: no parameter
 * @throws ConfigurationError
 */
export function paramsOf(
  environment: PolicyEnvironment,
  form: ParamForm | undefined,
  paramRef: ParamRef | undefined | null,
  namespace: string,
): MaybePromise<readonly (KubeObject | undefined)[]> {
  return form === undefined || !paramRef ? NO_PARAMS : found(environment, form, paramRef, namespace)
}

const NO_PARAMS = [undefined]

async function found(
  environment: PolicyEnvironment,
  form: ParamForm,
  paramRef: ParamRef,
  namespace: string,
): Promise<KubeObject[]> {
  const found = await find(environment, form, paramRef, namespace)
  if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError(
      'no params found for policy binding with `Deny` parameterNotFoundAction',
    )
  return (await form.show(found)).map(withoutManagers)
}

/** Expressions see no managedFields. */
function withoutManagers(param: KubeObject): KubeObject {
  const { managedFields: _managers, ...metadata } = param.metadata
  return { ...param, metadata }
}

async function find(
  environment: PolicyEnvironment,
  form: ParamForm,
  paramRef: ParamRef,
  namespace: string,
): Promise<KubeObject[]> {
  if (!form.namespaced && paramRef.namespace)
    throw new ConfigurationError(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    )
  const where = paramRef.namespace || namespace
  if (form.namespaced && where === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  const prefix = form.namespaced ? `${form.prefix}${where}/` : form.prefix
  if (paramRef.name) {
    const object = await readObject(environment, prefix + paramRef.name)
    return object === undefined ? [] : [object]
  }
  const selector = selectorOf(paramRef.selector as Parameters<typeof selectorOf>[0]) ?? []
  return (await readObjects(environment, prefix)).filter(({ metadata }) =>
    matchesLabels(selector, metadata.labels),
  )
}
