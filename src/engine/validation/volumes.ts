/** Shared by claims and volumes. Texts recorded from kube-apiserver 1.31. */
import type { FieldError } from '../http/status'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../schema/quantity'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  sinceChange,
  tooLong,
  untilChange,
} from './field-errors'
import { anyCaseSubdomainProblems, dnsLabelProblems, dnsSubdomainProblems } from './names'

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const ALONE = 'ReadWriteOncePod'
const VOLUME_MODES = ['Block', 'Filesystem']

/** Preceded the field. */
export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

export function accessModeErrors(field: string, modes: string[]): FieldError[] {
  const errors = modes
    .filter((mode) => !ACCESS_MODES.includes(mode))
    .map((mode) => notSupported(field, mode, ACCESS_MODES))
  if (
    modes.includes(ALONE) &&
    modes.some((mode) => mode !== ALONE && ACCESS_MODES.includes(mode))
  ) {
    errors.push(forbiddenField(field, `may not use ${ALONE} with other access modes`))
  }
  return errors
}

const LONGEST_DRIVER = 63

export function driverNameErrors(field: string, name = ''): FieldError[] {
  const errors = name === '' ? [required(field)] : []
  if (name.length > LONGEST_DRIVER) errors.push(tooLong(field, LONGEST_DRIVER))
  return [
    ...errors,
    ...dnsSubdomainProblems(name.toLowerCase()).map((problem) => {
      const error = invalidValue(field, name, problem)
      return name === '' ? untilChange('UnnamedDriversAreRequired', error) : error
    }),
  ]
}

/** With the texts of tags since Kubernetes 1.37. */
export const anyCaseDriverErrors = (field: string, name = ''): FieldError[] => {
  const [now, before] = [anyCaseSubdomainProblems(name), driverNameErrors(field, name)]
  return before.map((error) =>
    error.reason === 'FieldValueInvalid' && now.length === 1
      ? sinceChange('TextsOfTags', invalidValue(field, name, now[0] ?? ''), error)
      : error,
  )
}

/** In order of validation, which lacks the node stage secret. */
const DRIVER_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const

interface SecretReference {
  name?: string
  namespace?: string
}

export type DriverVolume = { driver?: string; volumeHandle?: string } & Partial<
  Record<(typeof DRIVER_SECRETS)[number], SecretReference>
>

export function csiVolumeErrors(path: string, volume: DriverVolume): FieldError[] {
  return [
    ...driverNameErrors(`${path}.driver`, volume.driver),
    ...(volume.volumeHandle ? [] : [required(`${path}.volumeHandle`)]),
    ...DRIVER_SECRETS.flatMap((member) =>
      volume[member] ? secretErrors(volume[member], `${path}.${member}`) : [],
    ),
  ]
}

function secretErrors({ name = '', namespace = '' }: SecretReference, path: string): FieldError[] {
  const named = (field: string, value: string, problems: (value: string) => readonly string[]) =>
    value === ''
      ? [required(field)]
      : problems(value).map((problem) => invalidValue(field, value, problem))
  return [
    ...named(`${path}.name`, name, dnsSubdomainProblems),
    ...named(`${path}.namespace`, namespace, dnsLabelProblems),
  ]
}

/** An empty name means no class. */
export function classNameErrors(field: string, name: string | undefined): FieldError[] {
  return name ? dnsSubdomainProblems(name).map((problem) => invalidValue(field, name, problem)) : []
}

export function volumeModeErrors(field: string, mode: string | undefined): FieldError[] {
  return mode === undefined || VOLUME_MODES.includes(mode)
    ? []
    : [notSupported(field, mode, VOLUME_MODES)]
}

export function positiveErrors(field: string, amount: string): FieldError[] {
  return compareQuantities(parseQuantity(amount), ZERO_QUANTITY) > 0
    ? []
    : [invalidValue(field, amount, 'must be greater than zero')]
}

export function classAnnotationWarnings(annotations: Record<string, string> = {}): string[] {
  if (annotations[CLASS_ANNOTATION] === undefined) return []
  return [
    `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
  ]
}
