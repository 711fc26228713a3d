/** Validates CustomResourceDefinitions. Recorded from kube-apiserver 1.31 (`crd-def-invalid`). */

import { append } from '../../../core/lists'
import { equalJson, isJsonObject, type JsonObject } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import {
  invalidPrinted,
  invalidValue,
  notSupported,
  type Printed,
  required,
  requiredOnly,
} from '../../../validation/field-errors'
import { invalidTypedList, printedGoValue, typeNamed } from '../../../validation/go-literal'
import { goValue } from '../../../validation/go-value'
import { dns1035LabelProblems, dnsSubdomainProblems } from '../../../validation/names'
import { APPROVAL, approvalOf } from '../approval'
import type { Definition, DefinitionNames, DefinitionSpec, DefinitionVersion } from '../definition'
import { conversionErrors, hasUsableCertificates } from './conversion'
import { schemaErrors } from './schema'
import { hasDefaults } from './structural'
import { columnErrors, scaleErrors, selectableErrors } from './versions'

export function validateDefinition(object: Definition, release?: string): FieldError[] {
  return [
    ...nameErrors(object.metadata.name ?? '', object.spec),
    ...specErrors(object.spec, false, release),
    ...otherErrors(object),
  ]
}

function specErrors(
  spec: DefinitionSpec,
  certified: boolean,
  release: string | undefined,
): FieldError[] {
  const versions = spec.versions ?? []
  const shared = sharedParts(versions)
  return [
    ...groupErrors(spec.group ?? ''),
    ...scopeErrors(spec.scope ?? ''),
    ...(spec.preserveUnknownFields === true &&
    versions.some(({ schema }) => hasDefaults(schema?.openAPIV3Schema))
      ? [
          invalidValue(
            'spec.preserveUnknownFields',
            true,
            'must be false in order to use defaults in the schema',
          ),
        ]
      : []),
    ...versionsErrors(spec.versions, shared, release),
    ...missingNames(spec.names ?? { plural: '', kind: '' }),
    ...namesErrors(spec.names ?? {}, 'spec.names'),
    ...partErrors(onlyShared(shared, versions), versions.some(hasStatus), release),
    ...(spec.preserveUnknownFields === true && spec.conversion?.strategy !== 'None'
      ? [
          invalidValue(
            'spec.conversion.strategy',
            spec.conversion?.strategy ?? '',
            'must be None if spec.preserveUnknownFields is true',
          ),
        ]
      : []),
    ...conversionErrors((spec.conversion ?? {}) as unknown as JsonObject, certified),
  ]
}

function otherErrors(definition: Definition): FieldError[] {
  const { spec, status, metadata } = definition
  return [
    ...validateDefinitionStatus(definition),
    ...storedErrors(status?.storedVersions ?? null, spec.versions ?? []),
    ...approvalErrors(spec.group ?? '', metadata.annotations ?? {}),
    ...preserveErrors(spec),
  ]
}

const IMMUTABLE = 'field is immutable'

/**
 * Scope and kind are immutable once established. No invalid CA bundle replaces a valid one
 * (changelog of Kubernetes 1.31).
 */
export function validateDefinitionUpdate(
  object: Definition,
  old: Definition,
  established: boolean,
  release?: string,
): FieldError[] {
  const [{ group, scope, names }, before] = [object.spec, old.spec]
  const fixed: [path: string, now: string | undefined, before: string | undefined][] = [
    ['spec.group', group, before.group],
    ['spec.names.plural', names?.plural, before.names?.plural],
  ]
  if (established)
    fixed.unshift(
      ['spec.scope', scope, before.scope],
      ['spec.names.kind', names?.kind, before.names?.kind],
    )
  const changed = fixed.filter(([, now, before]) => now !== before)
  return [
    ...specErrors(object.spec, established && hasUsableCertificates(before), release),
    ...changed.map(([path, now]) => invalidValue(path, now ?? '', IMMUTABLE)),
    ...otherErrors(object),
  ]
}

function nameErrors(name: string, { group = '', names }: Partial<DefinitionSpec>): FieldError[] {
  if (name === '' || name === `${names?.plural ?? ''}.${group}`) return []
  return [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [required('spec.group')]
  const problems = dnsSubdomainProblems(group)
  if (problems.length > 0) return [invalidValue('spec.group', group, problems.join(','))]
  return group.includes('.')
    ? []
    : [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
}

const SCOPES = ['Cluster', 'Namespaced']

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')]
  return SCOPES.includes(scope) ? [] : [notSupported('spec.scope', scope, SCOPES)]
}

const MAX_WARNING_BYTES = 256

const versionPath = (index: number): string => `spec.versions[${index}]`

function versionsErrors(
  given: DefinitionVersion[] | undefined,
  shared: SharedParts,
  release: string | undefined,
): FieldError[] {
  const versions = given ?? []
  const errors = versions.flatMap((version, index) =>
    hasSchema(version)
      ? []
      : [requiredOnly(`${versionPath(index)}.schema.openAPIV3Schema`, 'schemas are required')],
  )
  // Versions are looked up by name: the first counts.
  const firstOfName = new Map(versions.toReversed().map((version) => [version.name, version]))
  for (const [index, version] of versions.entries()) {
    const problems = dns1035LabelProblems(version.name ?? '')
    if (problems.length > 0)
      errors.push(
        invalidValue(`${versionPath(index)}.name`, version.name ?? '', problems.join(',')),
      )
    append(errors, warningErrors(version, `${versionPath(index)}.deprecationWarning`))
    const status = hasStatus(firstOfName.get(version.name) ?? version)
    append(errors, partErrors(without(shared, version), status, release, index))
  }
  const names = versions.map(({ name }) => name)
  const whole = (why: string): FieldError =>
    invalidPrinted('spec.versions', printedVersions(given, shared), why)
  if (new Set(names).size < names.length) errors.push(whole('must contain unique version names'))
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(whole('must have exactly one version marked as storage version'))
  const first = versions[0]?.name ?? ''
  const problems = first === '' ? [] : dns1035LabelProblems(first)
  if (problems.length > 0) errors.push(invalidValue('spec.version', first, problems.join(',')))
  return errors
}

function hasSchema({ schema }: DefinitionVersion): boolean {
  return isJsonObject(schema?.openAPIV3Schema)
}

function warningErrors(
  { deprecated, deprecationWarning: text }: DefinitionVersion,
  path: string,
): FieldError[] {
  if (text === undefined) return []
  const problems: string[] = []
  if (deprecated !== true) problems.push('can only be set for deprecated versions')
  else {
    if (byteLength(text) > MAX_WARNING_BYTES)
      problems.push(`must be <= ${MAX_WARNING_BYTES} characters long`)
    if (text === '') problems.push('must not be an empty string')
    const unprintable = UNPRINTABLE.exec(text)
    if (unprintable !== null) {
      const index = byteLength(text.slice(0, unprintable.index))
      problems.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
      )
    }
  }
  return problems.map((problem) => invalidValue(path, text, problem))
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length
/** U+0020 is the only printable space. */
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/u

type Parts = Pick<
  DefinitionVersion,
  'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'
>
/** Equal in all versions: the internal type has them once, and errors refer to that path. */
type SharedParts = ReadonlySet<keyof Parts>

function sharedParts(versions: DefinitionVersion[]): SharedParts {
  const [first] = versions
  const isShared = (part: keyof Parts) =>
    first !== undefined && versions.every((version) => equalJson(version[part], first[part]))
  return new Set(
    (['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const).filter(
      isShared,
    ),
  )
}

function without(
  shared: SharedParts,
  { schema, subresources, additionalPrinterColumns, selectableFields }: DefinitionVersion,
): Parts {
  const own = Object.entries({ schema, subresources, additionalPrinterColumns, selectableFields })
  return Object.fromEntries(
    own.filter(([part, value]) => value !== undefined && !shared.has(part as keyof Parts)),
  )
}

function onlyShared(shared: SharedParts, [first]: DefinitionVersion[]): Parts {
  return Object.fromEntries([...shared].map((part) => [part, first?.[part]]))
}

function printedVersions(versions: DefinitionVersion[] | undefined, shared: SharedParts): Printed {
  const type = typeNamed(
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion',
  )
  const items = versions?.map((version) => {
    const { name, served, storage, deprecated, deprecationWarning } = version
    const own = {
      name,
      served,
      storage,
      ...(deprecated ? { deprecated } : {}),
      ...(deprecationWarning !== undefined ? { deprecationWarning } : {}),
      ...without(shared, version),
    }
    return goValue(type, own as unknown as JsonObject)
  })
  return printedGoValue({ kind: 'list', type: `[]${goValue(type, {}).type}`, items })
}

const hasStatus = ({ subresources }: DefinitionVersion): boolean =>
  isJsonObject(subresources?.status)

/** A status subresource restricts the schema. */
function partErrors(
  parts: Parts,
  withStatus: boolean,
  release: string | undefined,
  version?: number,
): FieldError[] {
  const isShared = version === undefined
  const path = isShared ? 'spec' : versionPath(version)
  const schemaPath = isShared ? 'spec.validation' : `${path}.schema`
  // Inverted, as in kube-apiserver.
  const withoutSchema = isShared
    ? 'validations.schema is included'
    : 'version.schema.openAPIV3Schema is not included'
  const schema = parts.schema?.openAPIV3Schema
  return [
    ...(isJsonObject(schema)
      ? schemaErrors(schema, `${schemaPath}.openAPIV3Schema`, withStatus, release)
      : []),
    ...scaleErrors(parts.subresources?.scale, `${path}.subresources.scale`),
    ...columnErrors(parts.additionalPrinterColumns ?? [], `${path}.additionalPrinterColumns`),
    ...selectableErrors(
      parts.selectableFields ?? [],
      schema,
      `${path}.selectableFields`,
      withoutSchema,
    ),
  ]
}

function preserveErrors({ preserveUnknownFields }: Partial<DefinitionSpec>): FieldError[] {
  if (preserveUnknownFields !== true) return []
  const why =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return [invalidValue('spec.preserveUnknownFields', true, why)]
}

function labelErrors(path: string, label: string): FieldError[] {
  const problems = dns1035LabelProblems(label)
  return problems.length > 0 ? [invalidValue(path, label, problems.join(','))] : []
}

const kindErrors = (path: string, kind: string): FieldError[] => {
  const problems = dns1035LabelProblems(kind.toLowerCase())
  if (problems.length === 0) return []
  return [
    invalidValue(
      path,
      kind,
      `may have mixed case, but should otherwise match: ${problems.join(',')}`,
    ),
  ]
}

const namesIn = ({
  plural = '',
  singular = '',
  kind = '',
  listKind = '',
}: Partial<DefinitionNames>) => Object.entries({ plural, singular, kind, listKind })

function missingNames(names: DefinitionNames): FieldError[] {
  return namesIn(names).flatMap(([member, name]) =>
    name === '' ? [required(`spec.names.${member}`)] : [],
  )
}

function namesErrors(names: Partial<DefinitionNames>, path: string): FieldError[] {
  const { kind = '', listKind = '', shortNames, categories } = names
  return [
    ...namesIn(names).flatMap(([member, name]) => {
      if (name === '') return []
      return (member.toLowerCase().endsWith('kind') ? kindErrors : labelErrors)(
        `${path}.${member}`,
        name,
      )
    }),
    ...(shortNames ?? []).flatMap((name, index) =>
      labelErrors(`${path}.shortNames[${index}]`, name),
    ),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...(categories ?? []).flatMap((name, index) =>
      labelErrors(`${path}.categories[${index}]`, name),
    ),
  ]
}

export const validateDefinitionStatus = ({ status }: Partial<Definition>): FieldError[] =>
  namesErrors(status?.acceptedNames ?? {}, 'status.acceptedNames')

function storedErrors(stored: string[] | null, versions: DefinitionVersion[]): FieldError[] {
  const path = 'status.storedVersions'
  const raw = (why: string): FieldError =>
    invalidTypedList(path, 'string', stored ?? undefined, why)
  if (stored === null || stored.length === 0) return [raw('must have at least one stored version')]
  const missing = [...new Set(stored)].filter(
    (name) => !versions.some((version) => version.name === name),
  )
  // A repeated version is stored only once.
  const isStored = ({ name }: DefinitionVersion, index: number) =>
    stored.includes(name) && versions.findIndex((version) => version.name === name) === index
  return [
    ...versions.flatMap((version, index) =>
      version.storage && !isStored(version, index)
        ? [raw(`must have the storage version ${version.name}`)]
        : [],
    ),
    ...missing.map((name) =>
      invalidValue(`${path}[${stored.lastIndexOf(name)}]`, name, 'must appear in spec.versions'),
    ),
  ]
}

function approvalErrors(group: string, annotations: Record<string, string>): FieldError[] {
  const approval = approvalOf(group, annotations)
  const path = `metadata.annotations[${APPROVAL}]`
  if (approval?.reason === 'MissingAnnotation') return [required(path, approval.message)]
  return approval?.reason === 'InvalidAnnotation'
    ? [invalidValue(path, annotations[APPROVAL] ?? '', approval.message ?? '')]
    : []
}
