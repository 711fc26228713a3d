/** What a definition must keep to: group, scope, names, versions (order and messages recorded: crd-def-invalid). */
import type { FieldError } from '../../../http/status'
import { equalJson, isJsonObject, type JsonObject } from '../../../object'
import { duplicate, invalidValue, notSupported, required } from '../../field-errors'
import { goLiteral, typeNamed } from '../../rules/go-literal'
import { goValue } from '../../rules/go-value'
import { dns1035LabelProblems, dnsSubdomainProblems } from '../../rules/names'
import { APPROVAL, approvalOf } from '../approval'
import type { Definition, DefinitionNames, DefinitionSpec, DefinitionVersion } from '../definition'
import { ruleErrors } from '../rules/definition-errors'
import { conversionErrors } from './conversion'
import { structuralErrors } from './structural'
import { columnErrors, scaleErrors, selectableErrors } from './versions'

export function validateDefinition(object: Definition): FieldError[] {
  return [...nameErrors(object.metadata.name ?? '', object.spec), ...specErrors(object)]
}

function specErrors({ spec, status, metadata }: Definition): FieldError[] {
  const versions = spec.versions ?? []
  return [
    ...groupErrors(spec.group ?? ''),
    ...scopeErrors(spec.scope ?? ''),
    ...versionsErrors(spec.versions),
    ...preserveErrors(spec),
    ...partErrors(versions),
    ...namesErrors(spec.names ?? { plural: '', kind: '' }),
    ...conversionErrors((spec.conversion ?? {}) as unknown as JsonObject),
    ...storedErrors(status?.storedVersions ?? null, versions),
    ...approvalErrors(spec.group ?? '', metadata.annotations ?? {}),
  ]
}

const IMMUTABLE = 'field is immutable'

/** The name follows from what never changes; scope and kind stay as they are once the definition is established. */
export function validateDefinitionUpdate(object: Definition, old: Definition, established: boolean): FieldError[] {
  const [{ group, scope, names }, before] = [object.spec, old.spec]
  const fixed: [path: string, now: string | undefined, before: string | undefined][] = [
    ['spec.group', group, before.group],
    ['spec.names.plural', names?.plural, before.names?.plural],
  ]
  if (established) fixed.unshift(['spec.scope', scope, before.scope], ['spec.names.kind', names?.kind, before.names?.kind])
  const changed = fixed.filter(([, now, before]) => now !== before)
  return [...specErrors(object), ...changed.map(([path, now]) => invalidValue(path, now ?? '', IMMUTABLE))]
}

function nameErrors(name: string, { group = '', names }: Partial<DefinitionSpec>): FieldError[] {
  if (name === '' || name === `${names?.plural ?? ''}.${group}`) return []
  return [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [required('spec.group')]
  const problems = dnsSubdomainProblems(group)
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))]
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

const SCOPES = ['Cluster', 'Namespaced']

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')]
  return SCOPES.includes(scope) ? [] : [notSupported('spec.scope', scope, SCOPES)]
}

const MAX_WARNING_BYTES = 256

function versionsErrors(given: DefinitionVersion[] | undefined): FieldError[] {
  const versions = given ?? []
  const errors = versions.flatMap((version, index): FieldError[] => {
    const path = `spec.versions[${index}]`
    const problems = dns1035LabelProblems(version.name ?? '')
    return [
      ...(problems.length > 0 ? [invalidValue(`${path}.name`, version.name ?? '', problems.join(','))] : []),
      ...warningErrors(version, `${path}.deprecationWarning`),
      ...(hasSchema(version) ? [] : [required(`${path}.schema.openAPIV3Schema`, 'schemas are required')]),
    ]
  })
  const names = versions.map(({ name }) => name)
  const whole = (why: string): FieldError => ({
    field: 'spec.versions',
    reason: 'FieldValueInvalid',
    detail: `Invalid value: ${shownVersions(given)}: ${why}`,
  })
  if (new Set(names).size < names.length) errors.push(whole('must contain unique version names'))
  if (versions.filter(({ storage }) => storage).length !== 1) errors.push(whole('must have exactly one version marked as storage version'))
  const first = versions[0]?.name ?? ''
  const problems = first === '' ? [] : dns1035LabelProblems(first)
  if (problems.length > 0) errors.push(invalidValue('spec.version', first, problems.join(',')))
  return errors
}

function hasSchema({ schema }: DefinitionVersion): boolean {
  return isJsonObject(schema?.openAPIV3Schema)
}

function warningErrors({ deprecated, deprecationWarning: text }: DefinitionVersion, path: string): FieldError[] {
  if (text === undefined) return []
  if (deprecated !== true) return [invalidValue(path, text, 'can only be set for deprecated versions')]
  if (text === '') return [invalidValue(path, text, 'must not be an empty string')]
  if (new TextEncoder().encode(text).length > MAX_WARNING_BYTES) {
    return [invalidValue(path, text, `must be <= ${MAX_WARNING_BYTES} characters long`)]
  }
  const unprintable = [...text].findIndex((sign) => /[\p{C}\p{Zl}\p{Zp}]/u.test(sign))
  return unprintable < 0
    ? []
    : [invalidValue(path, text, `must only contain printable UTF-8 characters; non-printable character found at index ${unprintable}`)]
}

/** Versions as the server holds them: what all of them share stands beside them. */
function shownVersions(versions: DefinitionVersion[] | undefined): string {
  if (versions === undefined || versions === null) return '[]apiextensions.CustomResourceDefinitionVersion(nil)'
  const shared = sharesParts(versions)
  const type = typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion')
  const shown = versions.map((version) => {
    const { name, served, storage, deprecated, deprecationWarning } = version
    const own = {
      name,
      served,
      storage,
      ...(deprecated ? { deprecated } : {}),
      ...(deprecationWarning !== undefined ? { deprecationWarning } : {}),
    }
    return goLiteral(goValue(type, (shared ? own : version) as unknown as JsonObject))
  })
  return `[]apiextensions.CustomResourceDefinitionVersion{${shown.join(', ')}}`
}

/** Whether schemas, subresources, columns and selectable fields are the same in all versions: errors then speak of the definition. */
function sharesParts(versions: DefinitionVersion[]): boolean {
  const parts = ({ schema, subresources, additionalPrinterColumns, selectableFields }: DefinitionVersion) => ({
    schema,
    subresources,
    additionalPrinterColumns,
    selectableFields,
  })
  return versions.every((version) => equalJson(parts(version), parts(versions[0] as DefinitionVersion)))
}

function partErrors(versions: DefinitionVersion[]): FieldError[] {
  const [first] = versions
  if (first === undefined) return []
  if (sharesParts(versions)) return errorsOfParts(first, 'spec', 'spec.validation')
  return versions.flatMap((version, index) => errorsOfParts(version, `spec.versions[${index}]`, `spec.versions[${index}].schema`))
}

function errorsOfParts(version: DefinitionVersion, path: string, schemaPath: string): FieldError[] {
  const schema = version.schema?.openAPIV3Schema
  return [
    ...(schema === undefined ? [] : schemaErrors(schema, `${schemaPath}.openAPIV3Schema`)),
    ...scaleErrors(version.subresources?.scale, `${path}.subresources.scale`),
    ...columnErrors(version.additionalPrinterColumns ?? [], `${path}.additionalPrinterColumns`),
    ...selectableErrors(version.selectableFields ?? [], schema ?? {}, `${path}.selectableFields`),
  ]
}

/** Rules are looked at in a schema that is sound. */
function schemaErrors(schema: JsonObject, path: string): FieldError[] {
  const errors = structuralErrors(schema, path)
  return errors.length > 0 ? errors : ruleErrors(schema, path, 'new')
}

function preserveErrors({ preserveUnknownFields }: Partial<DefinitionSpec>): FieldError[] {
  if (preserveUnknownFields !== true) return []
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalidValue('spec.preserveUnknownFields', true, why)]
}

function labelErrors(path: string, label: string): FieldError[] {
  const problems = dns1035LabelProblems(label)
  return problems.length > 0 ? [invalidValue(path, label, problems.join(','))] : []
}

const kindErrors = (path: string, kind: string): FieldError[] => {
  const problems = dns1035LabelProblems(kind.toLowerCase())
  if (problems.length === 0) return []
  return [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}

function namesErrors({ plural = '', singular = '', kind = '', listKind = '', shortNames, categories }: DefinitionNames): FieldError[] {
  const given = { plural, singular, kind, listKind }
  return [
    ...Object.entries(given).flatMap(([member, name]) => {
      const path = `spec.names.${member}`
      if (name === '') return [required(path)]
      return member.toLowerCase().includes('kind') ? kindErrors(path, name) : labelErrors(path, name)
    }),
    ...(shortNames ?? []).flatMap((name, index) => labelErrors(`spec.names.shortNames[${index}]`, name)),
    ...(kind !== '' && kind === listKind ? [invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same')] : []),
    ...(categories ?? []).flatMap((name, index) => labelErrors(`spec.names.categories[${index}]`, name)),
  ]
}

function storedErrors(stored: string[] | null, versions: DefinitionVersion[]): FieldError[] {
  const path = 'status.storedVersions'
  const raw = (why: string): FieldError => ({
    field: path,
    reason: 'FieldValueInvalid',
    detail: `Invalid value: ${stored === null ? '[]string(nil)' : `[]string{${stored.map((name) => `"${name}"`).join(', ')}}`}: ${why}`,
  })
  if (stored === null || stored.length === 0) return [raw('must have at least one stored version')]
  const storage = versions.findLast((version) => version.storage)?.name
  return [
    ...stored.flatMap((name, index) => (stored.indexOf(name) < index ? [duplicate(`${path}[${index}]`, name)] : [])),
    ...stored.flatMap((name, index) =>
      versions.some((version) => version.name === name) ? [] : [invalidValue(`${path}[${index}]`, name, 'must appear in spec.versions')],
    ),
    ...(storage !== undefined && !stored.includes(storage) ? [raw(`must have the storage version ${storage}`)] : []),
  ]
}

function approvalErrors(group: string, annotations: Record<string, string>): FieldError[] {
  const approval = approvalOf(group, annotations)
  const path = `metadata.annotations[${APPROVAL}]`
  if (approval?.reason === 'MissingAnnotation') return [required(path, approval.message)]
  return approval?.reason === 'InvalidAnnotation' ? [invalidValue(path, annotations[APPROVAL] ?? '', approval.message ?? '')] : []
}
