/** Rules and texts recorded from kube-apiserver 1.31. */

import { append } from '../core/lists'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import type { FieldError } from '../http/status'
import { invalidPrinted, invalidValue, required } from './field-errors'
import { type LabelSelectorObject, labelSelectorErrors } from './label-selectors'
import { dnsLabelProblems, dnsSubdomainProblems } from './names'
import { accessModeErrors, classNameErrors, positiveErrors, volumeModeErrors } from './volumes'

/** @param old if its sources have a group, new ones may have any */
export function claimSpecErrors(spec: JsonObject, path: string, old?: JsonObject): FieldError[] {
  const modes = Array.isArray(spec.accessModes) ? (spec.accessModes as string[]) : []
  const text = (value: Json | undefined): string | undefined =>
    typeof value === 'string' ? value : undefined
  return [
    ...(modes.length === 0
      ? [required(`${path}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...labelSelectorErrors(spec.selector as LabelSelectorObject | undefined, `${path}.selector`),
    ...accessModeErrors(`${path}.accessModes`, modes),
    ...requestErrors(spec.resources, `${path}.resources[storage]`),
    ...classNameErrors(`${path}.storageClassName`, text(spec.storageClassName)),
    ...volumeModeErrors(`${path}.volumeMode`, text(spec.volumeMode)),
    ...sourcesErrors(spec as Sources, path, namesGroup(old as Sources | undefined)),
    // Dropped while the feature is off.
    ...classNameErrors(`${path}.volumeAttributesClassName`, text(spec.volumeAttributesClassName)),
  ]
}

interface Source {
  apiGroup?: string | null
  kind?: string
  name?: string
  namespace?: string
}

interface Sources {
  dataSource?: Source | null
  dataSourceRef?: Source | null
}

const namesGroup = ({ dataSource, dataSourceRef }: Sources = {}): boolean =>
  typeof (dataSource?.apiGroup ?? dataSourceRef?.apiGroup) === 'string'

function sourcesErrors(
  { dataSource, dataSourceRef }: Sources,
  path: string,
  anyGroup: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  if (dataSource) append(errors, sourceErrors(`${path}.dataSource`, dataSource, anyGroup))
  if (dataSourceRef) {
    const { namespace = '' } = dataSourceRef
    append(errors, sourceErrors(`${path}.dataSourceRef`, dataSourceRef, anyGroup))
    if (namespace !== '')
      append(
        errors,
        dnsLabelProblems(namespace).map((problem) =>
          invalidValue(`${path}.dataSourceRef.namespace`, namespace, problem),
        ),
      )
  }
  if (!dataSource || !dataSourceRef) return errors
  if (dataSourceRef.namespace)
    errors.push(
      sourceConflict(path, 'may not be specified when dataSourceRef.namespace is specified'),
    )
  else if (!isSame(dataSource, dataSourceRef))
    errors.push(sourceConflict(path, 'must match dataSourceRef'))
  return errors
}

const isSame = (a: Source, b: Source): boolean =>
  (a.apiGroup ?? '') === (b.apiGroup ?? '') && a.kind === b.kind && a.name === b.name

function sourceErrors(
  path: string,
  { kind = '', name, apiGroup }: Source,
  anyGroup: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  if (!name) errors.push(required(`${path}.name`))
  if (kind === '') errors.push(required(`${path}.kind`))
  const problems = apiGroup && !anyGroup ? dnsSubdomainProblems(apiGroup) : []
  append(
    errors,
    problems.map((problem) => invalidValue(`${path}.apiGroup`, apiGroup, problem)),
  )
  if (apiGroup) return errors
  if (kind !== 'PersistentVolumeClaim')
    errors.push(
      invalidValue(
        path,
        kind,
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      ),
    )
  return errors
}

/** kube-apiserver prints the field path as the value, with a memory address. */
function sourceConflict(path: string, why: string): FieldError {
  const go = 'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}'
  return invalidPrinted(path, { go, json: '{}' }, why)
}

function requestErrors(resources: Json | undefined, field: string): FieldError[] {
  const requests =
    isJsonObject(resources) && isJsonObject(resources.requests) ? resources.requests : {}
  const { storage } = requests
  return typeof storage === 'string' ? positiveErrors(field, storage) : [required(field)]
}
